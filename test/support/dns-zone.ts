import assert from "node:assert/strict";
import { after, before, type TestContext } from "node:test";

import type { DnsRecord } from "../../src/resources/dns-records/schema.ts";
import type { Config } from "../../src/config/settings.ts";
import { startTestApp, type Engine, type TestAnswer, type TestApp } from "./harness.ts";

/** The error of a refusal; a bad record names its field and repeats the reason for older clients. */
export interface Refusal {
  readonly status?: number;
  readonly code: number;
  readonly message: string;
  readonly pointer?: string;
  /** Whether the reason stands in `error_chain` too. */
  readonly chain?: boolean;
}

/** A body as often as there are values for one of its fields. */
export interface Variants {
  readonly body: object;
  readonly field: string;
  readonly values: readonly unknown[];
}

/** The DNS records of one zone, over HTTP. Paths are below `dns_records`. */
export interface DnsZone {
  readonly id: string;
  readonly name: string;
  send(method: string, path: string, body?: unknown): Promise<TestAnswer>;
  create(body: object): Promise<DnsRecord>;
  /** All records that match a query, in one page. */
  list(query?: Readonly<Record<string, string>>): Promise<DnsRecord[]>;
  /** Shows that a request is refused so and that no record changed. */
  refuses(method: string, path: string, body: unknown, refusal: Refusal): Promise<void>;
  /** The same for each value of a field. */
  refusesEach(method: string, path: string, variants: Variants, refusal: Refusal): Promise<void>;
}

/** One server for all tests of a `describe`; each test makes zones of its own. */
export function shareApp(engine: Engine, settings: Partial<Config> = {}): () => TestApp {
  let app: TestApp | undefined;
  const cleanups: (() => unknown)[] = [];
  before(async () => {
    const suite: Pick<TestContext, "after"> = {
      after: (cleanup) => void cleanups.push(cleanup as () => unknown),
    };
    app = await startTestApp(suite as TestContext, engine, settings);
  });
  after(async () => {
    for (const cleanup of cleanups) await cleanup();
  });
  return () => {
    if (app === undefined) throw new Error("the server runs only while tests do");
    return app;
  };
}

/** A zone that is gone after the test. */
export async function createDnsZone(
  t: TestContext,
  app: TestApp,
  name = "example.com",
  plan?: "free" | "pro" | "business",
): Promise<DnsZone> {
  const id = await app.createZone(name);
  t.after(() => app.request("DELETE", `/zones/${id}`));
  if (plan !== undefined) await app.request("PATCH", `/zones/${id}`, { body: { plan: { id: plan } } });

  const send: DnsZone["send"] = (method, path, body) =>
    app.request(method, `/zones/${id}/dns_records${path}`, body === undefined ? {} : { body });
  const list: DnsZone["list"] = async (query = {}) => {
    const answer = await send("GET", `?${new URLSearchParams({ per_page: "5000", ...query }).toString()}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.result as DnsRecord[];
  };
  const refuses: DnsZone["refuses"] = async (method, path, body, refusal) => {
    const kept = await list();
    await isRefused(method, path, body, refusal);
    assert.deepEqual(await list(), kept);
  };
  const isRefused: DnsZone["refuses"] = async (method, path, body, refusal) => {
    const answer = await send(method, path, body);
    assert.deepEqual({ status: answer.status, body: answer.body }, refusalAnswer(refusal));
  };
  return {
    id,
    name,
    send,
    list,
    create: async (body) => {
      const answer = await send("POST", "", body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.result as DnsRecord;
    },
    refuses,
    refusesEach: async (method, path, { body, field, values }, refusal) => {
      const kept = await list();
      for (const value of values) await isRefused(method, path, { ...body, [field]: value }, refusal);
      assert.deepEqual(await list(), kept);
    },
  };
}

function refusalAnswer({ status = 400, code, message, pointer, chain = pointer !== undefined }: Refusal) {
  const error = {
    code,
    message,
    ...(pointer !== undefined && { source: { pointer } }),
    ...(chain && { error_chain: [{ code, message }] }),
  };
  return { status, body: { result: null, success: false, errors: [error], messages: [] } };
}
