import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { test } from "node:test";

import { issuesOf, settingsFile } from "../../test/support/settings.ts";

test("errors in flags, environment and file are named at once, each with its place", async (t) => {
  const file = settingsFile(t, "port: high\nnonsense: 1\nactivation: never\nowner_key: SECRET-OF-THE-FILE\n");
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
  [['--new-zone-settings={"ssl":"yes"}'], "--new-zone-settings: must hold valid values: that of ssl is not"],
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
  [["--rate-limit={"], '--rate-limit: must be auto, off, on or numbers such as {"user":1200,"address":200}'],
  [["--rate-limit=5"], '--rate-limit: must be auto, off, on or numbers such as {"user":1200,"address":200}'],
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
  [["--edge-addresses=192.0.2"], "--edge-addresses: must be a list of addresses, or ranges in CIDR notation"],
  [
    ["--dns", "--edge-addresses=192.0.2.0/24"],
    "--edge-addresses: holds no single address, which the name server needs to answer proxied names",
  ],
  [
    ["--dns-listen=127.0.0.1"],
    "--dns-listen: must be a list of addresses with ports, such as 127.0.0.1:1053,[::1]:1053",
  ],
  [["--name-servers=ns1"], "--name-servers: must be a list of host names"],
  ...[
    "ns1.example.com",
    "ns1.example.com ns2",
    "a.example.com b.example.com,B.example.com c.example.com",
  ].map((sets): readonly [readonly string[], string] => [
    [`--name-server-sets=${sets}`],
    "--name-server-sets: must be a list of at most five sets, each of two to five host names with spaces between them, and no name in two sets",
  ]),
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
  for (const other of ["--ephemeral", "--test-controls"]) {
    assert.deepEqual(await issuesOf(["--edge-workers=2", other]), [
      "--edge-workers: must be 1 with --ephemeral, whose store only the main thread has, and with --test-controls, which all requests have to pass",
    ]);
  }
  assert.deepEqual(await issuesOf(["--ephemeral"], { ZONEWARD_DATABASE: database }), [noDatabase]);
  assert.deepEqual(await issuesOf(["--config", settingsFile(t, "ephemeral: true\ndata: x")]), [noData]);
  assert.deepEqual(await issuesOf(["--unread-bytes-max=33554431", "--gateway-response-bytes-max=33554432"]), [
    "--unread-bytes-max: must not be less than --gateway-response-bytes-max, as no such answer could be read",
  ]);
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
