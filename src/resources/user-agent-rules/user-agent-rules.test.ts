import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { createZonePart } from "../../../test/support/zone-parts.ts";
import { loggedActions } from "../../../test/support/logged-actions.ts";

const part = "firewall/ua_rules";
const unknownId = "0123456789abcdef0123456789abcdef";
const badBot = "BadBot/1.0.2 (+http://bad.bot)";
const about = (value: string) => ({ configuration: { target: "ua", value } });
const rule = { mode: "block", ...about(badBot) };

onComparedEngines("user-agent rules", (engine) => {
  test("live their life: created, read, replaced and deleted, each change in the audit log", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, part);
    const made = await zone.result("POST", "", { ...rule, description: "A <i>bad</i> bot" });
    const { id } = made;
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.deepEqual(made, { id, ...rule, description: "A bad bot", paused: false });
    const changed = { mode: "js_challenge", ...about("Mozilla"), paused: true };
    const replaced = await zone.result("PUT", `/${id}`, changed);
    assert.deepEqual(replaced, { id, ...changed, description: "A bad bot" });
    await app.restart();
    assert.deepEqual(await zone.result("GET"), [replaced]);
    assert.deepEqual(await zone.result("GET", `/${id}`), replaced);
    assert.deepEqual(await zone.result("DELETE", `/${id}`), { id });
    const unknown = { status: 404, code: 10001, message: "firewalluablock.api.not_found" };
    await zone.refuses("DELETE", `/${id}`, undefined, unknown);
    await zone.refuses("PUT", `/${unknownId}`, rule, unknown);
    assert.deepEqual((await loggedActions(app, "ua_rule")).toSorted(), [
      "ua_rule_add",
      "ua_rule_delete",
      "ua_rule_edit",
    ]);
  });

  test("that cannot be are refused, and nothing is stored", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, part);
    await zone.result("POST", "", rule);
    const other = await zone.result("POST", "", { mode: "challenge", ...about("curl") });
    const before = await zone.result("GET");
    const refusals: readonly (readonly [object, number, string])[] = [
      [about("x"), 1003, "/mode"],
      [{ mode: "whitelist", ...about("x") }, 1003, "/mode"],
      [{ mode: "block" }, 1003, "/configuration"],
      [{ mode: "block", configuration: { target: "ip", value: "192.0.2.1" } }, 1003, "/configuration/target"],
      [{ mode: "block", ...about("") }, 1003, "/configuration/value"],
      [{ ...rule, mode: "challenge" }, 10009, "/configuration/value"],
    ];
    await zone.refusesEach(t, other.id, refusals);
    assert.deepEqual(await zone.result("GET"), before);
  });

  test("are as many as the plan has", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, part, { plan: "free" });
    for (let n = 1; n <= 10; n += 1) await zone.result("POST", "", { mode: "block", ...about(`bot ${n}`) });
    const full = { code: 10016, message: "firewalluablock.api.not_entitled.max_rules" };
    await zone.refuses("POST", "", rule, full);
    await zone.setPlan("pro");
    await zone.result("POST", "", rule);
  });

  test("are listed as they were made and found by what they say", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, part);
    for (const [userAgent, description, paused] of [
      [badBot, "A spider", false],
      ["curl/8.0", "A tool", true],
      ["Wget/1.2", "Another tool", false],
    ] as const) {
      app.advance(1_000);
      await zone.result("POST", "", { mode: "block", ...about(userAgent), description, paused });
    }
    const search = async (query: string) =>
      (await zone.result("GET", query)).map(
        ({ configuration }: { configuration: { value: string } }) => configuration.value,
      );
    assert.deepEqual(await search(""), [badBot, "curl/8.0", "Wget/1.2"]);
    assert.deepEqual(await search("?direction=desc&per_page=2"), ["Wget/1.2", "curl/8.0"]);
    assert.deepEqual(await search("?description=TOOL"), ["curl/8.0", "Wget/1.2"]);
    assert.deepEqual(await search("?description_search=tool&paused=false"), ["Wget/1.2"]);
    assert.deepEqual(await search("?user_agent=CURL"), ["curl/8.0"]);
    assert.deepEqual(await search("?ua_search=bad.bot"), [badBot]);
    assert.deepEqual(await search("?paused=true"), ["curl/8.0"]);
  });

  test("act on traced requests of exactly that user agent, unless a lockdown allows their address", async (t) => {
    const app = await startTestApp(t, engine);
    const { zoneId, ...zone } = await createZonePart(app, part);
    const { id } = await zone.result("POST", "", { ...rule, mode: "managed_challenge", description: "Bot" });
    const statusOf = async (userAgent: string, rest: object = {}) => {
      const body = {
        url: "https://www.example.com/",
        method: "GET",
        headers: { "User-Agent": userAgent },
        ...rest,
      };
      const path = `/accounts/${app.owner.accountId}/request-tracer/trace`;
      return (await app.request("POST", path, { body })).body.result.status_code;
    };
    assert.equal(await statusOf(badBot), 403);
    assert.equal(await statusOf(`${badBot} `), undefined);
    assert.equal(await statusOf(badBot.toLowerCase()), undefined);
    assert.equal(await statusOf(badBot, { context: { skip_challenge: true } }), undefined);
    const query = `{ viewer { zones(filter: {zoneTag: "${zoneId}"}) {
      firewallEventsAdaptive { source action ruleId ruleMessage }
    } } }`;
    const { text } = await app.request("POST", "/graphql", { body: { query } });
    const events = JSON.parse(text).data.viewer.zones[0].firewallEventsAdaptive;
    const told = { source: "uaBlock", ruleId: id, ruleMessage: "Bot" };
    assert.deepEqual(events, [
      { ...told, action: "managed_challenge_bypassed" },
      { ...told, action: "managed_challenge" },
    ]);
    const configurations = ["127.0.0.1", "::1"].map((value) => ({ target: "ip", value }));
    const lockdown = { urls: ["*.example.com/*"], configurations };
    await app.request("POST", `/zones/${zoneId}/firewall/lockdowns`, { body: lockdown });
    assert.equal(await statusOf(badBot), undefined);
    assert.equal(await statusOf(badBot, { url: "https://example.com/" }), 403);
  });
});
