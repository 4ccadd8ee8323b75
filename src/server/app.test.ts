import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { pino } from "pino";

import { newDirectory } from "../../test/support/harness.ts";
import { startApp } from "./app.ts";
import { readConfig } from "../config/config.ts";

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

  for (const [store, trace, leftovers] of [
    ["empty", "zoneward.sqlite-wal", ["zoneward.sqlite", "zoneward.sqlite-wal"]],
    ["empty", "secret.key", ["zoneward.sqlite"]],
    ["missing", "zoneward.sqlite-wal", ["zoneward.sqlite-wal"]],
  ] as const) {
    test(`a store that is ${store} beside its ${trace}, and nothing is deleted or made`, async (t) => {
      const data = newDirectory(t);
      const file = join(data, "zoneward.sqlite");
      writeFileSync(join(data, trace), "what was not yet in the store");
      if (store === "empty") writeFileSync(file, "");
      const before = readdirSync(data);
      assert.equal(
        await refusal(`--data=${data}`),
        `opening ${file}: it is ${store}, but ${join(data, trace)} shows that there was a store: restore a backup, ` +
          `or delete ${leftovers.map((name) => join(data, name)).join(" and ")} to begin with a new store`,
      );
      assert.deepEqual(readdirSync(data), before);
      assert.equal(readFileSync(join(data, trace), "utf8"), "what was not yet in the store");
    });
  }

  test("a PostgreSQL server that does not answer, without the password", async () => {
    assert.equal(
      await refusal("--database=postgres://user:a-secret@127.0.0.1:1/name"),
      "opening PostgreSQL at 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1",
    );
  });
});

describe("a first start", () => {
  for (const [name, content] of [
    ["secret.key", `${Buffer.alloc(32, 7).toString("base64")}\n`],
    ["zoneward.sqlite", ""],
  ] as const) {
    test(`takes a directory in which there is only ${name}`, async (t) => {
      const data = newDirectory(t);
      writeFileSync(join(data, name), content);
      const { config } = await readConfig(["--port=0", `--data=${data}`], {});
      const app = await startApp(config, { logger: pino({ level: "silent" }) });
      await app.close();
      assert.equal(app.owner.isNew, true);
    });
  }
});
