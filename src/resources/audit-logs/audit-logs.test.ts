import assert from "node:assert/strict";
import { before, test } from "node:test";

import {
  byKey,
  onComparedEngines,
  ownerEmail,
  startOfTime,
  startTestApp,
  type TestApp,
} from "../../../test/support/harness.ts";
import { addAccount, addZone, besideServer } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";
import { account, user, zone, type PermissionGroup } from "../../core/policy/permission-groups.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { insertAuditLogs } from "../../operation/store.ts";

const hour = 60 * 60 * 1000;
const record = { type: "A", name: "www.example.com", content: "192.0.2.1", ttl: 300 };

/** The headers of a new token of the owner that may do this much. */
async function newToken(
  app: TestApp,
  resource: string,
  group: PermissionGroup,
): Promise<{ id: string; headers: Record<string, string> }> {
  const policy = {
    effect: "allow",
    resources: { [resource]: "*" },
    permission_groups: [{ id: group.id }],
  };
  const { status, text, body } = await app.request("POST", "/user/tokens", {
    body: { name: group.name, policies: [policy] },
  });
  assert.equal(status, 200, text);
  return { id: body.result.id, headers: { authorization: `Bearer ${body.result.value}` } };
}

onComparedEngines("listAccountAuditLogs", (engine) => {
  test("shows who changed what, from where, what it was before and what it is since", async (t) => {
    const app = await startTestApp(t, engine);
    const list = `/accounts/${app.owner.accountId}/audit_logs`;
    const zoneId = await app.createZone("example.com");
    app.advance(hour);
    const { id: tokenId, headers } = await newToken(
      app,
      `com.cloudflare.api.account.zone.${zoneId}`,
      zone("DNS Write"),
    );
    const path = `/zones/${zoneId}/dns_records`;
    const made = await app.request("POST", path, { headers, body: record });
    app.advance(hour);
    const edited = await app.request("PATCH", `${path}/${made.body.result.id}`, {
      headers: byKey,
      body: { ttl: 600 },
    });

    const { status, body } = await app.request("GET", list);
    assert.equal(status, 200);
    const actor = { id: app.owner.userId, email: ownerEmail, ip: "127.0.0.1", type: "user" };
    const common = {
      interface: "API",
      owner: { id: app.owner.accountId },
      resource: { id: made.body.result.id, type: "dns_record" },
    };
    assert.equal(Object.keys(body.result[0])[0], "id");
    assert.deepEqual(body.result.slice(0, 2), [
      {
        ...common,
        action: { result: true, type: "rec_set" },
        actor,
        id: edited.headers.get("cf-auditlog-id"),
        metadata: { zone_id: zoneId, zone_name: "example.com" },
        newValue: JSON.stringify(edited.body.result),
        newValueJson: edited.body.result,
        oldValue: JSON.stringify(made.body.result),
        oldValueJson: made.body.result,
        when: "2026-01-02T05:04:05.678000Z",
      },
      {
        ...common,
        action: { result: true, type: "rec_add" },
        actor,
        id: made.headers.get("cf-auditlog-id"),
        metadata: { token_id: tokenId, zone_id: zoneId, zone_name: "example.com" },
        newValue: JSON.stringify(made.body.result),
        newValueJson: made.body.result,
        oldValue: "",
        oldValueJson: null,
        when: "2026-01-02T04:04:05.678000Z",
      },
    ]);
    assert.deepEqual(
      body.result.map(({ action }: { action: { type: string } }) => action.type),
      ["rec_set", "rec_add", "zone_add"],
    );
  });

  test("keeps what was changed in a zone when the zone is gone", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("example.com");
    await app.request("POST", `/zones/${zoneId}/dns_records`, { body: record });
    await app.request("DELETE", `/zones/${zoneId}`);
    const { body } = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs?direction=asc`);
    assert.deepEqual(
      body.result.map((entry: { action: { type: string }; metadata: { zone_name: string } }) => [
        entry.action.type,
        entry.metadata.zone_name,
      ]),
      [
        ["zone_add", "example.com"],
        ["rec_add", "example.com"],
        ["zone_delete", "example.com"],
      ],
    );
    assert.deepEqual(body.result[2].metadata.dns_records, 1);
  });

  test("an account shows its own entries only, to whom may read its settings only", async (t) => {
    const app = await startTestApp(t, engine);
    const other = await addAccount(app, "Other", "accepted");
    const foreign = await addAccount(app, "Foreign");
    await addZone(app, "other.example", { account_id: other });
    await app.request("POST", "/zones", { body: { name: "second.example", account: { id: other } } });
    const own = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs`);
    const others = await app.request("GET", `/accounts/${other}/audit_logs`);
    const names = ({ result }: typeof own.body): string[] =>
      result.map(({ metadata }: { metadata: { zone_name: string } }) => metadata.zone_name);
    assert.deepEqual([names(own.body), names(others.body)], [["other.example"], ["second.example"]]);

    const resource = `com.cloudflare.api.account.${other}`;
    const reader = await newToken(app, resource, account("Account Settings Read"));
    const stranger = await newToken(app, resource, account("Billing Read"));
    const cases = [
      [reader.headers, other, 200],
      [reader.headers, app.owner.accountId, 404],
      [stranger.headers, other, 403],
      [byKey, foreign, 404],
    ] as const;
    for (const [headers, id, status] of cases) {
      const answer = await app.request("GET", `/accounts/${id}/audit_logs`, { headers });
      assert.equal(answer.status, status, answer.text);
    }
  });
});

