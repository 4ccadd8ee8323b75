import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { domainToASCII } from "node:url";
import { test } from "node:test";

import { commandLine } from "../../test/support/command-line.ts";
import { newDirectory, onEachEngine, startTestApp } from "../../test/support/harness.ts";

const zoneward = commandLine();

onEachEngine("zoneward waf plan, beside a server", (engine) => {
  test("says what a migration would do and what stands in its way, and changes nothing", async (t) => {
    const app = await startTestApp(t, engine);
    const id = await app.createZone("example.com");
    const store =
      app.config.database === undefined ? `--data=${app.config.data}` : `--database=${app.config.database}`;
    const plan = (...args: readonly string[]) => zoneward(["waf", "plan", store, ...args]);
    const rule = {
      action: "bypass",
      products: ["waf"],
      filter: { expression: 'http.host eq "a.example.com"\nor http.host eq "\u001b[2J"' },
    };
    await app.request("POST", `/zones/${id}/firewall/rules`, { body: [rule] });

    const text = await plan("--zone", "example.com");
    assert.equal(text.code, 0, text.stderr);
    assert.match(text.stdout, /^example\.com \(enterprise, migration state start\)\nIt can migrate\.\n/);
    assert.match(text.stdout, /bypass WAF Managed Rules\n    becomes a skip rule with the same expression/);
    assert.match(text.stdout, / 1\. skip  http\.host eq "a\.example\.com" or http\.host eq "\u{FFFD}\[2J"/u);

    await app.request("POST", `/zones/${id}/firewall/waf/overrides`, { body: { urls: ["example.com/*"] } });
    const json = await plan("--zone", id, "--json");
    const { eligible, obstacles, zone } = JSON.parse(json.stdout);
    assert.deepEqual([eligible, obstacles[0].code, zone.name], [false, 40001, "example.com"]);
    const { body } = await app.request("GET", `/zones/${id}/waf_migration/status`);
    assert.equal(body.result.migration_state, "start");

    await app.createZone("żóła.example");
    for (const name of ["żóła.example", domainToASCII("żóła.example")]) {
      assert.match((await plan("--zone", name)).stdout, /^żóła\.example \(enterprise/);
    }

    for (const [args, message] of [
      [["--zone", "example.org"], /There is no zone `example\.org`/],
      [[], /--zone: needs/],
    ] as const) {
      const { code, stdout, stderr } = await plan(...args);
      assert.notEqual(code, 0);
      assert.equal(stdout, "");
      assert.match(stderr, message);
    }
  });
});

onEachEngine("zoneward waf migrate, beside a server", (engine) => {
  test("migrates what can migrate, says why others stay, and goes on where it was stopped", async (t) => {
    const app = await startTestApp(t, engine);
    const store =
      app.config.database === undefined ? `--data=${app.config.data}` : `--database=${app.config.database}`;
    const migrate = (...args: readonly string[]) => zoneward(["waf", "migrate", store, ...args]);
    const stateOf = async (id: string): Promise<unknown> =>
      (await app.request("GET", `/zones/${id}/waf_migration/status`)).body.result.migration_state;
    const statesOf = (ids: readonly string[]) => Promise.all(ids.map(stateOf));

    const [plain, bypassed, stuck] = [
      await app.createZone("plain.example"),
      await app.createZone("bypassed.example"),
      await app.createZone("stuck.example"),
    ];
    await app.request("POST", `/zones/${bypassed}/firewall/rules`, {
      body: [{ action: "bypass", products: ["waf"], filter: { expression: "ip.src eq 192.0.2.1" } }],
    });
    await app.request("POST", `/zones/${stuck}/firewall/waf/overrides`, {
      body: { urls: ["stuck.example/*"] },
    });

    const dry = await migrate("--dry-run");
    assert.match(dry.stdout, /Would migrate {2}2\nRefused {8}1\n$/);
    assert.deepEqual(await statesOf([plain, bypassed, stuck]), ["start", "start", "start"]);

    const validated = await migrate("--validate");
    assert.equal(validated.code, 1);
    assert.match(validated.stdout, /^stuck\.example cannot migrate:\n {2}\S/);
    assert.deepEqual(await statesOf([plain, bypassed, stuck]), ["validation", "validation", "start"]);

    const entryPoint = `/zones/${bypassed}/rulesets/phases/http_request_firewall_managed/entrypoint`;
    const actionsOf = async (): Promise<unknown> =>
      (await app.request("GET", entryPoint)).body.result.rules.map(
        ({ action }: { action: string }) => action,
      );
    const validatedActions = await actionsOf();
    const completed = await migrate("--json", "--plan", "enterprise");
    const outcomes = completed.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(Object.fromEntries(outcomes.map(({ zone, outcome }) => [zone, outcome])), {
      "bypassed.example": "migrated",
      "plain.example": "migrated",
      "stuck.example": "refused",
    });
    assert.equal(outcomes.find(({ outcome }) => outcome === "refused").reasons[0].code, 40001);
    assert.deepEqual(await statesOf([plain, bypassed, stuck]), ["complete", "complete", "start"]);
    assert.deepEqual(await actionsOf(), validatedActions);
    assert.deepEqual((validatedActions as string[])[0], "skip");

    const { body } = await app.request(
      "GET",
      `/accounts/${app.owner.accountId}/audit_logs?action.type=waf_migrate`,
    );
    assert.equal(body.result.length, 4);
    assert.equal(body.result[0].interface, "CLI");

    const again = await migrate("--plan", "free");
    assert.deepEqual(
      [again.code, again.stdout],
      [0, "Migrated       0\nWould migrate  0\nRefused        0\n"],
    );
    const refused = await migrate("--plan", "gold");
    assert.deepEqual([refused.code, refused.stdout], [2, ""]);
  });
});

onEachEngine("zoneward waf replay, beside a server", (engine) => {
  test("says what both versions make of recorded requests, and writes security events", async (t) => {
    const app = await startTestApp(t, engine);
    const id = await app.createZone("example.com");
    await app.request("PATCH", `/zones/${id}/settings/waf`, { body: { value: "on" } });
    const store =
      app.config.database === undefined ? ["--data", app.config.data] : ["--database", app.config.database];
    const replay = (...args: readonly string[]) => zoneward(["waf", "replay", ...store, ...args]);
    const file = join(newDirectory(t), "access.log");
    const line = (target: string) =>
      `203.0.113.9 - - [10/Oct/2025:13:55:36 -0700] "GET ${target} HTTP/1.1" 200 2326 "-" "curl/8"\n`;
    writeFileSync(file, line("/?q=%3Cscript%3E\\x1b[2J") + line("/"));

    const text = await replay("--zone", "example.com", file);
    assert.equal(text.code, 0, text.stderr);
    assert.match(text.stdout, /^example\.com \(migration state start\)\n2 requests judged, 0 of other hosts/);
    assert.match(text.stdout, /^New version +1 +0 +0 +1\nPrevious version +1 +0 +0 +1\n/m);
    assert.match(text.stdout, /the new one passes: 0\n/);
    assert.match(
      text.stdout,
      /^ {2}1\. GET https:\/\/example\.com\/\?q=%3Cscript%3E\u{FFFD}\[2J\n {6}block by [0-9a-f]{32}, /mu,
    );
    assert.match(text.stdout, /^Paranoia 4 +\d+ +\d+ +\d+ +\d+$/m);

    const json = await replay("--json", file, "--zone", id, "--host=www.example.com");
    const { requests, events, acted_on_by_new } = JSON.parse(json.stdout);
    assert.deepEqual([requests.judged, events, acted_on_by_new.length], [2, 1, 1]);
    const query = `{ viewer { zones(filter: {zoneTag: "${id}"}) { firewallEventsAdaptive { source } } } }`;
    const { text: stored } = await app.request("POST", "/graphql", { body: { query } });
    assert.equal(stored.match(/"waf"/g)?.length, 2);

    const inAnyOrder: readonly (readonly string[])[] = [
      [file, "--insecure-http", "--zone", id, "--json"],
      ["--insecure-http", file, "--zone", id, "--json"],
      ["--zone", id, "--json", "--no-insecure-http", file],
      ["--json", "--insecure-http=true", file, `--zone=${id}`],
      ["--host", "example.com", "--zone", id, file, "--json", "--log-level", "error"],
    ];
    for (const args of inAnyOrder) {
      const { code, stdout, stderr } = await replay(...args);
      assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
      assert.equal(JSON.parse(stdout).requests.judged, 2, args.join(" "));
    }

    writeFileSync(file, '{"log":{"entries":[{"request":{}}]}}');
    for (const [args, message] of [
      [["--zone", "example.com", file], /entry 1 request has no method/],
      [["--zone", "example.com", `${file}.none`], /no such file/],
      [["--zone", "example.com"], /needs a file/],
      [["--zone", "example.com", "--log-level", file], /needs a file/],
      [["--zone", "example.com", file, "other.log"], /`other\.log`: not expected here/],
      [[file], /--zone: needs/],
      [["--zone", "example.org", file], /There is no zone `example\.org`/],
    ] as const) {
      const { code, stdout, stderr } = await replay(...args);
      assert.notEqual(code, 0);
      assert.equal(stdout, "");
      assert.match(stderr, message);
    }
  });
});
