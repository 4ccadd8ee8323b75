import type { TestContext } from "node:test";

import { Ajv, type ValidateFunction } from "ajv";
import * as fc from "fast-check";

import { validRequests, type ValidRequest } from "../authorization/requests.ts";
import { startWorld, type World } from "../authorization/world.ts";
import type { Engine, TestAnswer } from "../support/harness.ts";
import { contractComplaint } from "./contract-complaint.ts";
import { deviationsOf, fuzzedRequest, type FuzzedRequest, type Operation } from "./fuzzed-request.ts";
import type { Schema } from "./values.ts";

/** Requests of one operation in a row, made from the same one that is in order. */
const requestsPerBaseMin = 4;
const requestsPerBaseMax = 16;
const clients = 6;
/** Ids that requests may name again, whether or not what they named is still there. */
const knownIdsMax = 500;

/** Rare answers differ in ways that no valid request shows, so that this is for runs that somebody looks at. */
const judgesContract = process.env["CONTRACT"] === "1";

interface Described {
  readonly operation: Operation;
  readonly deviations: ReturnType<typeof deviationsOf>;
  readonly judge: (answer: TestAnswer) => string | undefined;
}

/** The same in every world. */
let operations: readonly Described[] | undefined;

/** Is told of each request, its answer, and what is wrong with it. */
export type Note = (request: FuzzedRequest, answer: TestAnswer, complaint: string | undefined) => void;

/**
 * Sends `count` requests that are in order but for some deviations to a server of its own, and answers how many were
 * sent. The same seed makes the same requests; only their order among the clients is not fixed.
 */
export async function fuzzWorld(
  t: TestContext,
  engine: Engine,
  { seed, count }: { readonly seed: number; readonly count: number },
  note: Note,
): Promise<number> {
  const world = await startWorld(t, engine);
  operations ??= await describeOperations(world);
  const described = operations;
  const requestsPerBase = Math.min(
    requestsPerBaseMax,
    Math.max(requestsPerBaseMin, Math.floor(count / described.length)),
  );
  const bases = Math.max(1, Math.ceil(count / requestsPerBase));
  const turns = Array.from({ length: bases }, (_, turn) => ({
    turn,
    chosen: described[(seed * bases + turn) % described.length] as Described,
  }));
  let zoneId = world.zoneId;
  let sent = 0;
  const knownIds: string[] = [];
  const client = async (): Promise<void> => {
    for (let next = turns.shift(); next !== undefined; next = turns.shift()) {
      const { turn, chosen } = next;
      const { operation, deviations, judge: judgeAnswer } = chosen;
      const ids = { zone_id: zoneId, account_id: world.accountId };
      const base = await baseOf({ ...world, zoneId }, operation);
      const numRuns = requestsPerBase;
      for (const deviation of fc.sample(deviations, { seed: seed * bases + turn, numRuns })) {
        const request = fuzzedRequest(operation, ids, base, deviation, knownIds);
        const answer = await world.app.request(request.method, request.path, request);
        sent += 1;
        if (answer.status === 200) knownIds.push(...idsIn(answer));
        if (knownIds.length > knownIdsMax) knownIds.splice(0, knownIds.length - knownIdsMax);
        note(request, answer, judgeAnswer(answer));
      }
      // The next requests need a zone, whatever became of this one.
      if (operation.operationId === "deleteZone") {
        const made = await world.app.request("POST", "/zones", { body: { name: `next${turn}.example` } });
        // Where the fuzzed caller has taken its own rights away, none is made, and the others are answered with 404.
        if (made.status === 200) zoneId = made.body.result.id as string;
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await world.app.close();
  return sent;
}

/** The others go on in the account of the world. */
async function deletionOfAnotherAccount({ app }: World): Promise<ValidRequest> {
  const { body } = await app.request("POST", "/accounts", { body: { name: "another account" } });
  return { params: { account_id: body.result.id as string } };
}

function idsIn({ body }: TestAnswer): string[] {
  const { result } = (body ?? {}) as { readonly result?: unknown };
  const items: unknown[] = Array.isArray(result) ? result.slice(0, 3) : [result];
  return items.flatMap((item) => {
    const id = typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
    return typeof id === "string" && id !== "" ? [id] : [];
  });
}

/** Present resources may stand in the way of making more: then there is no request in order. */
async function baseOf(world: World, { operationId }: Operation): Promise<ValidRequest> {
  try {
    if (operationId === "deleteAccount") return await deletionOfAnotherAccount(world);
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
            const complaint =
              judge(answer, responses, validate, failure) ??
              (judgesContract ? contractComplaint(operation, answer) : undefined);
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
  if (status >= 400) return failure(body) ? misplaced(body.errors) : complaintsOf(failure);
  if (responses[String(status)] === undefined) return `${status} is not described`;
  if (status !== 200 || success === undefined) return undefined;
  return success(body) ? undefined : complaintsOf(success);
}

/** An error whose message names another place than its pointer points to. */
function misplaced(errors: TestAnswer["body"]["errors"]): string | undefined {
  for (const { message, source } of errors) {
    const named = /^Invalid (?:body|query parameter) `(.*?)`: /.exec(message)?.[1];
    if (named !== undefined && `/${named}` !== source?.pointer) {
      return `the message names ${named}, and the pointer is ${source?.pointer}`;
    }
  }
  return undefined;
}

function complaintsOf({ errors }: ValidateFunction): string {
  const [first] = errors ?? [];
  return `${first?.instancePath.replaceAll(/\d+/g, "#")} ${first?.message}`;
}
