import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";

import { newDirectory } from "../../test/support/harness.ts";
import { runCommand, type FinishedCommand } from "../../test/support/spawned-server.ts";

const debianRules = "/usr/share/modsecurity-crs";
const skip = existsSync(debianRules) ? false : "Debian's package modsecurity-crs is not installed";

function crs(...args: readonly string[]): Promise<FinishedCommand> {
  return runCommand(["crs", ...args]);
}

/** A release with these rules. */
function newRelease(t: TestContext, rules: string): string {
  const directory = newDirectory(t);
  mkdirSync(join(directory, "rules"));
  writeFileSync(join(directory, "crs-setup.conf.example"), 'SecComponentSignature "TEST/1.0"\n');
  writeFileSync(join(directory, "rules", "words.data"), "# A comment\nbad word\n");
  writeFileSync(join(directory, "rules", "REQUEST-1.conf"), rules);
  return directory;
}

const rules = `SecRule ARGS "@pmFromFile words.data" "id:1,phase:2,block,t:none,t:lowercase,severity:'CRITICAL',msg:'Says it'"
SecRule REQUEST_HEADERS:X "@rx ." "id:2,phase:1,block,severity:'NOTICE',msg:'Has it'"
SecRule TX:PARANOIA_LEVEL "@ge 2" "id:3,phase:5,pass,nolog"
`;

describe("zoneward crs", { concurrency: 2 }, () => {
  test("check says what loads", async (t) => {
    assert.deepEqual(await crs("check", newRelease(t, rules)), {
      code: 0,
      stdout: "TEST/1.0: 3 rules, of which 2 judge requests and responses\n",
      stderr: "",
    });
  });

  test("check says where a file cannot be loaded, and why", async (t) => {
    const directory = newRelease(t, `${rules}SecRule ARGS "@rx (" "id:4"\n`);
    const { code, stdout, stderr } = await crs("check", directory);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /REQUEST-1\.conf:4: .*a parenthesis is not closed/);
  });

  test("a directory that is no release is refused", async (t) => {
    const directory = newDirectory(t);
    const { code, stderr } = await crs("check", directory);
    assert.deepEqual([code, stderr], [1, `${directory} has no folder "rules"\n`]);
  });

  test("request shows the rules that match, with what they found, and the score", async (t) => {
    const { code, stdout } = await crs(
      "request",
      newRelease(t, rules),
      "http://example.com/?a=Bad%20Word",
      "--header",
      "X: y",
    );
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `2   2  Has it
            REQUEST_HEADERS:X: y
1   5  Says it
            ARGS:a: bad word
score 7
`,
    );
  });

  const wrong: [args: string[], error: RegExp][] = [
    [[], /expected a directory/],
    [["check", "a", "b"], /expected `check DIR` or `request DIR URL`/],
    [["request", "a", "b"], /b is no http or https URL/],
    [["request", "a", "http://b", "--header", "x"], /x is no header/],
    [["request", "a", "http://b", "--data-file", "/nowhere"], /ENOENT/],
  ];
  for (const [args, error] of wrong) {
    test(`a wrong command line is refused: ${args.join(" ")}`, async () => {
      const { code, stdout, stderr } = await crs(...args);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, error);
    });
  }

  const attacks: [query: string, score: number][] = [
    ["page=2&sort=name", 0],
    ["q=<script>alert(1)</script>", 15],
    ["id=1'%20UNION%20SELECT%20username,password%20FROM%20users--", 20],
    ["f=../../../../etc/passwd", 30],
    ["c=;cat%20/etc/passwd", 15],
  ];
  for (const [query, score] of attacks) {
    test(`Debian's rules give ?${query} a score of ${score}, as libmodsecurity does`, { skip }, async () => {
      const { stdout } = await crs(
        "request",
        debianRules,
        `http://example.com/?${encodeURI(query).replaceAll("%25", "%")}`,
      );
      assert.match(stdout, new RegExp(`score ${score}\n$`));
    });
  }
});
