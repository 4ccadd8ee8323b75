import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

import { startOrigin } from "./support/edge-app.ts";
import { freePort } from "./support/fixed-port.ts";
import { newDirectory, until } from "./support/harness.ts";
import { documentedBlock } from "./support/proxy-engines.ts";
import { spawnServer } from "./support/spawned-server.ts";

const run = promisify(execFile);

test("the commands of the README put a program behind HTTPS and a rule, and leave an event", async (t) => {
  const origin = await startOrigin(t, (_request, response) => void response.end("of the program"));
  const [http, https] = [await freePort(), await freePort()];
  const data = newDirectory(t);
  const listening = [`--edge-http=127.0.0.1:${http}`, `--edge-https=127.0.0.1:${https}`];
  const server = await spawnServer(t, [`--data=${data}`, ...listening]);
  const { port } = new URL(server.baseUrl);
  const key = /Global API Key +(\S+)/.exec(server.stdout())?.[1] ?? assert.fail(server.stdout());

  const section = documentedBlock("README.md", "sh", "## Protect a program");
  const commands = section
    .replaceAll("8787", port)
    .replaceAll("8443", String(https))
    .replaceAll("3000", String(origin));
  const { stdout, stderr } = await run("bash", ["-euc", commands], {
    cwd: data,
    env: { ...process.env, KEY: key },
  });
  assert.equal(stdout.match(/"success":true/g)?.length, 5, stdout + stderr);
  assert.match(stdout, /of the program/);
  assert.match(stdout, /Your request has been blocked/);
  const ray = /Ray ID<\/\w+><\w+>(\w+)/.exec(stdout)?.[1] ?? assert.fail(stdout);

  const headers = { "x-auth-email": "owner@zoneward.local", "x-auth-key": key };
  const zones = await (await fetch(`${server.baseUrl}/zones`, { headers })).json();
  const zone = (zones as { result: { id: string }[] }).result[0]?.id ?? "";
  const query = `{ viewer { zones(filter: { zoneTag: "${zone}" }) { firewallEventsAdaptive(limit: 2, filter: { rayName: "${ray}" }) { action } } } }`;
  await until("the event is stored", async () => {
    const answer = await fetch(`${server.baseUrl}/graphql`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    return (await answer.text()).includes('[{"action":"block"}]');
  });
});
