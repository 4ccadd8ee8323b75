import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect as connectPlainly } from "node:net";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { checkServerIdentity, connect, type ConnectionOptions, type DetailedPeerCertificate } from "node:tls";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import * as fc from "fast-check";

import { byToken, onComparedEngines, ownerToken, startTestApp } from "../../test/support/harness.ts";
import {
  getTrusting,
  startSelfSignedApp,
  startTlsApp,
  temporaryDirectory,
  type TlsApp,
} from "../../test/support/tls-app.ts";
import { createAuthority, issueServerCertificate, type Validity } from "./local-ca.ts";

const hsts = "strict-transport-security";
const root = fileURLToPath(new URL("../..", import.meta.url));

const aroundNow = (): Validity => ({
  notBefore: new Date(Date.now() - 3_600_000),
  notAfter: new Date(Date.now() + 3_600_000),
});

/** Shakes hands and hangs up: what the server proved itself with. Rejects where the client refuses. */
async function shakeHands(port: number, options: ConnectionOptions): Promise<DetailedPeerCertificate> {
  const socket = connect({ host: "127.0.0.1", port, ...options });
  await once(socket, "secureConnect");
  const certificate = socket.getPeerCertificate(true);
  socket.destroy();
  return certificate;
}

/** Writes bytes on a bare connection and reads until the server closes it, cleanly or with a reset. */
async function answerTo({ port }: TlsApp, bytes: string | Uint8Array): Promise<Buffer> {
  const socket = connectPlainly(port, "127.0.0.1");
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part)).on("error", () => {});
  socket.end(bytes);
  await once(socket, "close");
  return Buffer.concat(parts);
}

