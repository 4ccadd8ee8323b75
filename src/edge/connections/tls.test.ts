import assert from "node:assert/strict";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:tls";
import { test, type TestContext } from "node:test";
import { once } from "node:events";

import { startEdgeApp, startOrigin, type EdgeApp } from "../../../test/support/edge-app.ts";
import { untilAllIssued } from "../../../test/support/certificates.ts";
import { onComparedEngines, startOfTime, until, type Engine } from "../../../test/support/harness.ts";
import { createAuthority, issueServerCertificate } from "../../tls/local-ca.ts";

const dayMs = 86_400_000;

/** The error that ends a handshake; undefined where it succeeds. */
async function handshake(
  { securePort }: EdgeApp,
  servername: string,
  options = {},
): Promise<string | undefined> {
  const socket = connect({
    port: securePort,
    host: "127.0.0.1",
    servername,
    rejectUnauthorized: false,
    ...options,
  });
  try {
    await once(socket, "secureConnect");
    // A server may end a connection after the client's part of the handshake.
    socket.write(`GET / HTTP/1.1\r\nHost: ${servername}\r\n\r\n`);
    const answered = once(socket, "data").then(() => undefined);
    return await Promise.race([answered, once(socket, "close").then(() => "closed")]);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    socket.destroy();
  }
}

