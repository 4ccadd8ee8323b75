import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { answeredOperations, drivenOperations } from "../support/driven-operations.ts";
import { onComparedEngines, startTestApp } from "../support/harness.ts";
import {
  commandOf,
  goVersion0,
  goVersion6,
  missing,
  pythonOfToday,
  pythonVersion2,
  runBeside,
} from "../support/installed-clients.ts";

const python = [
  { client: pythonOfToday, walk: "current_walk.py", version: "5.9.0" },
  { client: pythonVersion2, walk: "version_2_walk.py", version: "2.19.4" },
];

// Zones, records of all types, batches, zone files, pages, tokens, rulesets, certificate packs, page rules, settings,
// errors.
onComparedEngines("a client in another language walks through the API", (engine) => {
  for (const { client, walk, version } of python) {
    test(`the Python package cloudflare ${version}`, { skip: missing(client) }, async (t) => {
      const app = await startTestApp(t, engine);
      const program = join(import.meta.dirname, "python", walk);
      const { code, output } = await runBeside(app, commandOf(client, "python"), [program]);
      assert.equal(code, 0, output);
      assert.match(output, new RegExp(`with cloudflare ${RegExp.escape(version)}$`, "m"));
      assert.deepEqual(await answeredOperations(app), drivenOperations[`cloudflare ${version} (Python)`]);
    });
  }

  for (const client of [goVersion0, goVersion6]) {
    test(client.title, { skip: missing(client) }, async (t) => {
      const app = await startTestApp(t, engine);
      const { code, output } = await runBeside(app, client.program, ["-test.v"]);
      assert.equal(code, 0, output);
      assert.equal(output.match(/^--- PASS: /gm)?.length, client === goVersion0 ? 6 : 7, output);
      assert.deepEqual(await answeredOperations(app), drivenOperations[client.title]);
    });
  }
});
