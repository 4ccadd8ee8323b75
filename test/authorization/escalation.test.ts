import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { permissionGroups, zone, account, user } from "../../src/core/policy/permission-groups.ts";
import { roles } from "../../src/core/policy/roles.ts";
import { startTestApp, type TestApp } from "../support/harness.ts";
import { addAccount, besideServer } from "../support/store.ts";
import { allow, deny, keys, type PolicyBody } from "./world.ts";

const dnsRole = roles.find(({ name }) => name === "DNS");
if (dnsRole === undefined) throw new Error("no role DNS");

/** The secret of a token that was made on the way. */
interface Hold {
  readonly headers: Record<string, string>;
}

interface Place {
  readonly app: TestApp;
  /** An account in which the user may change records and nothing else, and its zone. */
  readonly accountId: string;
  readonly zoneId: string;
  /** A zone of an account in which the user is nobody. */
  readonly foreignZoneId: string;
}

/** Actions that the user may not do, whatever token it makes. */
async function forbiddenAttempts({ app, accountId, zoneId, foreignZoneId }: Place, { headers }: Hold) {
  const send = (method: string, path: string, body?: object) =>
    app.request(method, path, { headers, ...(body && { body }) });
  const record = { type: "A", name: "x.example.com", content: "192.0.2.1" };
  return [
    await send("PATCH", `/zones/${zoneId}`, { paused: true }),
    await send("DELETE", `/zones/${zoneId}`),
    await send("PATCH", `/zones/${zoneId}/settings/ipv6`, { value: "off" }),
    await send("GET", `/zones/${foreignZoneId}`),
    await send("POST", `/zones/${foreignZoneId}/dns_records`, record),
    await send("POST", "/zones", { name: "new.example", account: { id: accountId } }),
    await send("GET", `/accounts/${accountId}/tokens`),
    await send("POST", `/accounts/${accountId}/tokens`, {
      name: "t",
      policies: [allow(keys.account(accountId), account("Account API Tokens Write"))],
    }),
  ];
}

const policyNumbers = fc.array(fc.nat(7), { minLength: 1, maxLength: 3 });
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("create" as const), by: fc.nat(5), policies: policyNumbers }),
    fc.record({
      kind: fc.constant("replace" as const),
      by: fc.nat(5),
      which: fc.nat(5),
      policies: policyNumbers,
    }),
    fc.record({ kind: fc.constant("roll" as const), by: fc.nat(5), which: fc.nat(5) }),
  ),
  { minLength: 1, maxLength: 6 },
);

test("no sequence of token operations yields a token that does what its user may not", async (t) => {
  const app = await startTestApp(t, "sqlite", { user_token_quota: 100_000, account_token_quota: 100_000 });
  const zoneId = await app.createZone("example.com");
  const foreignZoneId = await app.createZone("example.net");
  const accountId = await addAccount(app, "Where the owner is a guest", "accepted", dnsRole.id);
  const foreignAccountId = await addAccount(app, "Foreign");
  await besideServer(app, async (tx) => {
    const moves = [
      [zoneId, accountId],
      [foreignZoneId, foreignAccountId],
    ] as const;
    for (const [id, account_id] of moves) {
      await tx.updateTable("zones").set({ account_id }).where("id", "=", id).execute();
    }
  });
  const place: Place = { app, accountId, zoneId, foreignZoneId };
  const groupsOf = (scope: string) => permissionGroups.filter((group) => group.scope === scope);
  const offered: readonly PolicyBody[] = [
    allow(keys.zone("*"), ...groupsOf("zone")),
    allow(keys.account("*"), ...groupsOf("account")),
    allow(keys.user(app.owner.userId), ...groupsOf("user")),
    allow(keys.zonesOf(accountId), zone("Zone Write"), zone("DNS Write")),
    allow(keys.zone(zoneId), zone("Zone Write"), zone("Zone Settings Write")),
    allow(keys.account(accountId), account("Account API Tokens Write")),
    allow(keys.user(app.owner.userId), user("API Tokens Write")),
    deny(keys.zone(zoneId), zone("DNS Read")),
  ];

  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const first = await app.request("POST", "/user/tokens", {
        body: { name: "first", policies: [offered[6]] },
      });
      const tokens = [{ id: first.body.result.id as string, secret: first.body.result.value as string }];
      const at = (index: number) => tokens[index % tokens.length];
      for (const step of sequence) {
        const headers = { authorization: `Bearer ${at(step.by)?.secret}` };
        const policies = step.kind === "roll" ? [] : step.policies.flatMap((number) => offered[number] ?? []);
        if (step.kind === "create") {
          const { status, body } = await app.request("POST", "/user/tokens", {
            headers,
            body: { name: "next", policies },
          });
          if (status === 200) tokens.push({ id: body.result.id, secret: body.result.value });
          continue;
        }
        const target = at(step.which);
        assert.ok(target);
        if (step.kind === "replace") {
          await app.request("PUT", `/user/tokens/${target.id}`, {
            headers,
            body: { name: "other", policies },
          });
        } else {
          const { status, body } = await app.request("PUT", `/user/tokens/${target.id}/value`, { headers });
          if (status === 200) target.secret = body.result;
        }
      }
      for (const { secret } of tokens) {
        const hold = { headers: { authorization: `Bearer ${secret}` } };
        for (const { status, text } of await forbiddenAttempts(place, hold)) {
          assert.ok(status === 403 || status === 404, text);
        }
      }
    }),
    { numRuns: 40, seed: 4 },
  );

  // The attempts fail for want of rights, not because they are no requests at all.
  const all = await app.request("POST", "/user/tokens", {
    body: { name: "all", policies: offered.slice(0, 3) },
  });
  const { status } = await app.request("POST", `/zones/${zoneId}/dns_records`, {
    headers: { authorization: `Bearer ${all.body.result.value}` },
    body: { type: "A", name: "mine.example.com", content: "192.0.2.1" },
  });
  assert.equal(status, 200);
});
