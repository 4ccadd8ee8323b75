import assert from "node:assert/strict";
import { before, test } from "node:test";

import { refuseRows } from "../../../test/support/refused-rows.ts";
import { send, validRequests } from "../../../test/authorization/requests.ts";
import { allow, keys, startWorld, type World } from "../../../test/authorization/world.ts";
import { openBrowser, password } from "../../../test/support/browser.ts";
import { untilAllIssued } from "../../../test/support/certificates.ts";
import {
  byToken,
  onEachEngine,
  ownerKey,
  ownerToken,
  startTestApp,
  type TestAnswer,
} from "../../../test/support/harness.ts";
import { startDnsServer } from "../../../test/support/dns-server.ts";
import { addSignInLink, addUser, storedRows } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";
import { user } from "../../core/policy/permission-groups.ts";
import { operations } from "../../server/operations.ts";
import { hashSecret } from "../../secrets/secrets.ts";
import { tables, type TableName } from "../../storage/tables.ts";
import { auditActions } from "../../operation/audit-actions.ts";

/** Questions that come with a body. */
const questions = new Set([
  "traceRequest",
  "validateExpression",
  "validateExpressionOfAnyZone",
  "queryGraphql",
]);
/**
 * Operations of browsers at the root are driven on their own: their credentials are a cookie and a password.
 */
const writes = operations.filter(
  ({ method, operation, isAtRoot }) => method !== "GET" && !questions.has(operation) && !isAtRoot,
);
/** Operations that leave something for the others to change come first. */
const inOrder = Object.keys(validRequests).flatMap(
  (operation) => writes.find((route) => route.operation === operation) ?? [],
);

/** Made by what is not driven here: second factors, providers of identity, the host, the parent of a zone. */
const shownBesideTheirModules = [
  "dnssec_status",
  "passkey_add",
  "passkey_remove",
  "recovery_code_use",
  "recovery_codes_make",
  "single_sign_on",
  "totp_add",
  "totp_remove",
  "two_factor_reset",
] as const;

/** Leaves nothing for any other test. */
const last = "deleteAccount";

