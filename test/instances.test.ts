import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import { Client } from "pg";

import { permissionGroupCatalogue } from "../src/core/policy/permission-groups.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open-database.ts";
import {
  newSecretKeyFile,
  newDirectory,
  newLocation,
  soonSecondsMax,
  startTestApp,
  until,
  type TestApp,
} from "./support/harness.ts";
import { addUser } from "./support/store.ts";
import { startLine } from "./support/tcp-line.ts";

/** Equal instances on one PostgreSQL database, all of which have answered the owner. */
async function startInstances(t: TestContext, count: number): Promise<readonly [TestApp, ...TestApp[]]> {
  const secret_key_file = newSecretKeyFile(newDirectory(t));
  const first = await startTestApp(t, "postgres", { secret_key_file });
  const { database } = first.config;
  const others = Array.from({ length: count - 1 }, () =>
    startTestApp(t, "postgres", { secret_key_file, database }),
  );
  return [first, ...(await Promise.all(others))];
}

/** Until `condition` holds on all of them, as is promised within a second. */
async function soonOnAll(
  what: string,
  apps: readonly TestApp[],
  condition: (app: TestApp) => Promise<boolean>,
): Promise<void> {
  await Promise.all(apps.map((app) => until(what, () => condition(app), soonSecondsMax)));
}

/** Ends the connections of this kind to a database, as an administrator or a network does. */
async function endConnections(database: string, applicationName: string): Promise<number> {
  const client = new Client({ connectionString: database });
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = $1 and datname = current_database()`,
    [applicationName],
  );
  await client.end();
  return rowCount ?? 0;
}

async function createToken(
  app: TestApp,
  groups: readonly string[],
): Promise<{ id: string; headers: Record<string, string> }> {
  const { body } = await app.request("POST", "/user/tokens", {
    body: { name: "ci", policies: policiesOf(groups) },
  });
  return { id: body.result.id, headers: { authorization: `Bearer ${body.result.value}` } };
}

const { "DNS Read": dnsRead, "Zone Read": zoneRead } = permissionGroupCatalogue.zone;

const policiesOf = (groups: readonly string[]) => [
  {
    effect: "allow",
    resources: { "com.cloudflare.api.account.zone.*": "*" },
    permission_groups: groups.map((id) => ({ id })),
  },
];

for (const count of [2, 3]) {
  describe(`${count} instances on one PostgreSQL database`, () => {
    test("refuse within a second what another one has revoked, and allow no more and no less than its policies", async (t) => {
      const apps = await startInstances(t, count);
      const [first, ...others] = apps;
      const zone = await first.createZone("example.com");
      const { id, headers } = await createToken(first, [zoneRead, dnsRead]);
      const statusOf = async (app: TestApp, path: string): Promise<number> =>
        (await app.request("GET", path, { headers })).status;
      const records = `/zones/${zone}/dns_records`;
      await soonOnAll("the token is known", apps, async (app) => (await statusOf(app, records)) === 200);

      await first.request("PUT", `/user/tokens/${id}`, {
        body: { name: "ci", policies: policiesOf([zoneRead]) },
      });
      await soonOnAll("the policy is edited", others, async (app) => (await statusOf(app, records)) === 403);
      for (const app of apps) assert.equal(await statusOf(app, `/zones/${zone}`), 200);

      const revoked = await others[0]?.request("DELETE", `/user/tokens/${id}`);
      assert.equal(revoked?.status, 200);
      await soonOnAll(
        "the token is revoked",
        apps,
        async (app) => (await statusOf(app, `/zones/${zone}`)) === 403,
      );
    });

    test("show at once what another one has changed: zones, settings, records, rules", async (t) => {
      const apps = await startInstances(t, count);
      const [first, ...others] = apps;
      const zone = await first.createZone("example.com");
      const path = `/zones/${zone}`;
      const entryPoint = `${path}/rulesets/phases/http_request_firewall_custom/entrypoint`;
      const trace = { url: "https://example.com/", method: "GET" };
      const seenBy = (app: TestApp) =>
        Promise.all([
          app.request("GET", path),
          app.request("GET", `${path}/settings/ssl`),
          app.request("GET", `${path}/dns_records`),
          app.request("GET", entryPoint),
          app.request("POST", `/accounts/${app.owner.accountId}/request-tracer/trace`, { body: trace }),
        ]);
      for (const app of apps) {
        // Twice: what is asked for again is what might be remembered.
        await seenBy(app);
        await seenBy(app);
      }
      await first.request("PATCH", path, { body: { paused: true } });
      await first.request("PATCH", `${path}/settings/ssl`, { body: { value: "strict" } });
      await first.request("POST", `${path}/dns_records`, {
        body: { type: "A", name: "www", content: "192.0.2.1", ttl: 1 },
      });
      const rules = [{ action: "block", expression: 'http.request.uri.path eq "/"' }];
      assert.equal((await first.request("PUT", entryPoint, { body: { rules } })).status, 200);
      for (const app of others) {
        const [zoneSeen, setting, records, ruleset, traced] = await seenBy(app);
        assert.equal(zoneSeen.body.result.paused, true);
        assert.equal(setting.body.result.value, "strict");
        assert.equal(records.body.result_info?.total_count, 1);
        assert.equal(ruleset.body.result.rules[0].action, "block");
        assert.match(traced.text, /"block"/);
      }
    });

    test("hear of it again after the connection that listens was ended, and miss nothing meanwhile", async (t) => {
      const apps = await startInstances(t, count);
      const [first, ...others] = apps;
      const database = first.config.database ?? "";
      for (let round = 1; round <= 3; round += 1) {
        const { id, headers } = await createToken(first, [zoneRead]);
        const statusOf = async (app: TestApp): Promise<number> =>
          (await app.request("GET", "/zones", { headers })).status;
        await soonOnAll("the token is known", apps, async (app) => (await statusOf(app)) === 200);
        await until(
          "all listen, and are cut off together",
          async () =>
            (await countWatches(database)) === count &&
            (await endConnections(database, "zoneward watch")) === count,
        );
        await first.request("DELETE", `/user/tokens/${id}`);
        await soonOnAll("the token is revoked", others, async (app) => (await statusOf(app)) === 403);
      }
    });

    test("refuse a member whom another one has removed", async (t) => {
      const apps = await startInstances(t, count);
      const [first, ...others] = apps;
      const account = first.owner.accountId;
      const { headers } = await addUser(first, "eve@example.com", { account });
      const seesAccount = async (app: TestApp): Promise<boolean> =>
        (await app.request("GET", `/accounts/${account}`, { headers })).status === 200;
      await soonOnAll("the member is known", apps, seesAccount);
      const { body } = await first.request("GET", `/accounts/${account}/members`);
      const eve = body.result.find(
        ({ user }: { user: { email: string } }) => user.email === "eve@example.com",
      );
      await first.request("DELETE", `/accounts/${account}/members/${eve.id}`);
      await soonOnAll("the member is removed", others, async (app) => !(await seesAccount(app)));
    });
  });
}

async function countWatches(database: string): Promise<number> {
  const client = new Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where application_name = 'zoneward watch' and datname = current_database() and query like '%listen%'`,
  );
  await client.end();
  return rows[0]?.count ?? 0;
}

