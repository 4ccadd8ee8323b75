import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startTestApp } from "../../../test/support/harness.ts";
import { harOf, replay } from "../../../test/support/replay-api.ts";
import { custom, zoneRulesets } from "../../../test/support/ruleset-api.ts";
import { createZonePart } from "../../../test/support/zone-parts.ts";
import { loggedActions } from "../../../test/support/logged-actions.ts";

const part = "url_normalization";
const usual = { scope: "incoming", type: "cloudflare" };

onEachEngine("URL normalization", (engine) => {
  test("of a zone is set, kept and reset to its default, each change in the audit log", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, part);
    assert.deepEqual(await zone.result("GET"), usual);
    const chosen = { scope: "both", type: "rfc3986" };
    assert.deepEqual(await zone.result("PUT", "", chosen), chosen);
    await app.restart();
    assert.deepEqual(await zone.result("GET"), chosen);
    for (const [body, pointer] of [
      [{ scope: "both" }, "/type"],
      [{ ...chosen, scope: "outgoing" }, "/scope"],
      [{ ...chosen, type: "Cloudflare" }, "/type"],
    ] as const) {
      const { status, body: answer } = await zone.send("PUT", "", body);
      assert.deepEqual(
        [status, answer.errors[0]?.code, answer.errors[0]?.source?.pointer],
        [400, 1003, pointer],
      );
    }
    assert.deepEqual(await zone.result("GET"), chosen);
    const { status, text } = await zone.send("DELETE");
    assert.deepEqual([status, text], [204, ""]);
    assert.deepEqual(await zone.result("GET"), usual);
    assert.equal((await loggedActions(app, "url_normalization_edit")).length, 2);
  });

  test("decides what rules see of a path and what the origin gets, while raw fields stay", async (t) => {
    const app = await startTestApp(t, engine);
    const rulesets = await zoneRulesets(app);
    await rulesets.result("PUT", custom, {
      rules: [
        { action: "log", expression: 'http.request.uri.path eq "/hello//pa%5Cth"', description: "rfc3986" },
        { action: "log", expression: 'http.request.uri.path eq "/hello/pa/th"', description: "cloudflare" },
        { action: "log", expression: 'http.request.uri.path eq "/%68ello//pa\\\\th"', description: "none" },
        { action: "block", expression: 'raw.http.request.uri.path ne "/%68ello//pa\\\\th"' },
      ],
    });
    const url = "https://example.com/%68ello//pa\\th?a=%62";
    const trace = async () => {
      const path = `/accounts/${app.owner.accountId}/request-tracer/trace`;
      const { result } = (await app.request("POST", path, { body: { url, method: "GET" } })).body;
      const rules: { matched: boolean; description: string }[] = result.trace[0].trace[0].trace;
      const matched = rules.filter((rule) => rule.matched).map(({ description }) => description);
      return [...matched, result.origin_request.url];
    };
    const set = (body: object) => app.request("PUT", `/zones/${rulesets.zoneId}/${part}`, { body });
    const merged = "https://example.com/%68ello/pa/th?a=%62";
    assert.deepEqual(await trace(), ["cloudflare", merged]);
    await set({ type: "rfc3986", scope: "incoming" });
    assert.deepEqual(await trace(), ["rfc3986", url]);
    await set({ type: "rfc3986", scope: "both" });
    assert.deepEqual(await trace(), ["rfc3986", "https://example.com/hello//pa%5Cth?a=%62"]);
    await set({ type: "cloudflare", scope: "both" });
    assert.deepEqual(await trace(), ["cloudflare", "https://example.com/hello/pa/th?a=%62"]);
    await set({ type: "cloudflare", scope: "incoming" });
    assert.deepEqual(await trace(), ["cloudflare", merged]);
    await set({ type: "cloudflare", scope: "none" });
    assert.deepEqual(await trace(), ["none", url]);

    const query = `{ viewer { zones(filter: {zoneTag: "${rulesets.zoneId}"}) {
      firewallEventsAdaptive(filter: { ruleMessage_neq: "" }) { ruleMessage metadata { key } }
    } } }`;
    await set({ type: "cloudflare", scope: "both" });
    assert.equal((await replay(app, rulesets.zoneId, harOf({ url }))).status, 200);
    const { text } = await app.request("POST", "/graphql", { body: { query } });
    const events: { ruleMessage: string; metadata: { key: string }[] }[] =
      JSON.parse(text).data.viewer.zones[0].firewallEventsAdaptive;
    const replayed = events.filter(({ metadata }) => metadata.some(({ key }) => key === "replayed"));
    assert.deepEqual(
      replayed.map(({ ruleMessage }) => ruleMessage),
      ["cloudflare"],
    );
  });
});