onComparedEngines("listUserAuditLogs", (engine) => {
  test("lists what is the caller's own, which is in no account's list", async (t) => {
    const app = await startTestApp(t, engine);
    await app.createZone("example.com");
    const resource = `com.cloudflare.api.user.${app.owner.userId}`;
    const reader = await newToken(app, resource, user("User Details Read"));
    const stranger = await newToken(app, resource, user("Memberships Read"));
    const { status, body } = await app.request("GET", "/user/audit_logs", { headers: reader.headers });
    assert.equal(status, 200);
    assert.deepEqual(
      new Set(body.result.map(({ resource: { id } }: { resource: { id: string } }) => id)),
      new Set([reader.id, stranger.id]),
    );
    for (const { action, owner, newValueJson } of body.result) {
      assert.deepEqual([action.type, owner.id], ["token_create", app.owner.userId]);
      assert.ok(!("value" in newValueJson));
    }
    const refusal = await app.request("GET", "/user/audit_logs", { headers: stranger.headers });
    assert.equal(refusal.status, 403, refusal.text);
    for (const hidden of ["true", "false"]) {
      const path = `/accounts/${app.owner.accountId}/audit_logs?hide_user_logs=${hidden}`;
      const types = (await app.request("GET", path)).body.result.map(
        ({ action }: { action: { type: string } }) => action.type,
      );
      assert.deepEqual(types, ["zone_add"]);
    }
  });
});

