import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { newDirectory, startTestApp } from "../../test/support/harness.ts";
import { runCommand } from "../../test/support/spawned-server.ts";

describe("zoneward dns query", () => {
  test("says what is answered and why, while a server runs on the store", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const zoneId = await app.createZone("example.com");
    await app.request("PUT", `/zones/${zoneId}/activation_check`);
    for (const record of [
      { type: "A", name: "*.shop", content: "192.0.2.1" },
      { type: "CNAME", name: "alias", content: "a.shop.example.com" },
      { type: "CNAME", name: "@", content: "alias.example.com" },
      { type: "TXT", name: "text", content: 'a "quoted" word' },
      { type: "SSHFP", name: "key", data: { algorithm: 1, type: 1, fingerprint: "ab".repeat(20) } },
    ]) {
      const answer = await app.request("POST", `/zones/${zoneId}/dns_records`, { body: record });
      assert.equal(answer.status, 200, answer.text);
    }
    const query = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await runCommand(["dns", "query", ...args, "--data", app.config.data]);
      assert.deepEqual([code, stderr], [0, ""]);
      return stdout;
    };
    assert.equal(
      await query("alias.example.com"),
      [
        "; alias.example.com is in the zone example.com",
        "; alias.example.com is a CNAME for a.shop.example.com",
        "; a.shop.example.com is in the zone example.com",
        "; the wildcard *.shop.example.com stands for a.shop.example.com",
        "; a.shop.example.com has 1 A, TTL 300",
        "NOERROR, authoritative",
        "; answer",
        "alias.example.com.\t300\tIN\tCNAME\ta.shop.example.com.",
        "a.shop.example.com.\t300\tIN\tA\t192.0.2.1",
        "",
      ].join("\n"),
    );
    assert.match(
      await query("example.com", "a"),
      /is flattened\n(?:.*\n)*example\.com\.\t300\tIN\tA\t192\.0\.2\.1\n/,
    );
    assert.match(await query("text.example.com", "TXT"), /\tTXT\t"a \\"quoted\\" word"\n/);
    assert.match(await query("key.example.com", "TYPE44"), /\tSSHFP\t\\# 22 0101(?:ab){20}\n/);
    assert.match(await query("nothing.example.com"), /^NXDOMAIN, authoritative$/m);
    assert.match(
      await query("nothing.example.com"),
      /\tSOA\t\S+\. dns\.cloudflare\.com\. \d+ 10000 2400 604800 3600\n/,
    );
    assert.match(await query("example.net"), /in no zone that is served here\nREFUSED\n/);
  });
});

describe("zoneward dns import", () => {
  test("adds what can be added beside a server that runs on the store, and says of the others what the API says", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const zoneId = await app.createZone("example.com");
    const file = join(newDirectory(t), "zone.txt");
    const run = async (text: string) => {
      writeFileSync(file, text);
      return runCommand(["dns", "import", "example.com", file, "--proxied", "--data", app.config.data]);
    };
    const { code, stdout, stderr } = await run(
      "www A 192.0.2.1\nbad A nowhere\nbad SPF x\nwww A 192.0.2.1\n",
    );
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal(
      stdout,
      [
        "bad.example.com: Content for A record must be a valid IPv4 address. (9005)",
        "bad.example.com: DNS record type is invalid. (9002)",
        "www.example.com: An identical record already exists. (81058)",
        "1 of 4 records were added to example.com.",
        "",
      ].join("\n"),
    );
    const refused = await run('other A 192.0.2.2\nother TXT "open\n');
    assert.deepEqual([refused.code, refused.stdout], [1, ""]);
    assert.match(refused.stderr, /Line 2: A quoted text has no closing quote\./);
    const { body } = await app.request("GET", `/zones/${zoneId}/dns_records`);
    assert.deepEqual(
      body.result.map(({ name, proxied }: { name: string; proxied: boolean }) => [name, proxied]),
      [["www.example.com", true]],
    );
  });
});
