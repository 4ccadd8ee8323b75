import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { Ajv, type ValidateFunction } from "ajv";
import * as fc from "fast-check";

import { validRequests, type ValidRequest } from "../authorization/requests.ts";
import { startWorld, type World } from "../authorization/world.ts";
import { onEachEngine, type Engine, type TestAnswer } from "../support/harness.ts";
import { roundsOr } from "../support/rounds.ts";
import { deviationsOf, fuzzedRequest, type FuzzedRequest, type Operation } from "./fuzzed-request.ts";
import type { Schema } from "./values.ts";

/** What one store lives through: a store that only grows would make the last requests the slowest. */
const requestsPerWorld = 3_500;
/** Requests of one operation in a row, made from the same one that is in order. */
const requestsPerBase = 4;
const clients = 6;

interface Described {
  readonly operation: Operation;
  readonly deviations: ReturnType<typeof deviationsOf>;
  readonly judge: (answer: TestAnswer) => string | undefined;
}

onEachEngine("whatever is sent to whatever operation", (engine) => {
  test("is answered as its schema says, and never with 500", async (t) => {
    const requests = roundsOr(700);
    const findings = new Map<string, string>();
    const statuses = new Map<number, number>();
    for (let world = 0, sent = 0; sent < requests; world += 1) {
      if (world > 0) process.stderr.write(`${sent} requests, ${findings.size} findings so far\n`);
      const count = Math.min(requestsPerWorld, requests - sent);
      sent += await fuzzWorld(t, engine, { seed: world, count }, (request, answer, complaint) => {
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (complaint === undefined) return;
        const { method, path, rawBody = "" } = request;
        if (!findings.has(complaint)) process.stderr.write(`${complaint}\n`);
        findings.set(
          complaint,
          `${method} ${path}\n  ${rawBody.slice(0, 600)}\n  ${answer.text.slice(0, 300)}`,
        );
      });
    }
    const told = [...statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, count]) => `${count} answers of ${status}`);
    t.diagnostic(told.join(", "));
    assert.deepEqual([...findings], []);
  });
});

/** The same in every world. */
let operations: readonly Described[] | undefined;

type Note = (request: FuzzedRequest, answer: TestAnswer, complaint: string | undefined) => void;

/** Answers how many requests were sent. */
async function fuzzWorld(
  t: TestContext,
  engine: Engine,
  { seed, count }: { readonly seed: number; readonly count: number },
  note: Note,
): Promise<number> {
  const world = await startWorld(t, engine);
  operations ??= await describeOperations(world);
  const described = operations;
  const bases = Math.max(1, Math.ceil(count / requestsPerBase));
  const turns = Array.from({ length: bases }, (_, turn) => ({
    turn,
    chosen: described[(seed * bases + turn) % described.length] as Described,
  }));
  let zoneId = world.zoneId;
  let sent = 0;
  const client = async (): Promise<void> => {
    for (let next = turns.shift(); next !== undefined; next = turns.shift()) {
      const { turn, chosen } = next;
      const { operation, deviations, judge: judgeAnswer } = chosen;
      const ids = { zone_id: zoneId, account_id: world.accountId };
      const base = await baseOf({ ...world, zoneId }, operation);
      const numRuns = requestsPerBase;
      for (const deviation of fc.sample(deviations, { seed: seed * bases + turn, numRuns })) {
        const request = fuzzedRequest(operation, ids, base, deviation);
        const answer = await world.app.request(request.method, request.path, request);
        sent += 1;
        note(request, answer, judgeAnswer(answer));
      }
      // Whatever became of the zone, the next ones need one.
      if (operation.operationId === "deleteZone") zoneId = await world.app.createZone(`next${turn}.example`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await world.app.close();
  return sent;
}

/** What is there may stand in the way of making more: then there is no request in order. */
async function baseOf(world: World, { operationId }: Operation): Promise<ValidRequest> {
  try {
    return (await validRequests[operationId]?.(world)) ?? {};
  } catch {
    return {};
  }
}

interface OpenApi {
  readonly components: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}
interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: Operation["parameters"];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

async function describeOperations({ app }: World): Promise<Described[]> {
  const document = (await (await fetch(new URL("/openapi.json", app.baseUrl))).json()) as OpenApi;
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "document", components: document.components });
  const failure = ajv.compile({ $ref: "document#/components/schemas/Failure" });
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { operationId, parameters = [], requestBody, responses }]): Described => {
        const success = Object.entries(responses["200"]?.content ?? {})[0];
        const isJson = success?.[0].startsWith("application/json") === true;
        const validate = isJson && success[1].schema ? ajv.compile(success[1].schema) : undefined;
        const operation: Operation = {
          operationId,
          method: method.toUpperCase() as Operation["method"],
          path,
          parameters,
          body: Object.values(requestBody?.content ?? {})[0]?.schema,
        };
        return {
          operation,
          deviations: deviationsOf(operation),
          judge: (answer) => {
            const complaint = judge(answer, responses, validate, failure);
            return complaint && `${operationId}: ${complaint}`;
          },
        };
      },
    ),
  );
}

function judge(
  { status, body }: TestAnswer,
  responses: DescribedOperation["responses"],
  success: ValidateFunction | undefined,
  failure: ValidateFunction,
): string | undefined {
  if (status >= 500) return `${status}`;
  if (status >= 400) return failure(body) ? undefined : complaintsOf(failure);
  if (responses[String(status)] === undefined) return `${status} is not described`;
  if (status !== 200 || success === undefined) return undefined;
  return success(body) ? undefined : complaintsOf(success);
}

function complaintsOf({ errors }: ValidateFunction): string {
  const [first] = errors ?? [];
  return `${first?.instancePath.replaceAll(/\d+/g, "#")} ${first?.message}`;
}
