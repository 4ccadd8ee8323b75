import { Session, type Profiler } from "node:inspector/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { startEdgeApp, startOrigin, type EdgeApp } from "../test/support/edge-app.ts";

/** Requests by name; each is sent often enough to be warm, and then once more. */
const requests: Readonly<Record<string, (edge: EdgeApp, turn: number) => Promise<unknown>>> = {
  visit: (edge) => edge.visit("/a/path?a=b"),
  createDnsRecord: (edge, turn) =>
    edge.change("POST", "/dns_records", { type: "A", name: `host-${turn}`, content: "192.0.2.1" }),
  putEntryPoint: (edge, turn) =>
    edge.change("PUT", "/rulesets/phases/http_request_firewall_custom/entrypoint", {
      rules: [{ action: "block", expression: `http.request.uri.path eq "/turn-${turn}"` }],
    }),
};

const warmUp = 40;
const source = fileURLToPath(new URL("../src/", import.meta.url));

/**
 * The functions of `src/` that one warm request executes, by file: `node bench/path-of-a-request.ts visit src/edge/`
 * shows those of a visitor's request at the edge. What a timer does meanwhile is among them.
 */
test("the path of a request", async (t) => {
  const [name = "visit", within = "src/"] = process.argv.slice(2);
  const request = requests[name];
  if (request === undefined) throw new Error(`there are: ${Object.keys(requests).join(", ")}`);
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  await edge.untilStatus("/", 200);
  for (let turn = 0; turn < warmUp; turn += 1) await request(edge, turn);
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await request(edge, warmUp);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  print(result, within);
});

function print(scripts: readonly Profiler.ScriptCoverage[], within: string): void {
  const executed = scripts.flatMap(({ url, functions }) => {
    const path = url.startsWith("file:") ? fileURLToPath(url) : "";
    const file = `src/${path.slice(source.length)}`;
    if (!path.startsWith(source) || !file.startsWith(within)) return [];
    const names = functions.filter(({ ranges: [whole] }) => whole !== undefined && whole.count > 0);
    return names.length === 0 ? [] : [{ file, names: names.map(({ functionName }) => functionName || "=>") }];
  });
  for (const { file, names } of executed) console.log(`${file}\n  ${names.join(" ")}`);
  const named = executed.flatMap(({ names }) => names).filter((one) => one !== "=>");
  const count = executed.reduce((sum, { names }) => sum + names.length, 0);
  console.log(`${executed.length} files, ${count} functions, of which ${named.length} have a name`);
}
