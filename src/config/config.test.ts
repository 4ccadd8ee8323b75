import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";

import { newDirectory } from "../../test/support/harness.ts";
import { ConfigError, readConfig, renderConfig } from "./config.ts";
import { newTokenSecret } from "../secrets/secrets.ts";
import { authFailureLimitOf, rateQuotasOf } from "./limit-settings.ts";
import { settingNames, type Config } from "./settings.ts";

async function configOf(args: readonly string[], env: Record<string, string> = {}): Promise<Config> {
  return (await readConfig(args, env)).config;
}

async function issuesOf(args: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  try {
    await readConfig(args, env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return [...error.issues];
  }
  return [];
}

function settingsFile(t: TestContext, content: string, name = "zoneward.yaml"): string {
  const path = join(newDirectory(t), name);
  writeFileSync(path, content);
  return path;
}

describe("settings", () => {
  test("a flag beats the environment, which beats the file, which beats the default", async (t) => {
    const file = settingsFile(t, "port: 1001\nvendor: from-file\naccount_name: From file\n");
    const env = { ZONEWARD_PORT: "1002", ZONEWARD_VENDOR: "from-environment" };
    const { port, vendor, account_name, host } = await configOf(["--port=1003", "--config", file], env);
    assert.deepEqual(
      [port, vendor, account_name, host],
      [1003, "from-environment", "From file", "127.0.0.1"],
    );
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
});

describe("errors in settings", () => {
  test("those of flags, environment and file are named at once, each with its place", async (t) => {
    const file = settingsFile(
      t,
      "port: high\nnonsense: 1\nactivation: never\nowner_key: SECRET-OF-THE-FILE\n",
    );
    const issues = await issuesOf(
      ["--default-plan=gold", "--bogus", "SECRET-OF-A-FLAG", "--owner-token=SECRET-TOO-SHORT", "stray"],
      { ZONEWARD_LOG_LEVEL: "loud", ZONEWARD_TYPO: "SECRET-OF-THE-ENVIRONMENT", ZONEWARD_CONFIG: file },
    );
    assert.deepEqual(issues, [
      "--bogus: unknown flag",
      "`stray`: not expected here",
      "ZONEWARD_TYPO: unknown setting",
      `${file}: nonsense: unknown setting`,
      `${file}: port: must be an integer from 0 to 65535`,
      `${file}: owner_key: must be 37 to 45 lower-case hexadecimal characters`,
      "--owner-token: must be 40 to 80 characters out of A-Z a-z 0-9 _ -; one that begins with zw_ needs a valid checksum",
      "--default-plan: must be one of: free, pro, business, enterprise",
      `${file}: activation: must be one of: immediate, check-ns`,
      "ZONEWARD_LOG_LEVEL: must be one of: debug, info, warn, error, silent",
    ]);
    assert.doesNotMatch(issues.join("\n"), /SECRET/);
  });

  const single: readonly (readonly [args: readonly string[], issue: string])[] = [
    [["--port=65536"], "--port: must be an integer from 0 to 65535"],
    [
      ["--new-zone-settings=strict"],
      '--new-zone-settings: must be a map of settings of a zone, such as {"ssl":"flexible","always_use_https":"on"}',
    ],
    [
      ['--new-zone-settings={"ssl":"yes"}'],
      "--new-zone-settings: must hold valid values: that of ssl is not",
    ],
    [
      ['--new-zone-settings={"sssl":"on"}'],
      "--new-zone-settings: must hold settings that new zones can have: sssl is none",
    ],
    [
      ['--new-zone-settings={"waf":"on"}'],
      "--new-zone-settings: must hold settings that new zones can have: waf is none",
    ],
    [
      ['--new-zone-settings={"development_mode":"on"}'],
      "--new-zone-settings: must hold settings that new zones can have: development_mode is none",
    ],
    [
      ['--new-zone-settings={"advanced_ddos":"on"}'],
      "--new-zone-settings: must hold settings that new zones can have: advanced_ddos is none",
    ],
    [
      ["--rate-limit=yes"],
      '--rate-limit: must be auto, off, on or numbers such as {"user":1200,"address":200}',
    ],
    [
      ["--rate-limit={"],
      '--rate-limit: must be auto, off, on or numbers such as {"user":1200,"address":200}',
    ],
    [
      ["--rate-limit=5"],
      '--rate-limit: must be auto, off, on or numbers such as {"user":1200,"address":200}',
    ],
    [
      ["--rate-limit=[1]"],
      '--rate-limit: must be auto, off, on or numbers such as {"user":1200,"address":200}',
    ],
    [
      ['--rate-limit={"users":5}'],
      '--rate-limit: must be auto, off, on or numbers such as {"user":1200,"address":200}',
    ],
    [['--rate-limit={"user":0}'], "--rate-limit: user must be an integer from 1 to 1000000000"],
    [['--rate-limit={"address":"many"}'], "--rate-limit: address must be an integer from 1 to 1000000000"],
    [["--auth-failure-limit=0"], "--auth-failure-limit: must be an integer from 1 to 1000000, auto or off"],
    [["--port=-1"], "--port: must be an integer from 0 to 65535"],
    [["--port", "-1"], "--port: must be an integer from 0 to 65535"],
    [["--port=80.5"], "--port: must be an integer from 0 to 65535"],
    [["--port=0x50"], "--port: must be an integer from 0 to 65535"],
    [["--port="], "--port: must be an integer from 0 to 65535"],
    [["--port"], "--port: needs a value"],
    [["--port", "--ephemeral"], "--port: needs a value"],
    [["--no-port"], "--no-port: unknown flag"],
    [["--no-ephemeral=1"], "--no-ephemeral: unknown flag"],
    [["-p"], "-p: unknown flag"],
    [["--PORT=1"], "--PORT: unknown flag"],
    [["--owner_email=a@b"], "--owner_email: unknown flag"],
    [["--ephemeral=maybe"], "--ephemeral: must be true or false"],
    [["--config"], "--config: needs a value"],
    [["--data="], "--data: must be a text"],
    [["--owner-email=nobody"], "--owner-email: must be an e-mail address"],
    [["--owner-key=0123"], "--owner-key: must be 37 to 45 lower-case hexadecimal characters"],
    [["--vendor=Nobody"], "--vendor: must be lower-case letters, digits and hyphens"],
    [
      ["--trusted-proxies=10.0.0.0/33"],
      "--trusted-proxies: must be a list of addresses or ranges in CIDR notation",
    ],
    [
      ["--trusted-proxies=10.0.0.1,proxy"],
      "--trusted-proxies: must be a list of addresses or ranges in CIDR notation",
    ],
    [
      ["--edge-addresses=192.0.2"],
      "--edge-addresses: must be a list of addresses, or ranges in CIDR notation",
    ],
    [
      ["--dns", "--edge-addresses=192.0.2.0/24"],
      "--edge-addresses: holds no single address, which the name server needs to answer proxied names",
    ],
    [
      ["--dns-listen=127.0.0.1"],
      "--dns-listen: must be a list of addresses with ports, such as 127.0.0.1:1053,[::1]:1053",
    ],
    [["--name-servers=ns1"], "--name-servers: must be a list of host names"],
    [["--resolvers=localhost"], "--resolvers: must be a list of addresses, each with an optional port"],
    ...["mysql://host/name", "postgres://", "postgres://:::", "postgres://host:99999/name", "host"].map(
      (url) =>
        [
          [`--database=${url}`],
          "--database: must be a URL of the form postgres://user:password@host:port/name",
        ] as const,
    ),
  ];
  for (const [args, issue] of single) {
    test(`refused: ${args.join(" ")}`, async () => assert.deepEqual(await issuesOf(args), [issue]));
  }

  const files: readonly (readonly [content: string, issue: RegExp])[] = [
    ["- port", /must be a map of settings$/],
    ["just words", /must be a map of settings$/],
    ["port: 1\nport: 2", /cannot be read: Map keys must be unique at line 2, column 1$/],
    ["owner_key: {SECRET", /cannot be read: [^\n]+ at line 1, column \d+$/],
    ['{"port": 80', /cannot be read: [^\n]+ at line 1, column \d+$/],
    ["port:", /port: must be an integer from 0 to 65535$/],
    ["resolvers: 5", /resolvers: must be a list of addresses, each with an optional port$/],
    ["ephemeral: sometimes", /ephemeral: must be true or false$/],
    ["owner-email: a@example.com", /owner-email: unknown setting$/],
  ];
  for (const [content, issue] of files) {
    test(`refused as a file: ${JSON.stringify(content)}`, async (t) => {
      const found = await issuesOf([`--config=${settingsFile(t, content)}`]);
      assert.equal(found.length, 1, found.join("\n"));
      assert.match(found[0] ?? "", issue);
      assert.doesNotMatch(found[0] ?? "", /SECRET/);
    });
  }

  test("a file that is not there is named with the setting that names it", async () => {
    assert.match(
      (await issuesOf(["--config=/no/such"])).join(),
      /^--config: \/no\/such cannot be read: ENOENT/,
    );
    assert.match(
      (await issuesOf([], { ZONEWARD_CONFIG: "/" })).join(),
      /^ZONEWARD_CONFIG: \/ cannot be read: EISDIR/,
    );
  });

  test("settings that contradict each other are refused, wherever each was said", async (t) => {
    const noData = "--ephemeral: keeps everything in memory, so --data cannot be given as well";
    const noDatabase = "--ephemeral: keeps everything in memory, so --database cannot be given as well";
    const database = "postgres://127.0.0.1/zoneward";
    assert.deepEqual(await issuesOf(["--ephemeral", "--data=x", `--database=${database}`]), [
      noDatabase,
      noData,
    ]);
    for (const other of ["--ephemeral", "--test-controls"]) {
      assert.deepEqual(await issuesOf(["--dns-workers=2", other]), [
        "--dns-workers: must be 1 with --ephemeral or --test-controls, which all queries have to pass",
      ]);
    }
    assert.deepEqual(await issuesOf(["--ephemeral"], { ZONEWARD_DATABASE: database }), [noDatabase]);
    assert.deepEqual(await issuesOf(["--config", settingsFile(t, "ephemeral: true\ndata: x")]), [noData]);
    assert.deepEqual(
      await issuesOf(["--unread-bytes-max=33554431", "--gateway-response-bytes-max=33554432"]),
      [
        "--unread-bytes-max: must not be less than --gateway-response-bytes-max, as no such answer could be read",
      ],
    );
    assert.deepEqual(await issuesOf(["--certificate-issuer=acme"]), [
      "--certificate-issuer: acme needs --acme-directory as well",
    ]);
  });

  test("the test controls are refused beside what is for production, and off loopback unless a setting says so", async () => {
    const on = "--test-controls";
    const production = (flag: string): string =>
      `--test-controls: cannot be given together with ${flag}, which is for production`;
    assert.deepEqual(
      await issuesOf([on, "--public-url=https://zones.example.com", "--trusted-proxies=10.0.0.0/8"]),
      [production("--public-url"), production("--trusted-proxies")],
    );
    const anywhere = ["--host=0.0.0.0", "--insecure-http"];
    const outside = (host: string): string =>
      `--test-controls: ${host} is not a loopback address; set --test-controls-off-loopback if whoever can reach it may change and delete everything`;
    assert.deepEqual(await issuesOf([on, ...anywhere]), [outside("0.0.0.0")]);
    assert.deepEqual(await issuesOf([on, "--dns-listen=192.0.2.1:53"]), [outside("192.0.2.1")]);
    assert.deepEqual(await issuesOf([on, ...anywhere, "--test-controls-off-loopback"]), []);
    assert.deepEqual(await issuesOf([`--test-controls-token=${"t".repeat(40)}`]), [
      "--test-controls-token: needs --test-controls as well",
    ]);
  });

  test("a file of the secret key that is absent or holds none is refused, and never shown", async (t) => {
    assert.deepEqual(await issuesOf(["--secret-key-file=/no/such"]), [
      "--secret-key-file: /no/such cannot be read: ENOENT",
    ]);
    const file = settingsFile(t, "not a key", "key");
    assert.deepEqual(await issuesOf([`--secret-key-file=${file}`]), [
      `--secret-key-file: ${file} holds no key: 32 random bytes in base64, as \`openssl rand -base64 32\` makes them`,
    ]);
    writeFileSync(file, randomBytes(32).toString("base64"));
    assert.deepEqual(await issuesOf([`--secret-key-file=${file}`]), []);
  });

  test("an address other than loopback without TLS is refused unless a proxy is said to end it", async () => {
    for (const host of ["0.0.0.0", "::", "192.0.2.1", "10.0.0.1", "zoneward.example", "127.0.0.1.example"]) {
      const [issue = "", ...others] = await issuesOf([`--host=${host}`]);
      assert.match(issue, /^--host: \S+ is not a loopback address and .* set --insecure-http$/, host);
      assert.deepEqual(others, []);
      assert.deepEqual(await issuesOf([`--host=${host}`, "--insecure-http"]), [], host);
    }
    for (const host of ["localhost", "127.0.0.1", "127.8.9.1", "::1"]) {
      assert.deepEqual(await issuesOf([`--host=${host}`]), [], host);
    }
  });
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
