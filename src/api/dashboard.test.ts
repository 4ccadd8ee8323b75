import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { request } from "undici";

import { newDirectory, startTestApp } from "../../test/support/harness.ts";
import { sendBytes } from "../../test/support/raw-http.ts";
import type { Config } from "../config/settings.ts";

const page = `<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><title>Zoneward</title>`;
const script = `console.log("${"x".repeat(2_000)}");`;
const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

/** A server with a dashboard of a few files; the answer is its origin. */
async function startWithDashboard(t: TestContext, settings: Partial<Config> = {}): Promise<string> {
  const directory = newDirectory(t);
  const dist = join(directory, "dist");
  mkdirSync(join(dist, "assets"), { recursive: true });
  mkdirSync(join(dist, ".vite"));
  writeFileSync(join(directory, "secret.js"), "secret");
  writeFileSync(join(dist, "index.html"), page);
  writeFileSync(join(dist, "assets", "index-Bs12.js"), script);
  writeFileSync(join(dist, "assets", "engine-Xy34.wasm"), Buffer.alloc(2_000, "wasm"));
  writeFileSync(join(dist, "assets", "notes.md"), "no type of the web");
  writeFileSync(join(dist, "zoneward.svg"), "<svg/>");
  writeFileSync(join(dist, ".vite", "manifest.json"), "{}");
  symlinkSync(join(directory, "secret.js"), join(dist, "assets", "link.js"));
  const app = await startTestApp(t, "sqlite", settings, { dashboardDirectory: dist });
  return new URL(app.baseUrl).origin;
}

describe("dashboard", () => {
  test("every page is index.html, with a policy that allows its own files and the styles of its nonce", async (t) => {
    const origin = await startWithDashboard(t);
    const nonces = new Set<string>();
    for (const path of ["/", "/sign-in", "/first-sign-in?x=1", "/zones/0a/dns/", "/account/members"]) {
      const answer = await fetch(origin + path, { headers: html });
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
      const nonce = /nonce="([\w+/=]{24})"/.exec(await answer.text())?.[1] ?? assert.fail("no nonce");
      nonces.add(nonce);
      assert.equal(
        answer.headers.get("content-security-policy"),
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; " +
          `style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; ` +
          "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
      );
      const headers = {
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "strict-transport-security": null,
      };
      for (const [name, value] of Object.entries(headers))
        assert.equal(answer.headers.get(name), value, name);
    }
    assert.equal(nonces.size, 5);
    const head = await fetch(`${origin}/sign-in`, { method: "HEAD", headers: html });
    assert.deepEqual([head.status, await head.text()], [200, ""]);
  });

  test("assets are kept by browsers for good, and compressed as they ask", async (t) => {
    const origin = await startWithDashboard(t);
    const decode: Readonly<Record<string, (body: Buffer) => Buffer>> = {
      br: brotliDecompressSync,
      gzip: gunzipSync,
      identity: (body) => body,
    };
    const cases = [
      ["gzip, deflate, br, zstd", "br"],
      ["gzip, deflate", "gzip"],
      ["br;q=0, gzip;q=0.5", "gzip"],
      ["identity", "identity"],
    ] as const;
    for (const [accepted, encoding] of [...cases, ...cases]) {
      const { statusCode, headers, body } = await request(`${origin}/assets/index-Bs12.js`, {
        headers: { "accept-encoding": accepted },
      });
      assert.equal(statusCode, 200);
      assert.deepEqual(
        [headers["cache-control"], headers["vary"], headers["content-type"]],
        ["public, max-age=31536000, immutable", "accept-encoding", "text/javascript; charset=utf-8"],
      );
      assert.equal(headers["content-encoding"] ?? "identity", encoding);
      assert.equal(decode[encoding]?.(Buffer.from(await body.arrayBuffer())).toString(), script);
    }
    const wasm = await fetch(`${origin}/assets/engine-Xy34.wasm`);
    assert.equal(wasm.headers.get("content-type"), "application/wasm");
    assert.equal((await wasm.arrayBuffer()).byteLength, 2_000);
    const icon = await fetch(`${origin}/zoneward.svg`);
    assert.deepEqual(
      [icon.headers.get("cache-control"), icon.headers.get("content-type")],
      ["public, max-age=3600", "image/svg+xml"],
    );
  });

  test("nothing else is served, however it is asked for", async (t) => {
    const origin = await startWithDashboard(t);
    const paths = [
      "/../secret.js",
      "/assets/../../secret.js",
      "/assets/..%2f..%2fsecret.js",
      "/assets/%2e%2e/%2e%2e/secret.js",
      "/assets\\..\\..\\secret.js",
      "/assets/link.js",
      "/assets/notes.md",
      "/assets/index-Bs12.js/",
      "/assets/index-Bs12.js%00",
      "/assets/gone-Ab12.js",
      "/.vite/manifest.json",
      "/index.htm",
      "//assets/index-Bs12.js",
      "//evil.example/page",
      "/client/v4/nothing",
      "/client",
      "/v1/nothing",
      "/session/nothing",
      "/docs/nothing",
    ];
    for (const path of paths) {
      const lines = [`GET ${path} HTTP/1.1`, "host: x", "connection: close", `accept: ${html.accept}`];
      const answer = await sendBytes(origin, `${lines.join("\r\n")}\r\n\r\n`);
      assert.deepEqual([answer.status, answer.body.errors[0]?.code], [400, 7000], path);
    }
    for (const [method, path, headers] of [
      ["POST", "/", html],
      ["DELETE", "/sign-in", html],
      ["GET", "/sign-in", {}],
      ["GET", "/sign-in", { accept: "application/json" }],
    ] as const) {
      const answer = await fetch(origin + path, { method, headers });
      assert.equal(answer.status, 400, `${method} ${path}`);
    }
  });

  test("where it is not built, its start page says how to build it, and the API is served", async (t) => {
    const directory = join(newDirectory(t), "dist");
    const app = await startTestApp(t, "sqlite", {}, { dashboardDirectory: directory });
    const { origin } = new URL(app.baseUrl);
    const answer = await fetch(`${origin}/`);
    assert.deepEqual([answer.status, answer.headers.get("content-type")], [404, "text/plain; charset=utf-8"]);
    assert.match(await answer.text(), /^The dashboard is not built[\s\S]*npm ci/);
    assert.equal((await app.request("GET", "/user")).status, 200);
    mkdirSync(directory);
    writeFileSync(join(directory, "index.html"), page);
    assert.equal((await fetch(`${origin}/`)).status, 200);
  });

  test("with dashboard=off there are no pages, no sign-in and no valid sessions", async (t) => {
    const origin = await startWithDashboard(t, { dashboard: "off" });
    for (const path of ["/", "/sign-in", "/zoneward.svg", "/session"]) {
      assert.equal((await fetch(origin + path, { headers: html })).status, 400, path);
    }
    const asked = await fetch(`${origin}/client/v4/user`, {
      headers: { "x-zoneward-session": "1", cookie: `zoneward_session=${"A".repeat(43)}` },
    });
    assert.equal(((await asked.json()) as { errors: { code: number }[] }).errors[0]?.code, 9106);
  });
});
