import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import {
  byKey,
  byToken,
  onComparedEngines,
  startOfTime,
  startTestApp,
  type Engine,
  type TestAnswer,
  type TestApp,
} from "../../test/support/harness.ts";
import { account, user } from "../core/policy/permission-groups.ts";
import type { Config } from "../config/settings.ts";

const fiveMinutes = 300_000;
const unknownToken = { authorization: `Bearer ${"x".repeat(40)}` };
const behindProxy = { trusted_proxies: ["127.0.0.1"] };

const start = (t: TestContext, engine: Engine, rate_limit: Config["rate_limit"]): Promise<TestApp> =>
  startTestApp(t, engine, { ...behindProxy, rate_limit });

const from = (address: string) => ({ "x-forwarded-for": address });

function isLimited({ status, text }: TestAnswer): boolean {
  if (status !== 429) return false;
  const error = { code: 971, message: "Please wait and consider throttling your request speed" };
  assert.equal(text, JSON.stringify({ success: false, errors: [error], messages: [], result: null }));
  return true;
}

async function statuses(count: number, ask: () => Promise<TestAnswer>): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) found.push((await ask()).status);
  return found;
}

/** The header of a new token of the owner, or of its account. */
async function newToken(app: TestApp, owner: "user" | "account"): Promise<Record<string, string>> {
  const { userId, accountId } = app.owner;
  const [path, key, group] =
    owner === "user"
      ? ["/user/tokens", `com.cloudflare.api.user.${userId}`, user("User Details Read")]
      : [
          `/accounts/${accountId}/tokens`,
          `com.cloudflare.api.account.${accountId}`,
          account("Account Settings Read"),
        ];
  const policies = [{ effect: "allow", resources: { [key]: "*" }, permission_groups: [{ id: group.id }] }];
  const { body, text } = await app.request("POST", path, { body: { name: "another", policies } });
  assert.ok(body.success, text);
  return { authorization: `Bearer ${body.result.value}` };
}

onComparedEngines("rate limit of a user", (engine) => {
  test("counts its key and its tokens together, and refuses all of them for the next five minutes", async (t) => {
    const app = await start(t, engine, { user: 5, address: 1_000 });
    const other = await newToken(app, "user");
    const ask = (headers: Record<string, string>): Promise<TestAnswer> =>
      app.request("GET", "/zones", { headers });
    assert.deepEqual(
      [
        (await ask(byKey)).status,
        (await ask(other)).status,
        (await app.request("GET", "/user/tokens/verify", { headers: other })).status,
      ],
      [200, 200, 200],
    );
    app.advance(fiveMinutes - 1);
    assert.equal((await ask(byToken)).status, 200);

    assert.ok(isLimited(await app.request("POST", "/zones", { body: { name: "example.com" } })));
    for (const headers of [byKey, byToken, other, { ...byKey, ...from("192.0.2.9") }]) {
      assert.ok(isLimited(await ask(headers)));
      assert.ok(isLimited(await app.request("GET", "/user/tokens/verify", { headers: other })));
    }
    app.advance(fiveMinutes - 1);
    assert.ok(isLimited(await ask(byKey)));
    app.advance(1);
    const { body } = await ask(byKey);
    assert.deepEqual(body.result, [], "what was refused has changed nothing");
  });

  test("does not count for a token that an account owns, which counts for itself", async (t) => {
    const app = await start(t, engine, { user: 3, address: 1_000 });
    const one = await newToken(app, "account");
    const another = await newToken(app, "account");
    const path = `/accounts/${app.owner.accountId}`;
    const ask = (headers: Record<string, string>) => () => app.request("GET", path, { headers });
    assert.deepEqual(await statuses(4, ask(one)), [200, 200, 200, 429]);
    assert.deepEqual(await statuses(2, ask(byToken)), [200, 429]);
    assert.deepEqual(await statuses(4, ask(another)), [200, 200, 200, 429]);
  });

  test("is not used up by clients without valid credentials", async (t) => {
    const app = await start(t, engine, { user: 2, address: 1_000 });
    const bad = [{}, unknownToken, { ...byKey, "x-auth-key": "f".repeat(37) }, { authorization: "Bearer x" }];
    for (const headers of [...bad, ...bad]) {
      assert.ok([400, 403].includes((await app.request("GET", "/zones", { headers })).status));
    }
    assert.deepEqual(await statuses(3, () => app.request("GET", "/zones")), [200, 200, 429]);
  });
});