/** The names in the certificate that a visitor is shown; undefined for none. */
async function certificateShown({ securePort }: EdgeApp, servername: string): Promise<string | undefined> {
  const place = { port: securePort, host: "127.0.0.1", servername, rejectUnauthorized: false };
  const socket = connect(place);
  try {
    await once(socket, "secureConnect");
    return socket.getPeerCertificate().subjectaltname;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

/** Creates the upload of a certificate for these names. */
async function certificateFor(hosts: readonly string[]) {
  const validity = {
    notBefore: new Date(startOfTime.getTime() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
  };
  const authority = await createAuthority("Some CA", validity);
  const { certificate, privateKey } = await issueServerCertificate(authority, hosts, validity);
  return { certificate, private_key: privateKey };
}

async function withCertificate(edge: EdgeApp): Promise<void> {
  await untilAllIssued(edge.app);
  await until(
    "the certificate is served",
    async () => (await handshake(edge, "www.example.com")) === undefined,
  );
}

/** An edge that serves `www.example.com` over TLS, and a connection of HTTP/2 to that name. */
async function startHttp2(t: TestContext, engine: Engine) {
  const edge = await startEdgeApp(t, engine, await startOrigin(t));
  await withCertificate(edge);
  await edge.change("PATCH", "/settings/ssl", { value: "flexible" });
  await edge.untilStatus("/", 200, { isSecure: true });
  const client = connectHttp2(`https://127.0.0.1:${edge.securePort}`, {
    servername: "www.example.com",
    rejectUnauthorized: false,
  });
  t.after(() => client.destroy());
  return { edge, client };
}

onComparedEngines("TLS at the edge", (engine) => {
  test("shows the certificate of the name that a visitor asks for, and ends other handshakes with an alert", async (t) => {
    const edge = await startEdgeApp(t, engine, await startOrigin(t));
    await withCertificate(edge);
    await edge.change("PATCH", "/settings/ssl", { value: "flexible" });
    const answer = await edge.untilStatus("/secure", 200, { isSecure: true });
    assert.equal(answer.echo.headers["x-forwarded-proto"], "https");
    assert.equal(answer.echo.headers["cf-visitor"], '{"scheme":"https"}');
    assert.match(String(await certificateShown(edge, "www.example.com")), /DNS:\*\.example\.com/);
    const protocols = { ALPNProtocols: ["h2", "http/1.1"] };
    // The empty name is not sent.
    for (const name of ["www.example.net", "deep.www.example.com", ""]) {
      const failure = "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE";
      assert.equal(await handshake(edge, name), failure, name);
      assert.equal(await handshake(edge, name, protocols), failure, name);
    }
  });

  test("follows the zone's settings: HTTPS always, HSTS, the least version, the way to the origin", async (t) => {
    const edge = await startEdgeApp(t, engine, await startOrigin(t));
    await withCertificate(edge);
    const { change, visit, untilStatus } = edge;
    // The origin speaks no TLS, which `full` asks of it.
    assert.equal((await untilStatus("/", 525, { isSecure: true })).status, 525);
    await change("PATCH", "/settings/ssl", { value: "off" });
    const plain = await untilStatus("/a?b", 301, { isSecure: true });
    assert.equal(plain.headers.location, "http://www.example.com/a?b");
    await change("PATCH", "/settings/ssl", { value: "flexible" });
    await untilStatus("/", 200, { isSecure: true });
    await change("PATCH", "/settings/always_use_https", { value: "on" });
    const secure = await untilStatus("/a?b", 301);
    assert.equal(secure.headers.location, "https://www.example.com/a?b");
    await change("PATCH", "/settings/security_header", {
      value: {
        strict_transport_security: {
          enabled: true,
          max_age: 600,
          include_subdomains: true,
          preload: false,
          nosniff: true,
        },
      },
    });
    let headers = (await visit("/", { isSecure: true })).headers;
    await until("HSTS is sent", async () => {
      headers = (await visit("/", { isSecure: true })).headers;
      return headers["strict-transport-security"] !== undefined;
    });
    assert.equal(headers["strict-transport-security"], "max-age=600; includeSubDomains");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal((await visit("/")).headers["strict-transport-security"], undefined);
    await change("PATCH", "/settings/min_tls_version", { value: "1.3" });
    await until("TLS 1.2 is refused", async () => {
      return (await handshake(edge, "www.example.com", { maxVersion: "TLSv1.2" })) !== undefined;
    });
    assert.equal(await handshake(edge, "www.example.com"), undefined);
  });

  test("speaks HTTP/2, and refuses a host of another zone on the connection", async (t) => {
    const { edge, client } = await startHttp2(t, engine);
    const ask = async (headers: Record<string, string>, body?: string) => {
      const stream = client.request(headers, { endStream: body === undefined });
      if (body !== undefined) stream.end(body);
      let text = "";
      let status = 0;
      stream.setEncoding("utf8");
      stream.on("response", (head) => (status = head[":status"] ?? 0));
      for await (const part of stream) text += part as string;
      return { status, text };
    };
    const authority = "www.example.com";
    const answer = await ask(
      { ":path": "/two?a", ":method": "POST", ":authority": authority, "x-a": "b" },
      "hello",
    );
    assert.equal(answer.status, 200);
    const seen = JSON.parse(answer.text);
    assert.deepEqual(
      [seen.method, seen.url, seen.body, seen.headers.host, seen.headers["x-a"]],
      ["POST", "/two?a", "hello", authority, "b"],
    );
    assert.equal((await ask({ ":path": "/", ":authority": authority, host: "www.example.net" })).status, 400);
    const otherId = await edge.app.createZone("example.net");
    await edge.app.request("PUT", `/zones/${otherId}/activation_check`);
    const record = { type: "CNAME", name: "www", content: "localhost", proxied: true };
    await edge.app.request("POST", `/zones/${otherId}/dns_records`, { body: record });
    await until("the other zone is served", async () => {
      return (await ask({ ":path": "/", ":authority": "www.example.net" })).status === 421;
    });
    const uploaded = await edge.app.request("POST", `/zones/${otherId}/custom_certificates`, {
      body: await certificateFor(["www.example.net", "www.example.com"]),
    });
    assert.equal(uploaded.status, 200, uploaded.text);
    await until("a certificate of the other zone covers both names", async () =>
      /DNS:www\.example\.com/.test((await certificateShown(edge, "www.example.net")) ?? ""),
    );
    assert.equal((await ask({ ":path": "/", ":authority": "www.example.net" })).status, 421);
  });

  test("refuses a CONNECT of HTTP/2 with 405, ends its stream, and serves on", async (t) => {
    const { edge, client } = await startHttp2(t, engine);
    const tunnel = client.request({ ":method": "CONNECT", ":authority": "www.example.com:443" });
    const [head] = (await once(tunnel, "response")) as [Record<string, unknown>];
    let text = "";
    for await (const part of tunnel.setEncoding("utf8")) text += part as string;
    assert.equal(head[":status"], 405);
    assert.match(text, /CONNECT is not allowed/);
    await until("the stream is closed", () => tunnel.closed);
    assert.equal((await edge.visit("/", { isSecure: true })).status, 200);
  });
});
