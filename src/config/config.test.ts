import assert from "node:assert/strict";
import { test } from "node:test";

import { configOf, issuesOf, settingsFile } from "../../test/support/settings.ts";
import { renderConfig } from "./config.ts";
import { newTokenSecret } from "../secrets/secrets.ts";
import { authFailureLimitOf, rateQuotasOf, settingNames } from "./settings.ts";

test("a flag beats the environment, which beats the file, which beats the default", async (t) => {
  const file = settingsFile(t, "port: 1001\nvendor: from-file\naccount_name: From file\n");
  const env = { ZONEWARD_PORT: "1002", ZONEWARD_VENDOR: "from-environment" };
  const { port, vendor, account_name, host } = await configOf(["--port=1003", "--config", file], env);
  assert.deepEqual([port, vendor, account_name, host], [1003, "from-environment", "From file", "127.0.0.1"]);
});

test("the file may be named by the environment, and a flag names another one", async (t) => {
  const file = settingsFile(t, "port: 1001");
  const other = settingsFile(t, "port: 1002");
  assert.equal((await configOf([], { ZONEWARD_CONFIG: file })).port, 1001);
  assert.equal((await configOf([`--config=${other}`], { ZONEWARD_CONFIG: file })).port, 1002);
});

const everyKind = {
  port: 1234,
  ephemeral: true,
  owner_email: "ops@example.com",
  default_plan: "pro",
  resolvers: ["192.0.2.1", "[2001:db8::1]:5353"],
};

test("YAML and JSON files say the same", async (t) => {
  const yaml = [
    "# settings",
    "port: 1234",
    "ephemeral: true",
    "owner_email: ops@example.com",
    "default_plan: pro",
    "resolvers:",
    "  - 192.0.2.1",
    '  - "[2001:db8::1]:5353"',
  ].join("\n");
  for (const [name, content] of [
    ["a.yaml", yaml],
    ["a.json", JSON.stringify(everyKind)],
  ] as const) {
    const config = await configOf(["--config", settingsFile(t, content, name)]);
    assert.deepEqual({ ...config, ...everyKind }, config, name);
  }
});

test("an empty file says nothing", async (t) => {
  assert.deepEqual(await configOf(["--config", settingsFile(t, "# later\n")]), await configOf([]));
});

test("flag and environment take the same spellings of every kind of value", async () => {
  const byFlag = await configOf([
    "--port",
    "1234",
    "--ephemeral",
    "--owner-email=ops@example.com",
    "--default-plan",
    "pro",
    "--resolvers=192.0.2.1, [2001:db8::1]:5353",
  ]);
  const byEnvironment = await configOf([], {
    ZONEWARD_PORT: "1234",
    ZONEWARD_EPHEMERAL: "1",
    ZONEWARD_OWNER_EMAIL: "ops@example.com",
    ZONEWARD_DEFAULT_PLAN: "pro",
    ZONEWARD_RESOLVERS: "192.0.2.1,[2001:db8::1]:5353",
  });
  assert.deepEqual(byFlag, { ...(await configOf([])), ...everyKind });
  assert.deepEqual(byEnvironment, byFlag);
});

test("a switch may be turned off where a weaker place turned it on", async () => {
  for (const off of ["--no-ephemeral", "--ephemeral=false", "--ephemeral=0"]) {
    assert.equal((await configOf([off], { ZONEWARD_EPHEMERAL: "true" })).ephemeral, false, off);
  }
});

test("an owner token of the form that is made here needs the checksum that is made here", async () => {
  const secret = newTokenSecret();
  assert.equal((await configOf([`--owner-token=${secret}`])).owner_token, secret);
  const changed = secret.slice(0, -1) + (secret.endsWith("0") ? "1" : "0");
  for (const mistyped of [changed, `${secret}0`, `zw_${"a".repeat(60)}`]) {
    const [issue = ""] = await issuesOf([`--owner-token=${mistyped}`]);
    assert.match(issue, /^--owner-token: must be 40 to 80 .*checksum$/);
  }
});

test("the limits are off on a loopback host and those of the public service elsewhere, unless they are set", async (t) => {
  const limitsOf = async (...args: string[]) => {
    const config = await configOf(args);
    return [rateQuotasOf(config), authFailureLimitOf(config)];
  };
  const elsewhere = ["--host=0.0.0.0", "--insecure-http"];
  const quotas = { user: 1_200, address: 200 };
  for (const host of ["127.0.0.1", "127.9.9.9", "localhost", "::1"])
    assert.deepEqual(await limitsOf(`--host=${host}`), [undefined, undefined], host);
  for (const host of ["0.0.0.0", "::", "api.example.com", "192.0.2.1"])
    assert.deepEqual(await limitsOf("--insecure-http", `--host=${host}`), [quotas, 30], host);
  assert.deepEqual(await limitsOf(...elsewhere, "--rate-limit=off", "--auth-failure-limit=off"), [
    undefined,
    undefined,
  ]);
  assert.deepEqual(await limitsOf("--rate-limit=on", "--auth-failure-limit=5"), [quotas, 5]);
  assert.deepEqual(await limitsOf('--rate-limit={"user":7}'), [{ user: 7, address: 200 }, undefined]);
  const file = settingsFile(t, "rate_limit: { user: 7, address: 8 }\nauth_failure_limit: 9\n");
  assert.deepEqual(await limitsOf(`--config=${file}`), [{ user: 7, address: 8 }, 9]);
});

test("other programs' variables are none of our business", async () => {
  assert.deepEqual(await issuesOf([], { PORT: "x", ZONE: "x", zoneward_port: "x" }), []);
});

test("the rendered settings are JSON with every name, and no secret of any of them", async () => {
  const config = await configOf([
    "--owner-key=0123456789abcdef0123456789abcdef01234",
    "--owner-token=a-secret-token-of-the-owner-0123456789abcdef",
    "--database=postgres://user:secret-password@db.example:5432/zoneward",
    "--owner-email=ops@example.com",
  ]);
  const text = renderConfig(config);
  const shown = JSON.parse(text) as Record<string, unknown>;
  assert.deepEqual(Object.keys(shown), settingNames);
  assert.doesNotMatch(text, /0123456789abcdef|secret-/);
  assert.deepEqual(
    [shown["owner_key"], shown["owner_token"], shown["database"], shown["owner_email"], shown["tls_key"]],
    ["********", "********", "********", "ops@example.com", null],
  );
});
