import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { hashSecret, newTokenSecret } from "../../src/secrets/secrets.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import {
  byKey,
  byToken,
  newDirectory,
  ownerKey,
  ownerToken,
  sendRequest,
  type RequestOptions,
  type TestAnswer,
} from "../support/harness.ts";
import { ownerFlags, runCommand, spawnServer } from "../support/spawned-server.ts";

const allZones = { "com.cloudflare.api.account.zone.*": "*" };
const dnsRead = "82e64a83756745bbbb1c9c2701bf816b";
const policies = [{ effect: "allow", resources: allZones, permission_groups: [{ id: dnsRead }] }];
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

describe("secrets", () => {
  test("that are preset, made, used, rolled and refused are in no file, log, metric, audit log or error", async (t) => {
    const data = join(newDirectory(t), "data");
    const seedFile = join(newDirectory(t), "seed.json");
    const seeded = newTokenSecret();
    const unknown = newTokenSecret();
    const mistyped = `${newTokenSecret().slice(0, -1)}-`;
    const unknownKey = "abcdef0123456789abcdef0123456789abcde";
    writeFileSync(seedFile, JSON.stringify({ tokens: [{ name: "seeded", value: seeded, policies }] }));
    const server = await spawnServer(t, [
      `--data=${data}`,
      `--seed=${seedFile}`,
      "--log-level=debug",
      "--rate-limit=on",
      "--auth-failure-limit=5",
      ...ownerFlags,
    ]);

    const answers: TestAnswer[] = [];
    const ask = async (method: string, path: string, options: RequestOptions): Promise<TestAnswer> => {
      const answer = await sendRequest(server.baseUrl, method, path, options);
      answers.push(answer);
      return answer;
    };
    /** Does the same as `ask`, where the answer is the secret's only place. */
    const askForSecret = (method: string, path: string, options: RequestOptions) =>
      sendRequest(server.baseUrl, method, path, options);

    const body = { name: "made", policies };
    const { result } = (await askForSecret("POST", "/user/tokens", { body })).body;
    const path = `/user/tokens/${result.id}`;
    for (const headers of [byKey, byToken, bearer(seeded), bearer(result.value)]) {
      await ask("GET", "/zones", { headers });
      await ask("GET", "/user/tokens/verify", { headers });
      await ask("POST", "/zones", { headers, body: { name: "example.com" } });
      await ask("POST", "/zones", { headers, rawBody: "{" });
      await ask("GET", "/zones/none", { headers });
      await ask("GET", `/nothing?token=${result.value}`, { headers });
      await ask("PATCH", "/zones", { headers });
    }
    await ask("PUT", path, { body: { ...body, name: "replaced" } });
    await ask("POST", "/user/tokens", {
      body: { ...body, condition: { request_ip: { in: ["192.0.2.1"] } } },
    });
    const rolled = (await askForSecret("PUT", `${path}/value`, {})).body.result as string;
    const elsewhere = { ...body, condition: { request_ip: { not_in: ["0.0.0.0/0"] } } };
    const bound = (await askForSecret("POST", "/user/tokens", { body: elsewhere })).body.result
      .value as string;
    const cli = await runCommand(["token", "create", `--data=${data}`]);
    const ofCli = cli.stdout.trim();
    const listed = await runCommand(["token", "list", `--data=${data}`]);
    const lastAnswer = async (headers: Record<string, string>): Promise<void> => {
      await ask("GET", "/zones", { headers });
      await ask("GET", "/user/tokens/verify", { headers });
    };
    for (const secret of [rolled, bound, ofCli, result.value, unknown, mistyped])
      await lastAnswer(bearer(secret));
    for (const key of [unknownKey, unknownKey]) await lastAnswer({ ...byKey, "x-auth-key": key });
    await lastAnswer({ authorization: rolled });
    await lastAnswer({ authorization: `Basic ${ownerToken}` });
    await lastAnswer({ "x-auth-email": ownerToken, "x-auth-key": `${ownerKey}x` });
    await ask("GET", "/user/tokens", {});
    await ask("GET", path, {});
    await ask("DELETE", path, {});
    await ask("GET", path, {});
    await runCommand(["token", "revoke", "seeded", `--data=${data}`]);
    const metrics = await (await fetch(`${new URL(server.baseUrl).origin}/metrics`)).text();
    const filesWhileItRuns = readFiles(data);
    assert.equal(await server.end("SIGTERM"), 0);

    const db = await openDatabase({ engine: "sqlite", file: join(data, "zoneward.sqlite") });
    t.after(() => db.close());
    const auditLogs = await db.read.selectFrom("audit_logs").selectAll().execute();
    assert.ok(auditLogs.length >= 6, String(auditLogs.length));
    const statuses = new Set(answers.map(({ status }) => status));
    for (const status of [200, 400, 401, 403, 404, 405]) assert.ok(statuses.has(status), String(status));
    assert.match(server.stderr(), /"level":30/);
    assert.ok(filesWhileItRuns.length >= 2);

    const places: readonly (readonly [string, string])[] = [
      ["standard output", server.stdout()],
      ["log", server.stderr()],
      ["metrics", metrics],
      ["audit log", JSON.stringify(auditLogs)],
      ["command", cli.stderr + listed.stdout + listed.stderr],
      ...answers.map(({ text, headers }) => ["answer", text + JSON.stringify([...headers])] as const),
      ...filesWhileItRuns,
      ...readFiles(data),
    ];
    const hash = hashSecret(ofCli);
    assert.ok(
      filesWhileItRuns.some(([, text]) => text.includes(hash)),
      "the search sees what is stored",
    );
    const secrets = [
      ownerKey,
      ownerToken,
      seeded,
      result.value,
      rolled,
      bound,
      ofCli,
      unknown,
      mistyped,
      unknownKey,
    ];
    for (const secret of secrets) {
      assert.ok(secret.length >= 37);
      for (const [place, text] of places) assert.ok(!text.includes(secret), `a secret is in: ${place}`);
    }
  });
});

/** Every file below, octet by octet. */
function readFiles(directory: string): (readonly [path: string, content: string])[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file, readFileSync(file, "latin1")]);
}
