import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { pino } from "pino";

import { newDirectory } from "../test/harness.ts";
import { startApp } from "./app.ts";
import { readConfig } from "./config.ts";

async function refusal(...args: string[]): Promise<string> {
  const { config } = await readConfig(["--port=0", ...args], {});
  try {
    const app = await startApp(config, { logger: pino({ level: "silent" }) });
    await app.close();
  } catch (error) {
    assert.ok(error instanceof Error);
    return error.message;
  }
  return assert.fail("it should not have started");
}

describe("a start that cannot succeed says what it tried and why that failed", () => {
  test("an address that is not of this machine, a name that is nobody's", async () => {
    const anywhere = ["--ephemeral", "--insecure-http"];
    const foreign = await refusal(...anywhere, "--host=192.0.2.1");
    assert.match(foreign, /^listening on 192\.0\.2\.1, port 0: .*EADDRNOTAVAIL/);
    const unknown = await refusal(...anywhere, "--host=nobody.invalid");
    assert.match(unknown, /^listening on nobody\.invalid, port 0: .*(?:ENOTFOUND|EAI_AGAIN)/);
  });

  test("a data directory that is a file, or below one", async (t) => {
    const file = join(newDirectory(t), "file");
    writeFileSync(file, "");
    for (const data of [file, join(file, "below")]) {
      assert.equal(
        await refusal(`--data=${data}`),
        `opening ${data}/zoneward.sqlite: its directory is not a directory`,
      );
    }
  });

  test("a file that is no database, which stays as it is", async (t) => {
    const data = newDirectory(t);
    const content = "some other program's file, which only has the same name\n".repeat(20);
    writeFileSync(join(data, "zoneward.sqlite"), content);
    assert.equal(await refusal(`--data=${data}`), `opening ${data}/zoneward.sqlite: file is not a database`);
    assert.equal(readFileSync(join(data, "zoneward.sqlite"), "utf8"), content);
  });

  test("a PostgreSQL server that does not answer, without the password", async () => {
    assert.equal(
      await refusal("--database=postgres://user:a-secret@127.0.0.1:1/name"),
      "opening PostgreSQL at 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1",
    );
  });
});