describe("an instance whose listening connection has fallen silent", () => {
  test("notices it, and refuses within a second what was revoked meanwhile", async (t) => {
    const first = await startTestApp(t, "postgres");
    const { database = "", secret_key_file } = first.config;
    const line = await startLine(t, database, "zoneward watch");
    const second = await startTestApp(t, "postgres", { secret_key_file, database: line.url });
    const { id, headers } = await createToken(first, [zoneRead]);
    const isRefused = async (): Promise<boolean> =>
      (await second.request("GET", "/zones", { headers })).status === 403;
    await until("both listen", async () => (await countWatches(database)) === 2);
    await until("the token is known", async () => !(await isRefused()));

    line.silence();
    await first.request("DELETE", `/user/tokens/${id}`);
    await soonOnAll("the token is revoked", [second], isRefused);
    line.carry();
  });
});

describe("a task", () => {
  test("runs on one instance at a time, and on another one when the first has ended or is gone", async (t) => {
    const location = await newLocation(t, "postgres");
    const [first, second] = [await openDatabase(location), await openDatabase(location)];
    t.after(() => Promise.all([first.close(), second.close()]));
    const begun: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const round = first.runAlone("a task", async () => {
      begun.push("first");
      await promise;
    });
    await until("the first has begun", () => begun.length === 1);
    await second.runAlone("a task", async () => void begun.push("second, beside the first"));
    await runsAlone(second, "another task", () => begun.push("another task"));
    resolve();
    await round;
    await runsAlone(second, "a task", () => begun.push("second"));
    assert.deepEqual(begun, ["first", "another task", "second"]);

    const { promise: never, resolve: end } = Promise.withResolvers<void>();
    const lost = first.runAlone("a task", () => never);
    await until("the second takes over", async () => {
      assert.ok(location.engine === "postgres");
      await endConnections(location.url, "zoneward watch");
      await second
        .runAlone("a task", async () => void begun.push("second, after the first"))
        .catch(() => undefined);
      return begun.includes("second, after the first");
    });
    end();
    await lost;
  });

  test("that fails leaves the next round to any instance", async (t) => {
    const location = await newLocation(t, "postgres");
    const [first, second] = [await openDatabase(location), await openDatabase(location)];
    t.after(() => Promise.all([first.close(), second.close()]));
    const failure = new Error("out of order");
    await assert.rejects(
      first.runAlone("a task", () => Promise.reject(failure)),
      failure,
    );
    await runsAlone(second, "a task", () => undefined);
  });
});

/** Runs a task that is another process's no more: a store that has lost its connection leaves it to a later round. */
async function runsAlone(store: Database, task: string, work: () => unknown): Promise<void> {
  let hasRun = false;
  await until(`${task} runs`, async () => {
    await store.runAlone(task, async () => {
      hasRun = true;
      work();
    });
    return hasRun;
  });
}
