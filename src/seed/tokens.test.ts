import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import {
  byKey,
  newDirectory,
  onComparedEngines,
  ownerToken,
  startTestApp,
  type Engine,
  type TestApp,
} from "../../test/support/harness.ts";
import { account, user, zone } from "../core/policy/permission-groups.ts";
import { newTokenSecret } from "../secrets/secrets.ts";
import { SeedError } from "./read-seed.ts";

const key = (rest: string): string => `com.cloudflare.api.${rest}`;
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const secret = (name: string): string => `secret-of-${name}-`.padEnd(48, "0123456789");

const allow = (resource: string, ...groups: { readonly id: string }[]) => ({
  effect: "allow",
  resources: { [resource]: "*" },
  permission_groups: groups.map(({ id }) => ({ id })),
});

const zones = [
  { name: "shop.example", account: "Zoneward" },
  { name: "blog.example" },
  { name: "second.example", account: "Second" },
];

function start(t: TestContext, engine: Engine, seed: object): Promise<TestApp> {
  const file = join(newDirectory(t), "seed.json");
  writeFileSync(file, JSON.stringify(seed));
  return startTestApp(t, engine, { seed: file });
}

async function issuesOf(t: TestContext, tokens: readonly object[]): Promise<readonly string[]> {
  let issues: readonly string[] = [];
  await assert.rejects(start(t, "sqlite", { zones: zones.slice(0, 2), tokens }), (error) => {
    assert.ok(error instanceof SeedError);
    ({ issues } = error);
    return true;
  });
  return issues;
}

onComparedEngines("the tokens of a seed", (engine) => {
  test("are good with the secrets of the file, for what it names by name and no more", async (t) => {
    const ofChecksum = newTokenSecret();
    const app = await start(t, engine, {
      accounts: [{ name: "Second" }],
      zones,
      tokens: [
        {
          name: "shop",
          value: ofChecksum,
          policies: [allow(key("account.zone.Shop.Example"), zone("DNS Write"))],
          condition: { request_ip: { in: ["127.0.0.0/8"] } },
          not_before: "2020-01-01T00:00:00Z",
          expires_on: "2099-01-01T00:00:00Z",
        },
        {
          name: "owner",
          value: secret("owner"),
          policies: [
            allow(key("account.Zoneward"), account("Account Settings Read")),
            allow(key("user.owner@example.com"), user("API Tokens Read")),
          ],
        },
        {
          name: "second",
          value: secret("second"),
          account: "Second",
          policies: [
            {
              ...allow("", zone("Zone Read")),
              resources: { [key("account.Second")]: { [key("account.zone.*")]: "*" } },
            },
          ],
        },
        {
          name: "late",
          value: secret("late"),
          expires_on: "2020-01-01T00:00:00Z",
          policies: [allow(key("account.zone.*"), zone("Zone Read"))],
        },
      ],
    });
    const namesFor = async (value: string): Promise<string[]> => {
      const { body } = await app.request("GET", "/zones", { headers: bearer(value) });
      return body.result?.map(({ name }: { name: string }) => name);
    };
    assert.deepEqual(await namesFor(ofChecksum), ["shop.example"]);
    assert.deepEqual(await namesFor(secret("owner")), []);
    assert.deepEqual(await namesFor(secret("second")), ["second.example"]);
    assert.equal((await app.request("GET", "/zones", { headers: bearer(secret("late")) })).status, 403);

    const accounts = await app.request("GET", "/accounts", { headers: bearer(secret("owner")) });
    assert.deepEqual(
      accounts.body.result.map(({ name }: { name: string }) => name),
      ["Zoneward"],
    );
    const tokens = await app.request("GET", "/user/tokens?include_expired=true&order=name", {
      headers: bearer(secret("owner")),
    });
    const [, late, owner, shop] = tokens.body.result;
    assert.deepEqual([late.name, late.status, owner.name, shop.name], ["late", "expired", "owner", "shop"]);
    const [shopZone] = (await app.request("GET", "/zones?name=shop.example")).body.result;
    assert.deepEqual(shop.policies[0].resources, { [key(`account.zone.${shopZone.id}`)]: "*" });
    assert.deepEqual(
      [shop.not_before, shop.expires_on, shop.condition.request_ip],
      ["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z", { in: ["127.0.0.0/8"] }],
    );
    assert.equal((await app.request("GET", "/zones", { headers: byKey })).body.result.length, 2);
  });
});

test("errors of tokens are all listed, none of them with a secret, and the store stays empty", async (t) => {
  const policies = [allow(key("account.zone.*"), zone("Zone Read"))];
  const value = secret("twice");
  const mistyped = `${newTokenSecret().slice(0, -1)}-`;
  const withKey = (resource: string) => ({
    name: "x",
    value: secret(resource.replaceAll(/\W/g, "-").slice(-20)),
    policies: [allow(key(resource), zone("Zone Read"))],
  });
  const tokens = [
    { name: "first", value, policies },
    { name: "again", value, policies },
    { name: "the owner's", value: ownerToken, policies },
    { name: "short", value: "too-short", policies },
    { name: "mistyped", value: mistyped, policies },
    { name: "", value: secret("nameless"), policies },
    { name: "nothing", value: secret("nothing"), policies: [] },
    { name: "nowhere", value: secret("nowhere"), account: "Nobody", policies },
    { name: "bare", value: secret("bare"), policies, condition: { "request.ip": { in: ["192.0.2.1"] } } },
    withKey("account.zone.none.example"),
    withKey("account.Nobody"),
    withKey("user.other@example.com"),
    withKey("bucket.x"),
  ];
  const issues = await issuesOf(t, tokens);
  assert.deepEqual(
    issues.map((issue) => issue.split(": ")[0]),
    [
      "tokens/1/value",
      "tokens/2/value",
      "tokens/3/value",
      "tokens/4/value",
      "tokens/5/name",
      "tokens/6/policies",
      "tokens/7/account",
      "tokens/8/condition/request.ip/in/0",
      ...["account.zone.none.example", "account.Nobody", "user.other@example.com", "bucket.x"].map(
        (rest, index) => `tokens/${index + 9}/policies/0/resources/${key(rest)}`,
      ),
    ],
    issues.join("\n"),
  );
  for (const token of tokens) assert.ok(!issues.join("\n").includes(token.value), token.value);
});

test("a token without its secret, or with an unknown key, is an error of its form", async (t) => {
  const issues = await issuesOf(t, [
    { name: "a", policies: [] },
    { name: "b", value: "", policies: [], colour: 1 },
  ]);
  assert.deepEqual(issues, ["tokens/0: `value` is missing", "tokens/1: unknown key `colour`"]);
});
