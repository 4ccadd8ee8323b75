import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync, type webcrypto } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { ConfigError, readConfig } from "../config/config.ts";
import { createAuthority, issueServerCertificate, loadX509, type Validity } from "./local-ca.ts";

const dayMs = 86_400_000;
const validity = (fromDays: number, toDays: number): Validity => ({
  notBefore: new Date(Date.now() + fromDays * dayMs),
  notAfter: new Date(Date.now() + toDays * dayMs),
});

describe("tls_cert and tls_key", () => {
  let directory = "";
  const path = (name: string): string => join(directory, name);

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), "zoneward-test-"));
    const authority = await createAuthority("Test CA", validity(-9, 9));
    const pairs = {
      good: validity(-1, 1),
      other: validity(-1, 1),
      old: validity(-2, -1),
      early: validity(1, 2),
    };
    for (const [name, dates] of Object.entries(pairs)) {
      const { certificate, privateKey } = await issueServerCertificate(authority, ["localhost"], dates);
      writeFileSync(path(`${name}.pem`), certificate + authority.certificate);
      writeFileSync(path(`${name}-key.pem`), privateKey);
      const encrypted = {
        cipher: "aes-256-cbc",
        passphrase: "secret",
        type: "pkcs8",
        format: "pem",
      } as const;
      writeFileSync(path(`${name}-locked.pem`), createPrivateKey(privateKey).export(encrypted));
    }
    await writeWeakPair();
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  async function writeWeakPair(): Promise<void> {
    const { X509CertificateGenerator } = await loadX509();
    const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const keys: webcrypto.CryptoKeyPair = {
      publicKey: publicKey.toCryptoKey(algorithm, true, ["verify"]),
      privateKey: privateKey.toCryptoKey(algorithm, true, ["sign"]),
    };
    const name = [{ CN: ["localhost"] }];
    const certificate = await X509CertificateGenerator.createSelfSigned({ name, keys, ...validity(-1, 1) });
    writeFileSync(path("weak.pem"), certificate.toString("pem"));
    writeFileSync(path("weak-key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
  }

  async function issuesOf(...args: string[]): Promise<readonly string[]> {
    try {
      await readConfig(args, {});
      return [];
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.issues.map((line) => line.replaceAll(`${directory}/`, ""));
    }
  }

  const pair = (certificate: string, key: string): string[] => [
    `--tls-cert=${path(certificate)}`,
    `--tls-key=${path(key)}`,
  ];

  test("a certificate with its chain and its key are taken", async () => {
    assert.deepEqual(await issuesOf(...pair("good.pem", "good-key.pem")), []);
  });

  const cases: readonly {
    readonly title: string;
    readonly pair: readonly [certificate: string, key: string];
    readonly says: readonly (string | RegExp)[];
  }[] = [
    {
      title: "files that do not exist",
      pair: ["none.pem", "none-key.pem"],
      says: ["--tls-cert: none.pem cannot be read: ENOENT", "--tls-key: none-key.pem cannot be read: ENOENT"],
    },
    {
      title: "a directory",
      pair: [".", "good-key.pem"],
      says: [/^--tls-cert: \S+ cannot be read: EISDIR$/],
    },
    {
      title: "certificate and key in each other's place",
      pair: ["good-key.pem", "good.pem"],
      says: [
        "--tls-cert: good-key.pem holds no certificate in PEM form",
        "--tls-key: good.pem holds no private key without a passphrase in PEM form",
      ],
    },
    {
      title: "a key under a passphrase",
      pair: ["good.pem", "good-locked.pem"],
      says: ["--tls-key: good-locked.pem holds no private key without a passphrase in PEM form"],
    },
    {
      title: "the key of another certificate",
      pair: ["good.pem", "other-key.pem"],
      says: ["--tls-key: other-key.pem is not the key of the certificate in good.pem"],
    },
    {
      title: "an expired certificate",
      pair: ["old.pem", "old-key.pem"],
      says: [/^--tls-cert: old\.pem expired on \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/],
    },
    {
      title: "a certificate that is not valid yet",
      pair: ["early.pem", "early-key.pem"],
      says: [/^--tls-cert: early\.pem is not valid before \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/],
    },
    {
      title: "an expired certificate with a wrong key: both are named",
      pair: ["old.pem", "good-key.pem"],
      says: [/expired on/, "--tls-key: good-key.pem is not the key of the certificate in old.pem"],
    },
    {
      title: "a key that is too short for TLS",
      pair: ["weak.pem", "weak-key.pem"],
      says: [/^--tls-cert: weak\.pem cannot be served: .*key too small/],
    },
  ];
  for (const { title, pair: names, says } of cases) {
    test(`refused at start: ${title}`, async () => {
      const issues = await issuesOf(...pair(...names));
      assert.equal(issues.length, says.length, issues.join("\n"));
      for (const [index, expected] of says.entries()) {
        const issue = issues[index] ?? "";
        if (typeof expected === "string") assert.equal(issue, expected);
        else assert.match(issue, expected);
      }
    });
  }

  test("one without the other is refused", async () => {
    const [certificate = "", key = ""] = pair("good.pem", "good-key.pem");
    assert.deepEqual(await issuesOf(certificate), ["--tls-cert: needs --tls-key as well"]);
    assert.deepEqual(await issuesOf(key), ["--tls-key: needs --tls-cert as well"]);
  });

  test("a certificate of one's own and a self-signed one exclude each other", async () => {
    assert.deepEqual(await issuesOf("--tls=self-signed", ...pair("good.pem", "good-key.pem")), [
      "--tls: self-signed makes a certificate, so --tls-cert and --tls-key cannot be given as well",
    ]);
  });

  test("they are named with every other error", async () => {
    assert.deepEqual(await issuesOf("--port=x", "--tls=on", "--tls-key=none.pem"), [
      "--port: must be an integer from 0 to 65535",
      "--tls: must be one of: off, self-signed",
      "--tls-key: needs --tls-cert as well",
    ]);
  });

  test("an address other than loopback needs TLS or --insecure-http", async () => {
    const host = "--host=192.0.2.1";
    const [refusal = ""] = await issuesOf(host);
    assert.match(refusal, /^--host: 192\.0\.2\.1 is not a loopback address/);
    for (const protection of [["--tls=self-signed"], ["--insecure-http"], pair("good.pem", "good-key.pem")])
      assert.deepEqual(await issuesOf(host, ...protection), []);
  });
});
