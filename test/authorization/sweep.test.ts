import assert from "node:assert/strict";
import { before, test } from "node:test";

import type { Permission } from "../../src/core/policy/permission.ts";
import { operations } from "../../src/server/operations.ts";
import { byToken, onComparedEngines } from "../support/harness.ts";
import { untilAllIssued } from "../support/certificates.ts";
import { stateOf } from "../support/store.ts";
import { suiteContext } from "../support/suite-context.ts";
import { send, validRequests } from "./requests.ts";
import { policiesFor, startWorld, tokenOf, type PolicyBody, type World } from "./world.ts";

const needingCaller = operations.flatMap((route) =>
  typeof route.access === "object" ? [{ route, permission: route.access }] : [],
);

interface Sender {
  readonly title: string;
  readonly headers: Record<string, string>;
  readonly status: number;
  readonly code: number;
}

const unknownToken = { authorization: `Bearer ${"x".repeat(40)}` };
const farFuture = "2099-01-01T00:00:00Z";
const longAgo = "2000-01-01T00:00:00Z";

/** Policies of a token that has the permission of every operation, and nothing else. */
function everyPermission(world: World): readonly PolicyBody[] {
  const policies = needingCaller.flatMap(({ permission }) => policiesFor(world, permission).exact);
  return [...new Map(policies.map((policy) => [JSON.stringify(policy), policy])).values()];
}

/** Senders that may do nothing, whatever the operation, although all but the unknown have the permission. */
async function strangers(world: World): Promise<Sender[]> {
  const policies = everyPermission(world);
  const refused = { status: 403, code: 9109 };
  const made = async (title: string, rest: object): Promise<Sender> => ({
    title,
    headers: (await tokenOf(world, policies, rest)).headers,
    ...refused,
  });
  const disabled = await tokenOf(world, policies);
  await world.app.request("PUT", `/user/tokens/${disabled.id}`, {
    body: { name: "off", policies, status: "disabled" },
  });
  const deleted = await tokenOf(world, policies);
  await world.app.request("DELETE", `/user/tokens/${deleted.id}`);
  const rolled = await tokenOf(world, policies);
  await world.app.request("PUT", `/user/tokens/${rolled.id}/value`);
  return [
    { title: "nobody", headers: {}, status: 400, code: 9106 },
    { title: "a cookie alone", headers: { cookie: world.cookies.signedIn }, status: 400, code: 9106 },
    {
      title: "a session for a page of another origin",
      headers: { cookie: world.cookies.signedIn, "x-zoneward-session": "1", "sec-fetch-site": "same-site" },
      status: 403,
      code: 10415,
    },
    {
      title: "a session that has ended",
      headers: { cookie: world.cookies.signedOut, "x-zoneward-session": "1" },
      status: 401,
      code: 10401,
    },
    { title: "a malformed token", headers: { authorization: "Bearer x" }, status: 400, code: 6003 },
    { title: "an unknown token", headers: unknownToken, ...refused },
    { title: "a deleted token", headers: deleted.headers, ...refused },
    { title: "the secret before the roll", headers: rolled.headers, ...refused },
    { title: "a disabled token", headers: disabled.headers, ...refused },
    await made("an expired token", { expires_on: longAgo }),
    await made("a token whose time is to come", { not_before: farFuture }),
    await made("a token for another address", { condition: { "request.ip": { in: ["192.0.2.0/24"] } } }),
    await made("a token not for this address", { condition: { request_ip: { not_in: ["127.0.0.0/8"] } } }),
  ];
}

/** The answers to a caller that lacks the permission, and to one that has it on something else. */
function refusals(permission: Permission): { lacking?: [number, number]; elsewhere?: [number, number] } {
  switch (permission.on) {
    case "zone":
    case "visible-zone":
    case "account":
      return { lacking: [403, 10000], elsewhere: [404, 1001] };
    case "new-account":
      return { lacking: [403, 1002], elsewhere: [403, 1002] };
    case "new-zone":
      return { lacking: [403, 0], elsewhere: [404, 1001] };
    case "server":
      return { lacking: [403, 10000], elsewhere: [403, 10000] };
    case "user":
      return { lacking: [403, 9109], elsewhere: [403, 9109] };
    case "queried-zones":
    case "listed":
      return {};
  }
}

onComparedEngines("authorization", (engine) => {
  const suite = suiteContext();
  let world: World;
  let refusedSenders: readonly Sender[];
  const headersOf = new Map<string, Record<string, string>>();
  before(async () => {
    world = await startWorld(suite, engine);
    refusedSenders = await strangers(world);
  });

  /** The headers of a token with these policies; operations with the same permission share it. */
  async function headersWith(policies: readonly PolicyBody[]): Promise<Record<string, string>> {
    const key = JSON.stringify(policies);
    const headers = headersOf.get(key) ?? (await tokenOf(world, policies)).headers;
    headersOf.set(key, headers);
    return headers;
  }

  test("every operation that needs a caller has its row in this sweep", () => {
    const names = needingCaller.map(({ route }) => route.operation);
    assert.deepEqual(new Set(names), new Set(Object.keys(validRequests)));
    assert.ok(names.length > 40);
  });

  for (const operation of Object.keys(validRequests)) {
    test(`${operation} is for those who have its permission, and a refusal changes nothing`, async () => {
      const entry = needingCaller.find(({ route }) => route.operation === operation);
      assert.ok(entry);
      const { route, permission } = entry;
      const policies = policiesFor(world, permission);
      const { lacking, elsewhere } = refusals(permission);
      const senders = [...refusedSenders];
      const add = async (title: string, [status, code]: [number, number], which: keyof typeof policies) => {
        senders.push({ title, headers: await headersWith(policies[which]), status, code });
      };
      if (lacking) await add("a token of another permission", lacking, "otherGroup");
      if (elsewhere) await add("a token for something else", elsewhere, "otherResource");
      if (["zone", "visible-zone", "account", "new-zone"].includes(permission.on)) {
        senders.push({ title: "a stranger's key", headers: world.stranger.headers, status: 404, code: 1001 });
      }
      const request = await validRequests[operation]?.(world);
      assert.ok(request);
      const exact = await headersWith(policies.exact);

      await untilAllIssued(world.app);
      const earlier = await stateOf(world.app);
      for (const { title, headers, status, code } of senders) {
        const answer = await send(world, route, headers, request);
        assert.equal(answer.status, status, `${title}: ${answer.text}`);
        assert.equal(answer.body.errors[0]?.code, code, `${title}: ${answer.text}`);
        assert.equal(answer.body.result, null, title);
      }
      assert.deepEqual(await stateOf(world.app), earlier);

      const answer = await send(world, route, exact, request);
      assert.equal(answer.status, route.answersNothing ? 204 : 200, answer.text);
    });
  }

  test("a zone or an account of somebody else is answered as one that does not exist, byte for byte", async () => {
    const unknown = "0123456789abcdef0123456789abcdef";
    for (const { route, permission } of needingCaller) {
      if (!["zone", "visible-zone", "account"].includes(permission.on)) continue;
      const name = permission.on === "account" ? "account_id" : "zone_id";
      const foreign = permission.on === "account" ? world.stranger.accountId : world.stranger.zoneId;
      const answers: string[] = [];
      for (const id of [foreign, unknown]) {
        const { status, text } = await send(world, route, byToken, {
          params: { [name]: id },
          ...(route.schemas.body !== undefined && { body: {} }),
        });
        assert.equal(status, 404, `${route.operation}: ${text}`);
        answers.push(text.replaceAll(id, "ID"));
      }
      assert.equal(answers[0], answers[1], route.operation);
    }
  });
});