onEachEngine("a change and its entry in the audit log", (engine) => {
  const suite = suiteContext();
  let world: World;
  const actions = new Set<string>();
  const secrets = new Set([ownerKey, ownerToken]);

  before(async () => {
    // The records that a scan finds.
    const resolver = await startDnsServer(suite);
    resolver.names.set("mail.example.com", { a: ["192.0.2.25"] });
    world = await startWorld(suite, engine, { resolvers: [resolver.address] });
    await addUser(world.app, "made@example.com", { account: world.accountId });
    const migrated = await world.app.request(
      "PUT",
      `/zones/${world.otherZoneId}/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=2&phase_two=1`,
      { body: { rules: [] } },
    );
    assert.equal(migrated.status, 200, migrated.text);
  });

  const entriesOf = async (id: string) => {
    const lists = [`/accounts/${world.accountId}/audit_logs`, "/user/audit_logs"];
    const answers = await Promise.all(lists.map((path) => world.app.request("GET", `${path}?id=${id}`)));
    // The list of an account is gone with the account.
    return answers.flatMap(({ body }) => body.result ?? []);
  };
  const keepSecretOf = ({ body }: TestAnswer): void => {
    const secret: unknown = typeof body.result === "string" ? body.result : body.result?.value;
    if (typeof secret === "string" && secret.startsWith("zw_")) secrets.add(secret);
  };

  test("every operation that may change something is driven here", () => {
    assert.equal(inOrder.length, writes.length);
    assert.ok(writes.length > 20);
  });

  const storesBothOrNone = (route: (typeof inOrder)[number]): void => {
    void test(`${route.operation} stores both or none, and names the entry in its answer`, async () => {
      const request = await validRequests[route.operation]?.(world);
      assert.ok(request);

      await untilAllIssued(world.app);
      const earlier = await storedRows(world.app);
      await refuseRows(world.app, engine, { table: "audit_logs", on: "insert" }, true);
      const failure = await send(world, route, byToken, request);
      await refuseRows(world.app, engine, { table: "audit_logs", on: "insert" }, false);
      assert.equal(failure.status, 500, failure.text);
      assert.equal(failure.headers.get("cf-auditlog-id"), null);
      assert.deepEqual(await storedRows(world.app), earlier);

      const answer = await send(world, route, byToken, request);
      assert.equal(answer.status, route.answersNothing ? 204 : 200, answer.text);
      const id = answer.headers.get("cf-auditlog-id") ?? "";
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const [entry, ...others] = await entriesOf(id);
      assert.deepEqual([entry?.id, others], [id, []]);
      actions.add(entry.action.type);
      if (!route.answersNothing) keepSecretOf(answer);
    });
  };
  for (const route of inOrder) if (route.operation !== last) storesBothOrNone(route);

  test("what a browser does to its user's access is stored with its entry, or not at all", async () => {
    const { app } = world;
    const email = app.owner.email;
    const newPassword = `${password} renewed`;
    const link = await addSignInLink(app, email);
    const steps = [
      ["POST", "/session/first", { token: link, password }],
      ["POST", "/session/api_key/change", { password }],
      ["POST", "/session/api_key/view", { password }],
      ["POST", "/session/password", { current_password: password, new_password: newPassword }],
      ["DELETE", "/session", undefined],
      ["POST", "/session", { email, password: newPassword }],
      ["POST", "/session/end_others", {}],
    ] as const;
    const browser = openBrowser(app, world.cookies.signedIn);
    for (const [method, path, body] of steps) {
      if (path === "/session/end_others") {
        await openBrowser(app).request("POST", "/session", { body: { email, password: newPassword } });
      }
      const earlier = await storedRows(app);
      await refuseRows(app, engine, { table: "audit_logs", on: "insert" }, true);
      const failure = await openBrowser(app, browser.cookie).request(method, path, { body });
      await refuseRows(app, engine, { table: "audit_logs", on: "insert" }, false);
      assert.equal(failure.status, 500, `${path}: ${failure.text}`);
      assert.deepEqual(await storedRows(app), earlier, path);

      const answer = await browser.request(method, path, { body });
      assert.equal(answer.status, 200, `${path}: ${answer.text}`);
      assert.match(answer.headers.get("cf-auditlog-id") ?? "", /^[0-9a-f-]{36}$/, path);
    }
  });

  test("no secret is in any entry, nor the hash of one", async () => {
    const { app, otherZoneId } = world;
    const planted = "planted-secret-0123456789";
    const file = { url: "https://example.org/seen", headers: { authorization: planted } };
    const answers = [
      await app.request("POST", `/zones/${otherZoneId}/purge_cache`, {
        body: { files: [file], password: planted },
      }),
      await app.request("POST", "/user/tokens", {
        body: {
          name: "seen",
          value: planted,
          policies: [allow(keys.user(app.owner.userId), user("User Details Read"))],
        },
      }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 200, answer.text);
      keepSecretOf(answer);
    }

    assert.ok(secrets.size >= 7, `only ${secrets.size} secrets`);
    const { audit_logs } = await storedRows(app);
    const entries = audit_logs?.join("\n") ?? "";
    assert.ok(entries.includes("https://example.org/seen"));
    for (const secret of [planted, ...secrets]) {
      assert.ok(!entries.includes(secret) && !entries.includes(hashSecret(secret)), secret);
    }
  });

  test("every secret that was stored is in a column that is declared as sealed, which holds nothing else", async () => {
    const sealedText = /v1\.[\w-]+\.[\w-]{40,}/;
    const found = new Set<string>();
    for (const [table, rows] of Object.entries(await storedRows(world.app))) {
      const { columns } = tables[table as TableName];
      for (const row of rows) {
        for (const [column, value] of Object.entries(JSON.parse(row) as Record<string, unknown>)) {
          const isSealed = columns[column]?.isSealed === true;
          if (isSealed) found.add(`${table}.${column}`);
          assert.equal(sealedText.test(String(value)), isSealed && value !== null, `${table}.${column}`);
        }
      }
    }
    assert.ok(found.size >= 3, `only ${[...found].join()}`);
  });

  for (const route of inOrder) if (route.operation === last) storesBothOrNone(route);

  test("every action that the documents name is one that was made", async () => {
    for (const row of (await storedRows(world.app)).audit_logs ?? []) {
      const entry = JSON.parse(row) as Record<string, string>;
      const isOther = entry["interface"] !== "API" || entry["action_type"] === "waf_migrate";
      if (isOther) actions.add(entry["action_type"] ?? "");
    }
    for (const action of shownBesideTheirModules) assert.ok(!actions.has(action), action);
    assert.deepEqual(actions.union(new Set(shownBesideTheirModules)), new Set(Object.keys(auditActions)));
  });
});

onEachEngine("what changes nothing", (engine) => {
  test("leaves no entry, and its answer names none", async (t) => {
    const app = await startTestApp(t, engine);
    assert.deepEqual((await storedRows(app)).audit_logs, [], "a first start with a preset token");
    const zoneId = await app.createZone("example.com");
    const { audit_logs } = await storedRows(app);
    const record = { type: "A", name: "www", content: "none" };
    const tracer = `/accounts/${app.owner.accountId}/request-tracer/trace`;
    const requests = [
      ["GET", `/zones/${zoneId}`, undefined, 200],
      ["PATCH", `/zones/${zoneId}`, {}, 200],
      ["PATCH", `/zones/${zoneId}/settings/ipv6`, { value: "off" }, 200],
      ["POST", `/zones/${zoneId}/dns_records/batch`, {}, 200],
      ["POST", `/zones/${zoneId}/filters/validate-expr`, { expression: "ssl" }, 200],
      ["POST", tracer, { url: "https://example.com/", method: "GET" }, 200],
      ["POST", `/zones/${zoneId}/dns_records`, record, 400],
      ["POST", "/zones", { name: "example.com" }, 400],
      ["DELETE", `/zones/${"0".repeat(32)}`, undefined, 404],
    ] as const;
    for (const [method, path, body, status] of requests) {
      const answer = await app.request(method, path, { headers: byToken, ...(body && { body }) });
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.headers.get("cf-auditlog-id"), null, `${method} ${path}`);
    }
    assert.deepEqual((await storedRows(app)).audit_logs, audit_logs);
  });
});