onComparedEngines("filters of audit logs", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let list: string;
  /** More than are read at once, so that a filter has to go on. */
  const count = 2_345;

  before(async () => {
    app = await startTestApp(suite, engine);
    list = `/accounts/${app.owner.accountId}/audit_logs`;
    await besideServer(app, (tx) =>
      insertAuditLogs(
        tx,
        Array.from({ length: count }, (_, n) => ({
          id: idOf(n),
          // Three at every instant.
          occurred_on: toTimestamp(timeOf(n)),
          account_id: app.owner.accountId,
          user_id: null,
          action_type: n % 2 === 0 ? "rec_add" : "rec_del",
          actor_type: "user" as const,
          actor_id: null,
          actor_email: n % 5 === 0 ? "Ann@Example.com" : null,
          actor_ip: n % 100 === 7 ? "2001:db8::7" : n === 8 ? null : `192.0.2.${n % 256}`,
          token_id: null,
          interface: "API" as const,
          resource_type: "dns_record",
          resource_id: `${n}`,
          zone_id: "0".repeat(32),
          zone_name: n % 3 === 0 ? "xn--bcher-kva.example" : "example.com",
          old_value: null,
          new_value: null,
          metadata: "{}" as never,
        })),
      ),
    );
  });

  const numbers = Array.from({ length: count }, (_, n) => n);
  const filters: readonly (readonly [query: string, expected: (n: number) => boolean])[] = [
    ["", () => true],
    ["export=true", () => true],
    ["action.type=rec_add", (n) => n % 2 === 0],
    ["action.type=nothing", () => false],
    ["action.type=", () => true],
    ["actor.email=ann@example.COM", (n) => n % 5 === 0],
    ["actor[email]=ann@example.com&action[type]=rec_add", (n) => n % 10 === 0],
    ["zone.name=BÜCHER.example", (n) => n % 3 === 0],
    ["actor.ip=192.0.2.9", (n) => n % 256 === 9 && n % 100 !== 7],
    ["actor.ip=::ffff:192.0.2.9", (n) => n % 256 === 9 && n % 100 !== 7],
    ["actor.ip=192.0.2.0/25", (n) => n % 256 < 128 && n % 100 !== 7 && n !== 8],
    ["actor.ip=2001:db8::/32", (n) => n % 100 === 7],
    [`id=${idOf(1_200)}`, (n) => n === 1_200],
    [`id=${idOf(1_200)}&action.type=rec_del`, () => false],
    [`since=${timeOf(2_000).toISOString()}`, (n) => n >= 1_998],
    [`before=${timeOf(2_000).toISOString()}`, (n) => n < 1_998],
    ["since=2026-01-03", (n) => timeOf(n) >= new Date("2026-01-03")],
    ["before=2026-01-03", (n) => timeOf(n) < new Date("2026-01-03")],
    [
      "since=2026-01-03T01:00:00%2B01:00&action.type=rec_add",
      (n) => timeOf(n) >= new Date("2026-01-03") && n % 2 === 0,
    ],
    ["since=2027-01-01", () => false],
  ];

  test("find the entries that they name, in either direction, on pages that neither repeat nor leave out one", async () => {
    for (const [query, expected] of filters) {
      const ascending = numbers.filter(expected);
      for (const direction of ["asc", "desc"]) {
        const found: number[] = [];
        for (let page = 1; ; page += 1) {
          const answer = await app.request(
            "GET",
            `${list}?${query}&direction=${direction}&per_page=1000&page=${page}`,
          );
          assert.equal(answer.status, 200, answer.text);
          assert.equal(answer.body.result_info?.total_count, ascending.length, query);
          if (answer.body.result.length === 0) break;
          found.push(
            ...answer.body.result.map((entry: { resource: { id: string } }) => Number(entry.resource.id)),
          );
        }
        assert.deepEqual(found, direction === "asc" ? ascending : ascending.toReversed(), query);
      }
    }
  });

  test("the newest come first, twenty at a time, a thousand at most", async () => {
    const { body } = await app.request("GET", list);
    assert.deepEqual(
      body.result.map((entry: { resource: { id: string } }) => Number(entry.resource.id)),
      numbers.toReversed().slice(0, 20),
    );
    const large = await app.request("GET", `${list}?per_page=100000`);
    assert.equal(large.body.result_info?.per_page, 1_000);
  });

  test("what is no time or address is 400 and named", async (t) => {
    const cases = [
      ["since=yesterday", "/since"],
      ["since=2026-02-30", "/since"],
      ["before=2026-01-02T03:04:05", "/before"],
      ["actor.ip=192.0.2.300", "/actor.ip"],
      ["actor.ip=192.0.2.0/33", "/actor.ip"],
      ["actor.ip=localhost", "/actor.ip"],
      ["direction=up", "/direction"],
      ["hide_user_logs=perhaps", "/hide_user_logs"],
    ] as const;
    for (const [query, pointer] of cases)
      await t.test(query, async () => {
        const { status, body } = await app.request("GET", `${list}?${query}`);
        assert.equal(status, 400, query);
        assert.deepEqual([body.errors[0]?.code, body.errors[0]?.source?.pointer], [1003, pointer], query);
      });
  });
});

function timeOf(n: number): Date {
  return new Date(startOfTime.getTime() + Math.floor(n / 3) * 2 * 60_000);
}

function idOf(n: number): string {
  return `019b7ca9-8f2e-7000-8000-${n.toString(16).padStart(12, "0")}`;
}
