import assert from "node:assert/strict";

import type { TestAnswer, TestApp } from "./harness.ts";
import { addAccount, addUser } from "./store.ts";

/** An account and its only member, who may do everything in it and nothing elsewhere. */
export interface Neighbour {
  readonly accountId: string;
  readonly headers: Record<string, string>;
  send(method: string, path: string, body?: unknown): Promise<TestAnswer>;
  /** The result of a request that succeeds. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  result(method: string, path: string, body?: unknown): Promise<any>;
  /** Creates a zone; the answer is its id. */
  zone(name: string, more?: object): Promise<string>;
  /** Creates a record; the answer is its id. */
  record(zoneId: string, type: string, name: string, content: string, more?: object): Promise<string>;
  /** Asks for an activation check; the answer is the status of the zone afterwards. */
  check(zoneId: string): Promise<string>;
  statusOf(zoneId: string): Promise<string>;
  /** Delegates a name of a zone to the name servers of another one; the answers are the ids of the records. */
  delegate(zoneId: string, name: string, to: Neighbour, toZoneId: string): Promise<string[]>;
}

/** Accounts that know nothing of each other. */
export async function addNeighbour(app: TestApp, called: string): Promise<Neighbour> {
  const accountId = await addAccount(app, called);
  const { headers } = await addUser(app, `${called}@example.com`, {
    account: accountId,
    role: "Super Administrator - All Privileges",
  });
  const neighbour: Neighbour = {
    accountId,
    headers,
    send: (method, path, body) => app.request(method, path, { headers, ...(body !== undefined && { body }) }),
    result: async (method, path, body) => {
      const answer = await neighbour.send(method, path, body);
      assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
      return answer.body.result;
    },
    zone: async (zone, more = {}) =>
      (await neighbour.result("POST", "/zones", { name: zone, account: { id: accountId }, ...more })).id,
    record: async (zoneId, type, record, content, more = {}) => {
      const body = { type, name: record, content, ...more };
      return (await neighbour.result("POST", `/zones/${zoneId}/dns_records`, body)).id;
    },
    check: async (zoneId) => {
      await neighbour.result("PUT", `/zones/${zoneId}/activation_check`);
      return neighbour.statusOf(zoneId);
    },
    statusOf: async (zoneId) => (await neighbour.result("GET", `/zones/${zoneId}`)).status,
    delegate: async (zoneId, name, to, toZoneId) => {
      const { name_servers: servers } = await to.result("GET", `/zones/${toZoneId}`);
      const ids = [];
      for (const server of servers) ids.push(await neighbour.record(zoneId, "NS", name, server));
      return ids;
    },
  };
  return neighbour;
}
