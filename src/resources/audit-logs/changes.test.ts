import assert from "node:assert/strict";
import { before, test } from "node:test";

import { refuseAuditLogs, storedRows } from "../../../test/audit-log.ts";
import { startDnsServer } from "../../../test/dns-server.ts";
import {
  byToken,
  onEachEngine,
  ownerKey,
  ownerToken,
  startTestApp,
  type TestAnswer,
  type TestApp,
} from "../../../test/harness.ts";
import { suiteContext } from "../../../test/suite-context.ts";
import { importFile } from "../../../test/zone-file-form.ts";
import { account, user } from "../../core/policy/permission-groups.ts";
import { mountedRoutes } from "../../routes.ts";
import { hashSecret } from "../../secrets.ts";
import { auditActions } from "./actions.ts";

/** Where a change is made: a server, a zone of it, and one more name that no zone has yet. */
interface Place {
  readonly app: TestApp;
  readonly zoneId: string;
  readonly freeName: string;
}

/** Sends one request. */
type Send = (method: string, path: string, body?: unknown) => Promise<TestAnswer>;

/** Makes what a change needs, and answers the request that makes the change. */
type Change = (send: Send, place: Place) => Promise<() => Promise<TestAnswer>>;

const record = { type: "A", name: "www", content: "192.0.2.1" };

const onZone =
  (method: string, path: string, body?: unknown): Change =>
  async (send, { zoneId }) =>
  () =>
    send(method, `/zones/${zoneId}${path}`, body);

const onRecord =
  (method: string, body?: unknown): Change =>
  async (send, { zoneId }) => {
    const made = await send("POST", `/zones/${zoneId}/dns_records`, record);
    return () => send(method, `/zones/${zoneId}/dns_records/${made.body.result.id}`, body);
  };

interface Tokens {
  readonly tokens: (place: Place) => string;
  readonly body: (place: Place) => object;
}

const ofUser: Tokens = {
  tokens: () => "/user/tokens",
  body: ({ app }: Place) => ({
    name: "A token",
    policies: [
      {
        effect: "allow",
        resources: { [`com.cloudflare.api.user.${app.owner.userId}`]: "*" },
        permission_groups: [{ id: user("User Details Read").id }],
      },
    ],
  }),
};

const ofAccount: Tokens = {
  tokens: ({ app }: Place) => `/accounts/${app.owner.accountId}/tokens`,
  body: ({ app }: Place) => ({
    name: "A token",
    policies: [
      {
        effect: "allow",
        resources: { [`com.cloudflare.api.account.${app.owner.accountId}`]: "*" },
        permission_groups: [{ id: account("Account Settings Read").id }],
      },
    ],
  }),
};

const newToken =
  ({ tokens, body }: Tokens): Change =>
  async (send, place) =>
  () =>
    send("POST", tokens(place), body(place));

const onToken =
  ({ tokens, body }: Tokens, method: string, path: string): Change =>
  async (send, place) => {
    const made = await send("POST", tokens(place), body(place));
    return () => send(method, `${tokens(place)}/${made.body.result.id}${path}`, body(place));
  };

/** By the name of the operation: each one that changes something has its row. */
const changes: Readonly<Record<string, Change>> = {
  createZone:
    async (send, { freeName }) =>
    () =>
      send("POST", "/zones", { name: freeName }),
  editZone: onZone("PATCH", "", { paused: true }),
  checkActivation: onZone("PUT", "/activation_check"),
  deleteZone: onZone("DELETE", ""),
  createZoneSubscription: onZone("POST", "/subscription", { rate_plan: { id: "pro" } }),
  updateZoneSubscription: onZone("PUT", "/subscription", { rate_plan: { id: "business" } }),
  editZoneSettings: onZone("PATCH", "/settings", { items: [{ id: "always_online", value: "off" }] }),
  editZoneSetting: onZone("PATCH", "/settings/ipv6", { value: "on" }),
  createZoneHold: onZone("POST", "/hold"),
  editZoneHold: onZone("PATCH", "/hold", { include_subdomains: true }),
  deleteZoneHold: onZone("DELETE", "/hold"),
  purgeCache: onZone("POST", "/purge_cache", { purge_everything: true }),
  createDnsRecord: onZone("POST", "/dns_records", record),
  batchDnsRecords: onZone("POST", "/dns_records/batch", { posts: [record] }),
  importDnsRecords:
    async (_, { app, zoneId }) =>
    () =>
      importFile(app, zoneId, "www 300 IN A 192.0.2.1\n"),
  scanDnsRecords: onZone("POST", "/dns_records/scan"),
  replaceDnsRecord: onRecord("PUT", { ...record, content: "192.0.2.2" }),
  editDnsRecord: onRecord("PATCH", { content: "192.0.2.2" }),
  deleteDnsRecord: onRecord("DELETE"),
  createToken: newToken(ofUser),
  replaceToken: onToken(ofUser, "PUT", ""),
  rollToken: onToken(ofUser, "PUT", "/value"),
  deleteToken: onToken(ofUser, "DELETE", ""),
  createAccountToken: newToken(ofAccount),
  replaceAccountToken: onToken(ofAccount, "PUT", ""),
  rollAccountToken: onToken(ofAccount, "PUT", "/value"),
  deleteAccountToken: onToken(ofAccount, "DELETE", ""),
};

