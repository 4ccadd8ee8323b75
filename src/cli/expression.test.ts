import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { newDirectory } from "../../test/support/harness.ts";
import { runCommand, type FinishedCommand } from "../../test/support/spawned-server.ts";

async function expression(...args: readonly string[]): Promise<FinishedCommand> {
  return runCommand(["expression", ...args]);
}

describe("zoneward expression", { concurrency: 2 }, () => {
  test("check says nothing of an expression", async () => {
    const finished = await expression("check", 'http.host matches "^www" and ip.src in {192.0.2.0/24}');
    assert.deepEqual(finished, { code: 0, stdout: "", stderr: "" });
  });

  test("check says what is wrong, and where", async () => {
    const { code, stdout, stderr } = await expression("check", "ip.src == 34");
    assert.deepEqual([code, stdout], [1, ""]);
    assert.equal(
      stderr,
      `Filter parsing error (1:11):
ip.src == 34
          ^^ couldn't parse address in network: invalid IP address syntax
`,
    );
  });

  test("check refuses what a phase or a plan does not have", async () => {
    const ofPhase = await expression("check", "http.response.code eq 1", "--phase=http_ratelimit");
    assert.equal(ofPhase.code, 1);
    assert.match(ofPhase.stderr, /not allowed in phase http_ratelimit/);
    const ofPlan = await expression("check", 'http.host ~ "a"', "--plan", "pro");
    assert.equal(ofPlan.code, 1);
    assert.match(ofPlan.stderr, /a Business plan is required/);
  });

  test("explain says the value for a request, and what decided it", async (t) => {
    const file = join(newDirectory(t), "request.json");
    const request = {
      "http.host": "münchen.example",
      "ip.src": "192.0.2.7",
      "http.request.headers": { accept: ["text/html"] },
      $office: ["192.0.2.0/24"],
    };
    writeFileSync(file, JSON.stringify(request));
    const text =
      'ip.src in $office and not cf.client.bot and any(lower(http.request.headers["accept"][*])[*] contains "html")';
    const explained = await expression("explain", text, "--context", file);
    assert.deepEqual(explained, {
      code: 0,
      stderr: "",
      stdout: `true
  true  ip.src in $office
      ip.src: "192.0.2.7"
  false cf.client.bot
      cf.client.bot: missing
  true  any(lower(http.request.headers["accept"][*])[*] contains "html")
      lower(http.request.headers["accept"][*])[*]: ["text/html"]
`,
    });
    const { stdout } = await expression("explain", 'http.host eq "a"', "--context", file);
    assert.equal(stdout, 'false\n  false http.host eq "a"\n      http.host: "münchen.example"\n');
  });

  test("a wrong call is refused with a way to the help", async (t) => {
    const file = join(newDirectory(t), "request.json");
    writeFileSync(file, '{"ip.src": "here"}');
    const calls: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /expected `check` or `explain`/],
      [["print", "ssl"], /expected `check` or `explain`/],
      [["check"], /expected one expression/],
      [["check", "ssl", "ssl"], /expected one expression/],
      [["check", "ssl", "--phase=http"], /--phase must be one of: ddos_l4, /],
      [["check", "ssl", "--plan=gold"], /--plan must be one of: free, pro, business, enterprise/],
      [["check", "ssl", "--nope"], /--nope/],
      [["explain", "ssl", "--context", `${file}.none`], /ENOENT/],
      [["explain", "ssl", "--context", file], /ip\.src: must be an IP address/],
    ];
    for (const [args, issue] of calls) {
      const { code, stdout, stderr } = await expression(...args);
      assert.deepEqual([code, stdout], [2, ""], args.join(" "));
      assert.match(stderr, issue);
      assert.match(stderr, /; see zoneward expression --help\n$/);
    }
  });

  test("--help tells both commands and their flags", async () => {
    const { code, stdout } = await expression("--help");
    assert.equal(code, 0);
    for (const part of [
      "expression check",
      "expression explain",
      "--context FILE",
      "--phase PHASE",
      "--plan PLAN",
    ]) {
      assert.ok(stdout.includes(part), part);
    }
  });
});
