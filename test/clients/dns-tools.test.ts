import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { startAcmeServer } from "../support/acme-server.ts";
import { answeredOperations, drivenOperations } from "../support/driven-operations.ts";
import {
  newDirectory,
  onComparedEngines,
  ownerToken,
  startTestApp,
  type TestApp,
} from "../support/harness.ts";
import { commandOf, missing, pythonOfToday, runBeside } from "../support/installed-clients.ts";

const skip = missing(pythonOfToday);

onComparedEngines("a tool that keeps records", (engine) => {
  test(
    "certbot proves hosts by DNS with its plugin, gets their certificate and takes the proofs away",
    { skip },
    async (t) => {
      const app = await startTestApp(t, engine);
      const zoneId = await app.createZone("example.com");
      const proofs = async (name: string): Promise<string[]> => {
        const found = await app.request("GET", `/zones/${zoneId}/dns_records?type=TXT&name=${name}`);
        return found.body.result.map(({ content }: { content: string }) => content.replaceAll('"', ""));
      };
      const asked: string[] = [];
      const ca = await startAcmeServer(
        t,
        async (name) => {
          asked.push(name);
          return proofs(name);
        },
        () => new Date(),
      );
      const directory = newDirectory(t);
      const credentials = join(directory, "credentials.ini");
      writeFileSync(credentials, `dns_cloudflare_api_token = ${ownerToken}\n`, { mode: 0o600 });
      const { code, output } = await runBeside(
        app,
        commandOf(pythonOfToday, "certbot"),
        [
          "certonly",
          "--non-interactive",
          "--agree-tos",
          "--email=ops@example.com",
          "--no-eff-email",
          `--server=${ca.directoryUrl}`,
          "--dns-cloudflare",
          `--dns-cloudflare-credentials=${credentials}`,
          "--dns-cloudflare-propagation-seconds=0",
          ...["config", "work", "logs"].map((name) => `--${name}-dir=${join(directory, name)}`),
          "--domain=example.com",
          "--domain=*.example.com",
          "--domain=www.example.com",
        ],
        { CLOUDFLARE_BASE_URL: app.baseUrl },
      );
      assert.equal(code, 0, output);
      const pem = readFileSync(join(directory, "config/live/example.com/cert.pem"));
      const hosts = new X509Certificate(pem).subjectAltName?.split(", ").toSorted();
      assert.deepEqual(await drivenOf("certbot", app), drivenOperations["certbot"]);
      assert.deepEqual(hosts, ["DNS:*.example.com", "DNS:example.com", "DNS:www.example.com"]);
      assert.deepEqual(
        new Set(asked),
        new Set(["_acme-challenge.example.com", "_acme-challenge.www.example.com"]),
      );
      for (const name of asked) assert.deepEqual(await proofs(name), []);
    },
  );

  test(
    "octoDNS makes a zone and its records, changes them, and then finds nothing to change",
    { skip },
    async (t) => {
      const app = await startTestApp(t, engine);
      const directory = newDirectory(t);
      const zones = join(directory, "zones");
      mkdirSync(zones);
      const configuration = join(directory, "configuration.yaml");
      const provider = {
        class: "octodns_cloudflare.CloudflareProvider",
        token: ownerToken,
        account_id: app.owner.accountId,
        api_url: app.baseUrl,
        retry_count: 0,
      };
      // YAML has JSON in it.
      const written = {
        providers: {
          files: { class: "octodns.provider.yaml.YamlProvider", directory: zones, enforce_order: false },
          zoneward: provider,
        },
        zones: { "example.com.": { sources: ["files"], targets: ["zoneward"] } },
      };
      writeFileSync(configuration, JSON.stringify(written));
      const sync = async (records: object, ...args: string[]): Promise<string> => {
        writeFileSync(join(zones, "example.com.yaml"), JSON.stringify(records));
        const command = commandOf(pythonOfToday, "octodns-sync");
        const { code, output } = await runBeside(app, command, [`--config-file=${configuration}`, ...args]);
        assert.equal(code, 0, output);
        return output;
      };
      const records = {
        "": [
          { type: "A", values: ["192.0.2.1", "192.0.2.2"], octodns: { cloudflare: { proxied: true } } },
          { type: "MX", values: [{ preference: 10, exchange: "mx.example.com." }] },
          { type: "CAA", values: [{ flags: 0, tag: "issue", value: "ca.example" }] },
        ],
        www: { type: "CNAME", value: "example.com." },
        text: { type: "TXT", ttl: 600, values: ["a text", "a longer one \\; of two parts"] },
        "_sip._tcp": {
          type: "SRV",
          values: [{ priority: 1, weight: 2, port: 5060, target: "sip.example.com." }],
        },
        fingerprint: {
          type: "SSHFP",
          values: [{ algorithm: 4, fingerprint_type: 2, fingerprint: "ab".repeat(32) }],
        },
        "_443._tcp": {
          type: "TLSA",
          values: [
            {
              certificate_usage: 3,
              selector: 1,
              matching_type: 1,
              certificate_association_data: "ab".repeat(32),
            },
          ],
        },
        sub: { type: "NS", values: ["ns1.example.net.", "ns2.example.net."] },
      };

      await sync(records, "--doit");
      assert.match(await sync(records), /No changes were planned/);
      const [zone] = (await app.request("GET", "/zones?name=example.com")).body.result;
      const count = async (): Promise<number> =>
        (await app.request("GET", `/zones/${zone.id}/dns_records`)).body.result_info?.total_count as number;
      assert.equal(await count(), 12);

      const { www: _, ...fewer } = { ...records, text: { type: "TXT", value: "another text" } };
      await sync(fewer, "--doit");
      assert.match(await sync(fewer), /No changes were planned/);
      assert.equal(await count(), 10);
      assert.deepEqual(await drivenOf("octoDNS", app), drivenOperations["octoDNS"]);
    },
  );
});

/** Without what only the test has asked for. */
async function drivenOf(tool: string, app: TestApp): Promise<string[]> {
  const expected = new Set(drivenOperations[tool]);
  return (await answeredOperations(app)).filter((name) => expected.has(name));
}