describe("rate limit of an address", () => {
  test("counts every request of a second, with and without credentials, each address on its own", async (t) => {
    const app = await start(t, "sqlite", { user: 1_000, address: 4 });
    const ask = (method: string, path: string, headers: Record<string, string>): Promise<TestAnswer> =>
      app.request(method, path, { headers: { ...from("192.0.2.1"), ...headers } });
    assert.equal((await ask("GET", "/zones", byToken)).status, 200);
    assert.equal((await ask("GET", "/ips", {})).status, 200);
    assert.equal((await ask("GET", "/nothing", {})).status, 400);
    assert.equal((await ask("PUT", "/zones", {})).status, 405);
    for (const path of ["/zones", "/ips", "/nothing"]) assert.ok(isLimited(await ask("GET", path, byToken)));
    assert.ok(isLimited(await ask("GET", "/ips", from("::ffff:192.0.2.1"))));
    assert.equal((await ask("GET", "/ips", from("192.0.2.2"))).status, 200);
    app.advance(1_000);
    assert.equal((await ask("GET", "/ips", {})).status, 200);
  });

  test("is checked before the query is parsed", async (t) => {
    const app = await start(t, "sqlite", { user: 1_000, address: 2 });
    const ask = (): Promise<TestAnswer> => app.request("GET", `/ips?${"[".repeat(10_000)}`);
    assert.deepEqual(await statuses(4, ask), [414, 414, 429, 429]);
  });

  test("never refuses the probes", async (t) => {
    const app = await startTestApp(t, "sqlite", { rate_limit: { user: 1, address: 1 } });
    const { origin } = new URL(app.baseUrl);
    for (const path of ["/healthz", "/readyz", "/metrics", "/healthz", "/readyz", "/metrics"]) {
      const { status, headers } = await fetch(origin + path);
      assert.equal(status, 200, path);
      assert.equal(headers.get("ratelimit"), null, path);
    }
  });
});

describe("rate limit headers", () => {
  const names = [
    "ratelimit", "ratelimit-policy", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset",
    "retry-after",
  ] as const; // prettier-ignore
  const shown = ({ headers }: TestAnswer): (string | null)[] => names.map((name) => headers.get(name));
  const after = (milliseconds: number): string =>
    new Date(startOfTime.getTime() + milliseconds).toUTCString();

  test("hold on every answer the limit of the user, else of the address, and when it resets", async (t) => {
    const app = await start(t, "sqlite", { user: 2, address: 3 });
    const ask = (headers: Record<string, string>): Promise<TestAnswer> =>
      app.request("GET", "/zones", { headers });
    const ofUser = ['"default";q=2;w=300', "2"];
    assert.deepEqual(shown(await ask(byToken)), [
      '"default";r=1;t=300',
      ...ofUser,
      "1",
      after(300_000),
      null,
    ]);
    app.advance(1_500);
    assert.deepEqual(shown(await ask(byToken)), [
      '"default";r=0;t=299',
      ...ofUser,
      "0",
      after(300_000),
      null,
    ]);
    app.advance(1_000);
    assert.deepEqual(shown(await ask(byToken)), [
      '"default";r=0;t=300',
      ...ofUser,
      "0",
      after(302_500),
      "300",
    ]);
    const ofAddress = ['"burst";q=3;w=1', "3"];
    assert.deepEqual(shown(await ask({})), ['"burst";r=1;t=1', ...ofAddress, "1", after(3_500), null]);
    await ask({});
    app.advance(200);
    assert.deepEqual(shown(await ask(byToken)), ['"burst";r=0;t=1', ...ofAddress, "0", after(3_500), "1"]);
  });

  test("are absent where there is no limit, as on a loopback host unless it is asked for", async (t) => {
    for (const rate_limit of ["auto", "off"] as const) {
      const app = await startTestApp(t, "sqlite", { rate_limit });
      assert.deepEqual(
        shown(await app.request("GET", "/zones")),
        names.map(() => null),
      );
    }
  });
});
