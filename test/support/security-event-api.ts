import assert from "node:assert/strict";
import type { TestContext } from "node:test";

import { uuidV7Generator } from "../../src/process/open-store.ts";
import {
  recordSecurityEvents,
  type JudgedRequest,
  type EventMatch,
  type Judgement,
} from "../../src/resources/security-events/security-events.ts";
import { startTestApp, type Engine, type TestApp } from "./harness.ts";
import { openStore } from "./store.ts";

export const judgedRequest: JudgedRequest = {
  method: "GET",
  host: "www.example.com",
  path: "/a",
  query: "q=1",
  protocol: "HTTP/1.1",
  userAgent: "curl/8",
  referer: "",
  scheme: "https",
  address: "192.0.2.7",
  country: "GB",
  edgeStatus: 403,
  originStatus: 0,
};
export const blocking: EventMatch = {
  source: "firewallManaged",
  action: "block",
  rulesetId: "efb7b8c949ac4650a09736fc376e9aee",
  ruleId: "23ee7cebe6e8443e99ecf932ab579455",
  message: "a message",
  metadata: { key: "value" },
};

/**
 * Stores the events of judgements like another process: each is `blocking`, but for what is given. Events of a time
 * are stored together.
 */
export async function recordEvents(
  t: TestContext,
  app: TestApp,
  zoneId: string,
  events: readonly (Partial<JudgedRequest & EventMatch & Pick<Judgement, "sampleInterval">> & {
    readonly on: string;
  })[],
): Promise<void> {
  const db = await openStore(t, app);
  const newUuid = uuidV7Generator();
  for (const [on, group] of Map.groupBy(events, (event) => event.on)) {
    const now = () => new Date(on);
    const context = { db, now, newId: () => "0".repeat(16) + "a".repeat(16), newLogId: () => newUuid(now()) };
    const judgements = group.map((event) => ({
      request: { ...judgedRequest, ...event },
      matches: [{ ...blocking, ...event }],
      metadata: {},
      ...(event.sampleInterval !== undefined && { sampleInterval: event.sampleInterval }),
    }));
    assert.equal(await recordSecurityEvents(context, { id: zoneId }, judgements), group.length);
  }
}

interface GraphqlReply {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  readonly data: any;
  readonly errors:
    | readonly {
        readonly message: string;
        readonly path: readonly string[] | null;
        readonly extensions: { readonly timestamp: string; readonly code?: string };
      }[]
    | null;
}

export async function queryGraphql(
  app: TestApp,
  query: string,
  variables?: object,
  headers?: Record<string, string>,
): Promise<GraphqlReply> {
  const answer = await app.request("POST", "/graphql", {
    body: { query, variables },
    ...(headers && { headers }),
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body as unknown as GraphqlReply;
}

/** The query that the public documents show. */
export const documentedQuery = `query L($zoneTag: string, $filter: FirewallEventsAdaptiveFilter_InputObject) {
  viewer { zones(filter: {zoneTag: $zoneTag}) {
    firewallEventsAdaptive(filter: $filter, limit: 10, orderBy: [datetime_DESC]) {
      action clientAsn clientCountryName clientIP clientRequestPath clientRequestQuery datetime source userAgent
    }
  } }
}`;

export async function pathsOf(app: TestApp, zoneTag: string, filter: object): Promise<string[]> {
  const query = `query($zoneTag: String!, $filter: FirewallEventsAdaptiveFilter_InputObject) {
    viewer { zones(filter: {zoneTag: $zoneTag}) {
      firewallEventsAdaptive(filter: $filter, orderBy: [datetime_ASC]) { clientRequestPath }
    } }
  }`;
  const { data, errors } = await queryGraphql(app, query, { zoneTag, filter });
  assert.equal(errors, null);
  return data.viewer.zones[0].firewallEventsAdaptive.map(
    ({ clientRequestPath }: { clientRequestPath: string }) => clientRequestPath,
  );
}

export async function withEvents(t: TestContext, engine: Engine) {
  const app = await startTestApp(t, engine);
  const zoneId = await app.createZone("example.com");
  await recordEvents(t, app, zoneId, [
    { on: "2026-01-02T03:00:00.900Z", path: "/1" },
    { on: "2026-01-02T03:00:01Z", path: "/2", action: "log", source: "waf", edgeStatus: 200 },
    { on: "2026-01-02T03:01:00Z", path: "/3", userAgent: "o'hare\0", address: "2001:db8::1" },
  ]);
  return { app, zoneId };
}