/** A directory that is the system's for temporary files during the test. */
function useTemporaryDirectory(t: TestContext): string {
  const inherited = process.env["TMPDIR"];
  t.after(() => {
    if (inherited === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = inherited;
  });
  return (process.env["TMPDIR"] = temporaryDirectory(t));
}

describe("tls=self-signed", () => {
  test("a client that trusts the CA reaches the API below an https:// base URL", async (t) => {
    const { baseUrl, authority } = await startSelfSignedApp(t);
    assert.match(baseUrl, /^https:\/\/127\.0\.0\.1:\d+\/client\/v4$/);
    const answer = await getTrusting(authority, `${baseUrl}/zones`, byToken);
    assert.equal(answer.status, 200);
    assert.deepEqual(JSON.parse(answer.text).result, []);
  });

  test("the certificate is valid for localhost, both loopback addresses and no other host", async (t) => {
    const { port, authority } = await startSelfSignedApp(t);
    const as = (host: string): ConnectionOptions => ({
      ca: authority,
      checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
    });
    for (const host of ["localhost", "127.0.0.1", "::1"])
      assert.equal((await shakeHands(port, as(host))).subject.CN, "localhost", host);
    for (const host of ["example.com", "127.0.0.2", "a.localhost"])
      await assert.rejects(shakeHands(port, as(host)), { code: "ERR_TLS_CERT_ALTNAME_INVALID" }, host);
  });

  test("a host given by name is covered, and is the one of the base URL", async (t) => {
    const { baseUrl, authority } = await startSelfSignedApp(t, "--host=localhost");
    assert.match(baseUrl, /^https:\/\/localhost:\d+\/client\/v4$/);
    assert.equal((await getTrusting(authority, `${baseUrl}/ips`)).status, 200);
  });

  test("a client that does not trust the CA refuses, and nothing is logged at info", async (t) => {
    const { port, authority, baseUrl, logged } = await startSelfSignedApp(t);
    const stranger = await createAuthority("Stranger", aroundNow());
    for (const ca of [undefined, stranger.certificate])
      await assert.rejects(shakeHands(port, { ca }), /unable to (?:verify|get local issuer)/);
    assert.deepEqual(logged, []);
    assert.equal((await getTrusting(authority, `${baseUrl}/ips`)).status, 200);
  });

  test("TLS 1.2 and 1.3 are spoken, 1.1 is not", async (t) => {
    const { port, authority: ca } = await startSelfSignedApp(t);
    for (const version of ["TLSv1.2", "TLSv1.3"] as const)
      await shakeHands(port, { ca, minVersion: version, maxVersion: version });
    // The security level would keep the client itself from offering it.
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    await assert.rejects(shakeHands(port, { ca, ...old }), /alert protocol version/);
  });

  test("plain HTTP on the TLS port is closed without an answer in HTTP or a line in the log", async (t) => {
    const app = await startSelfSignedApp(t);
    const answer = await answerTo(app, "GET /client/v4/ips HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert.doesNotMatch(answer.toString("latin1"), /HTTP/);
    assert.deepEqual(app.logged, []);
    assert.equal((await getTrusting(app.authority, `${app.baseUrl}/ips`)).status, 200);
  });

  test("whatever bytes come instead of a handshake, the server goes on", async (t) => {
    const app = await startSelfSignedApp(t);
    const startOfHandshake = fc.constant(Uint8Array.of(22, 3, 1));
    const bytes = fc
      .tuple(fc.oneof(startOfHandshake, fc.constant(new Uint8Array())), fc.uint8Array({ maxLength: 300 }))
      .map((parts) => Buffer.concat(parts));
    await fc.assert(
      fc.asyncProperty(bytes, async (sent) => {
        await answerTo(app, sent);
      }),
      { numRuns: 100 },
    );
    assert.deepEqual(app.logged, []);
    assert.equal((await getTrusting(app.authority, `${app.baseUrl}/ips`)).status, 200);
  });

  test("a failed handshake is on the debug log, without anything that the client sent", async (t) => {
    const app = await startSelfSignedApp(t, "--log-level=debug");
    await answerTo(app, "GET /secret HTTP/1.1\r\n\r\n");
    const [line = "", ...more] = app.logged;
    assert.match(line, /"code":"ERR_SSL_HTTP_REQUEST"/);
    assert.doesNotMatch(line, /secret/);
    assert.deepEqual(more, []);
  });

  test("malformed HTTP inside TLS is answered with the envelope", async (t) => {
    const { port, authority } = await startSelfSignedApp(t);
    const socket = connect({ host: "127.0.0.1", port, ca: authority });
    socket.end("NO SUCH THING\r\n\r\n");
    let text = "";
    for await (const part of socket) text += String(part);
    assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.match(text, /strict-transport-security: max-age=31536000\r\n/);
    assert.equal(JSON.parse(text.slice(text.indexOf("\r\n\r\n"))).errors[0].code, 6003);
  });

  test("answers of the API promise TLS for a year, failures included; over plain HTTP none does", async (t) => {
    const { baseUrl, authority } = await startSelfSignedApp(t);
    const plain = await startTestApp(t, "sqlite");
    for (const path of ["/ips", "/zones", "/zones/1", "/nothing"]) {
      const { headers } = await getTrusting(authority, baseUrl + path, byToken);
      assert.equal(headers[hsts], "max-age=31536000", path);
      assert.equal((await plain.request("GET", path)).headers.get(hsts), null, path);
    }
  });

  test("a restart keeps the CA: clients that trusted it go on trusting", async (t) => {
    const directory = temporaryDirectory(t);
    const flags = ["--no-ephemeral", `--data=${directory}`];
    const first = await startSelfSignedApp(t, ...flags);
    assert.equal(first.authorityFile, join(directory, "tls", "ca.pem"));
    await first.close();
    const second = await startSelfSignedApp(t, ...flags);
    assert.equal(second.authority, first.authority);
    assert.equal((await getTrusting(first.authority, `${second.baseUrl}/ips`)).status, 200);
  });

  test("what was made for an ephemeral server goes with it, also when it cannot start", async (t) => {
    const { authorityFile = "", close, port } = await startSelfSignedApp(t);
    assert.ok(existsSync(authorityFile));
    const temporary = useTemporaryDirectory(t);
    await assert.rejects(startSelfSignedApp(t, `--port=${port}`), /another program listens there/);
    assert.deepEqual(readdirSync(temporary), []);
    await close();
    assert.ok(!existsSync(dirname(authorityFile)));
  });
});

onComparedEngines("tls=self-signed", (engine) => {
  test("the CA lies in the data directory, wherever the store is", async (t) => {
    const app = await startTestApp(t, engine, { tls: "self-signed" });
    assert.match(app.baseUrl, /^https:/);
    assert.equal(app.authorityFile, join(app.config.data, "tls", "ca.pem"));
    assert.ok(existsSync(app.authorityFile));
  });
});

describe("tls_cert and tls_key", () => {
  test("the certificate of the operator is served with its chain", async (t) => {
    const directory = temporaryDirectory(t);
    const authority = await createAuthority("Operator's CA", aroundNow());
    const { certificate, privateKey } = await issueServerCertificate(authority, ["127.0.0.1"], aroundNow());
    const [certificateFile, keyFile] = [join(directory, "certificate.pem"), join(directory, "key.pem")];
    writeFileSync(certificateFile, certificate + authority.certificate);
    writeFileSync(keyFile, privateKey);

    const app = await startTlsApp(t, `--tls-cert=${certificateFile}`, `--tls-key=${keyFile}`);
    assert.equal(app.authorityFile, undefined);
    // A client that has no such CA sees only what the server sends.
    const sent = await shakeHands(app.port, { rejectUnauthorized: false });
    assert.equal(sent.issuerCertificate.subject.CN, "Operator's CA");
    const { status, headers } = await getTrusting(authority.certificate, `${app.baseUrl}/ips`);
    assert.equal(status, 200);
    assert.equal(headers[hsts], "max-age=31536000");
  });
});

describe("zoneward serve --tls self-signed", () => {
  test("the banner names the CA certificate with which the official SDK works, until the end", async (t) => {
    const flags = ["serve", "--ephemeral", "--tls=self-signed", "--port=0", `--owner-token=${ownerToken}`];
    const server = spawn(process.execPath, ["src/main.ts", ...flags], {
      cwd: root,
      stdio: ["ignore", "pipe", "ignore"],
    });
    t.after(() => server.kill("SIGKILL"));
    let banner = "";
    for await (const part of server.stdout) {
      banner += String(part);
      if (banner.includes("curl ")) break;
    }
    const baseUrl = /Base URL +(\S+)/.exec(banner)?.[1] ?? "";
    const authorityFile = /export NODE_EXTRA_CA_CERTS=(\S+)/.exec(banner)?.[1] ?? "";
    assert.match(baseUrl, /^https:/);
    assert.match(banner, new RegExp(`CA certificate  ${authorityFile}\n`));
    assert.match(banner, new RegExp(`curl --cacert ${authorityFile} .*${baseUrl}/zones\n`));
    assert.match(readFileSync(authorityFile, "utf8"), /^-----BEGIN CERTIFICATE-----/);

    const client = `
      import Cloudflare from "cloudflare";
      const client = new Cloudflare({ baseURL: process.argv[1], apiToken: process.argv[2], maxRetries: 0 });
      const { name } = await client.zones.create({ name: "example.com", account: {} });
      console.log(name);
    `;
    const args = ["--input-type=module", "--eval", client, baseUrl, ownerToken];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: authorityFile };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
    assert.equal(stdout, "example.com\n");

    server.kill("SIGTERM");
    await once(server, "exit");
    assert.ok(!existsSync(dirname(authorityFile)));
  });
});