test("every operation that may change something has a row here", () => {
  const writes = mountedRoutes({ edgeAddresses: [] } as never).filter(({ method }) => method !== "GET");
  assert.deepEqual(new Set(Object.keys(changes)), new Set(writes.map(({ operation }) => operation)));
});

onEachEngine("a change and its entry in the audit log", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  const actions = new Set<string>();
  const secrets = new Set([ownerKey, ownerToken]);

  before(async () => {
    const dns = await startDnsServer(suite);
    app = await startTestApp(suite, engine, { resolvers: [dns.address] });
  });

  const send: Send = async (method, path, body) => {
    const answer = await app.request(method, path, body === undefined ? {} : { body });
    const result = answer.body.result;
    const secret = typeof result === "string" ? result : result?.value;
    if (path.includes("/tokens") && answer.status === 200 && secret !== undefined) secrets.add(secret);
    return answer;
  };

  const entriesOf = async (id: string) => {
    const lists = [`/accounts/${app.owner.accountId}/audit_logs`, "/user/audit_logs"];
    const answers = await Promise.all(lists.map((path) => app.request("GET", `${path}?id=${id}`)));
    return answers.flatMap(({ body }) => body.result);
  };

  for (const [operation, prepare] of Object.entries(changes)) {
    test(`${operation} stores both or none, and names the entry in its answer`, async () => {
      const name = operation.toLowerCase();
      const zoneId = await app.createZone(`${name}.example`);
      const change = await prepare(send, { app, zoneId, freeName: `new-${name}.example` });

      const earlier = await storedRows(app);
      await refuseAuditLogs(app, engine, true);
      const failure = await change();
      await refuseAuditLogs(app, engine, false);
      assert.equal(failure.status, 500, failure.text);
      assert.equal(failure.headers.get("cf-auditlog-id"), null);
      assert.deepEqual(await storedRows(app), earlier);

      const answer = await change();
      assert.equal(answer.status, 200, answer.text);
      const id = answer.headers.get("cf-auditlog-id") ?? "";
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const entries = await entriesOf(id);
      assert.deepEqual(
        entries.map((entry) => entry.id),
        [id],
      );
      actions.add(entries[0].action.type);
    });
  }

  test("every action that the documents name is one that was made", () => {
    assert.deepEqual(actions, new Set(Object.keys(auditActions)));
  });

  test("no secret is in any entry, nor the hash of one", async () => {
    const zoneId = await app.createZone("secrets.example");
    const planted = "planted-secret-0123456789";
    const file = { url: "https://secrets.example/", headers: { authorization: planted } };
    const place: Place = { app, zoneId, freeName: "" };
    const answers = [
      await send("POST", `/zones/${zoneId}/purge_cache`, { files: [file], password: planted }),
      await send("POST", "/user/tokens", { ...ofUser.body(place), value: planted }),
    ];
    for (const { status, text } of answers) assert.equal(status, 200, text);

    assert.ok(secrets.size > 8, `only ${secrets.size} secrets`);
    const { audit_logs } = await storedRows(app);
    const entries = audit_logs?.join("\n") ?? "";
    assert.ok(entries.includes("https://secrets.example/"));
    for (const secret of [planted, ...secrets]) {
      assert.ok(!entries.includes(secret) && !entries.includes(hashSecret(secret)), secret);
    }
  });
});

onEachEngine("what changes nothing", (engine) => {
  test("leaves no entry, and its answer names none", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("example.com");
    const { audit_logs } = await storedRows(app);
    const requests = [
      ["GET", `/zones/${zoneId}`, undefined, 200],
      ["PATCH", `/zones/${zoneId}`, {}, 200],
      ["PATCH", `/zones/${zoneId}/settings/ipv6`, { value: "off" }, 200],
      ["POST", `/zones/${zoneId}/dns_records/batch`, {}, 200],
      ["POST", `/zones/${zoneId}/dns_records`, { ...record, content: "none" }, 400],
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

  test("a first start with a preset token leaves none either", async (t) => {
    const app = await startTestApp(t, engine);
    assert.deepEqual((await storedRows(app)).audit_logs, []);
  });
});
