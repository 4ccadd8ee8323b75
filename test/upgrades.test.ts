import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { test, type TestContext } from "node:test";

import { sql } from "kysely";

import { createDnsClient, type DnsClient } from "./support/dns-client.ts";
import { newDirectory, newSecretKeyFile, startTestApp, until, type TestApp } from "./support/harness.ts";
import { besideServer } from "./support/store.ts";

/** An instance with both planes. */
interface Instance {
  readonly app: TestApp;
  readonly dns: DnsClient;
}

async function startInstance(t: TestContext, secret_key_file: string, database?: string): Promise<Instance> {
  const listening = { dns_listen: ["127.0.0.1:0"], edge_http: ["127.0.0.1:0"] };
  const app = await startTestApp(t, "postgres", {
    ...listening,
    secret_key_file,
    ...(database !== undefined && { database }),
  });
  return { app, dns: await createDnsClient(t, app.dnsAddresses[0] ?? "") };
}

/** Migrates like a later version: a column of a zone, and a table of its own. */
async function migrateLater(app: TestApp): Promise<void> {
  await besideServer(app, async (tx) => {
    await sql`alter table zones add column later_version integer not null default 0`.execute(tx);
    await sql`create table later (zone_id text primary key references zones (id) on delete cascade)`.execute(
      tx,
    );
    await sql`insert into migrations (name, applied_on) values ('9999-later', '2999-01-01')`.execute(tx);
  });
}

const isBlocked = async ({ app }: Instance, path: string): Promise<boolean> => {
  const { hostname, port } = new URL(`http://${app.edgeHttpAddresses[0]}`);
  const asked = get({ hostname, port, path, headers: { host: "www.example.com" }, agent: false });
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode === 403;
};

test("an instance of a later version and one of this work beside each other: either writes, and the planes of both follow", async (t) => {
  const secretKey = newSecretKeyFile(newDirectory(t));
  const older = await startInstance(t, secretKey);
  const zoneId = await older.app.createZone("example.com");
  const zone = `/zones/${zoneId}`;
  const answered = async ({ app }: Instance, method: string, path: string, body?: object): Promise<void> => {
    const { status, text } = await app.request(method, `${zone}${path}`, body === undefined ? {} : { body });
    assert.equal(status, 200, text);
  };
  await answered(older, "PUT", "/activation_check");
  await answered(older, "POST", "/dns_records", {
    type: "A",
    name: "www",
    content: "203.0.113.1",
    proxied: true,
  });
  await migrateLater(older.app);
  const later = await startInstance(t, secretKey, older.app.config.database);
  const both = [older, later];
  const onBoth = async (what: string, holds: (instance: Instance) => Promise<boolean>): Promise<void> => {
    for (const instance of both) await until(what, () => holds(instance));
  };
  const block = (path: string): object => ({
    rules: [{ action: "block", expression: `http.request.uri.path eq "${path}"` }],
  });
  const entryPoint = "/rulesets/phases/http_request_firewall_custom/entrypoint";

  for (const [writer, name] of [
    [later, "of-later"],
    [older, "of-older"],
  ] as const) {
    await answered(writer, "POST", "/dns_records", { type: "A", name, content: "192.0.2.7" });
    await answered(writer, "PUT", entryPoint, block(`/${name}`));
    await onBoth("the record is answered", async ({ dns }) => {
      return (await dns.lines(`${name}.example.com`, "A")).some((line) => line.includes("192.0.2.7"));
    });
    await onBoth("the rule is in force", (instance) => isBlocked(instance, `/${name}`));
  }

  // A later version publishes what this one does not know: a part of its own, another member, another form.
  const announcements = [
    { by: "later", access: false, zones: { [zoneId]: ["later"] }, accounts: {} },
    { by: "later", access: false, zones: {}, accounts: {}, later: { [zoneId]: ["rules"] } },
    "in no form of today",
  ];
  for (const [index, announcement] of announcements.entries()) {
    const path = `/announced-${index}`;
    const store = await older.app.storeBeside();
    await store.transaction(async (tx) => {
      await sql`update ruleset_versions set rules = regexp_replace(rules, '/(of|announced)-[a-z0-9]+', ${path})`.execute(
        tx,
      );
      await sql`update zones set rules_version = rules_version + 1, later_version = 1 where id = ${zoneId}`.execute(
        tx,
      );
      await sql`select pg_notify('zoneward_changes', ${
        typeof announcement === "string" ? announcement : JSON.stringify(announcement)
      })`.execute(tx);
    });
    await onBoth("the rule is in force", (instance) => isBlocked(instance, path));
  }

  await answered(older, "DELETE", "");
  await onBoth("the zone is gone", async ({ dns }) => (await dns.lines("example.com", "SOA")).length < 2);
});
