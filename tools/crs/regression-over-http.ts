import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { test, type TestContext } from "node:test";

import type { RuleRequest } from "../../src/core/seclang/evaluate/request.ts";
import { readRelease } from "../../src/engines/crs-release.ts";
import { startEdgeApp, startOrigin, type EdgeApp } from "../../test/support/edge-app.ts";
import { newDirectory } from "../../test/support/harness.ts";
import { finalScoreRuleId, owaspRulesetId } from "../../test/support/ruleset-api.ts";
import { passes, settings } from "./regression-settings.ts";
import { readRegressionTests } from "./regression-tests.ts";

// Runs the regression tests of a release of the OWASP Core Rule Set over HTTP, through an edge in this process:
// `npm run crs:regression:http -- RULES TESTS`, as `crs:regression`. Prints the tests that fail, with the status of the
// answer.

const marker = "x-crs-test";
const host = "www.example.com";
const answerMsMax = 10_000;

const [directory, path] = process.argv.slice(2);
if (directory === undefined || path === undefined) {
  process.stderr.write("usage: npm run crs:regression:http -- RULES TESTS\n");
  process.exit(2);
}
const tests = readRegressionTests(path);

test(`regression tests over HTTP of ${directory}`, async (t) => {
  const log = join(newDirectory(t), "matched.jsonl");
  const crs = await copyWithSettings(t, directory);
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t, answer), {
    crs,
    edge_matched_rules_log: log,
    new_zone_waf: "new",
  });
  const overrides = { rules: [{ id: finalScoreRuleId, action: "log" }] };
  await edge.rules("http_request_firewall_managed", [
    { action: "execute", expression: "true", action_parameters: { id: owaspRulesetId, overrides } },
  ]);
  await edge.untilStatus("/", 200);
  const statuses = new Map<string, string>();
  for (const { id, request } of tests) statuses.set(id, await statusOf(edge, id, request));
  const matched = readMatched(log);
  const failed = tests.filter((one) => !passes(one, matched.get(one.id) ?? new Set()));
  for (const { id } of failed) t.diagnostic(`${id}: ${statuses.get(id)}`);
  t.diagnostic(`${tests.length - failed.length} of ${tests.length} pass`);
});

/** The release with what the official runs set. */
async function copyWithSettings(t: TestContext, release: string): Promise<string> {
  const copy = newDirectory(t);
  symlinkSync(resolve(release, "rules"), join(copy, "rules"));
  const [setup] = (await readRelease(release)).rules;
  const changes = [...settings].map(([name, value]) => `setvar:tx.${name}=${value}`);
  writeFileSync(
    join(copy, "crs-setup.conf"),
    `${setup?.text}\nSecAction "id:900999,phase:1,pass,nolog,${changes.join()}"\n`,
    "latin1",
  );
  return copy;
}

/** The origin answers what the test expects. */
const answer: RequestListener = (request, response) => {
  const asked = tests.find(({ id }) => id === request.headers[marker]);
  request.resume();
  request.on("end", () => {
    const { status, headers, body } = asked?.response ?? { status: 200, headers: [], body: "" };
    response.writeHead(
      status,
      headers.flatMap(({ name, value }) => [name, value]),
    );
    response.end(Buffer.from(body, "latin1"));
  });
};

/** Sends a request as it is, but to the zone of the edge, and reads the first line of the answer. */
function statusOf({ url }: EdgeApp, id: string, request: RuleRequest): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolveStatus) => {
    const socket = connect(Number(port), hostname);
    const end = (status: string): void => {
      socket.destroy();
      resolveStatus(status);
    };
    socket.setTimeout(answerMsMax, () => end("no answer"));
    socket.once("data", (octets) => end(octets.toString("latin1").split("\r\n", 1)[0] ?? ""));
    socket.once("error", ({ message }) => end(message));
    socket.once("close", () => end("closed"));
    socket.write(Buffer.from(textOf(id, request), "latin1"));
  });
}

function textOf(id: string, { method, target, protocol, headers, body }: RuleRequest): string {
  const own = nameOf(headers);
  const lines = headers.map(({ name, value }) => `${name}: ${value.replaceAll(own ?? host, host)}`);
  // Rules look for `localhost` in targets.
  const written = own === undefined || own === "localhost" ? target : target.replaceAll(own, host);
  return [`${method} ${written} ${protocol}`, ...lines, `${marker}: ${id}`, "", body].join("\r\n");
}

/** Each test names its server, `localhost` or another; undefined for an address. */
function nameOf(headers: RuleRequest["headers"]): string | undefined {
  const value = headers.find(({ name }) => name.toLowerCase() === "host")?.value ?? "";
  return /^[a-z][\w.-]*[a-z](?=(?::\d+)?$)/i.exec(value)?.[0];
}

function readMatched(log: string): ReadonlyMap<string, ReadonlySet<number>> {
  interface Line {
    readonly marker: string;
    readonly core_rules: readonly { readonly id: number }[];
  }
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  return new Map(
    lines.map((line) => {
      const { marker: id, core_rules } = JSON.parse(line) as Line;
      return [id, new Set(core_rules.map(({ id: number }) => number))];
    }),
  );
}
