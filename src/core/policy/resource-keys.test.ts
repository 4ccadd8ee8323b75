import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { parseResources, printResourceKey, printResources, type ResourceScope } from "./resource-keys.ts";

const id = "eb78d65290b24279ba6f44721b3ea3c4";
const path = ["policies", 0, "resources"];
const nested = { "com.cloudflare.api.account.zone.*": "*" };

test("every form of a resource key is read, and written as it was read", async (t) => {
  const forms: readonly (readonly [string, string | typeof nested, ResourceScope])[] = [
    [`com.cloudflare.api.account.${id}`, "*", { type: "account", id }],
    ["com.cloudflare.api.account.*", "*", { type: "account", id: "*" }],
    [`com.cloudflare.api.account.zone.${id}`, "*", { type: "zone", id }],
    [`com.cloudflare.api.account.${id}`, nested, { type: "zones-of-account", accountId: id }],
    ["com.cloudflare.api.account.*", nested, { type: "zones-of-account", accountId: "*" }],
    ["com.cloudflare.api.account.zone.*", "*", { type: "zone", id: "*" }],
    [`com.cloudflare.api.user.${id}`, "*", { type: "user", id }],
  ];
  for (const [key, value, scope] of forms)
    await t.test(`${key} ${JSON.stringify(value)}`, () => {
      assert.deepEqual(parseResources({ [key]: value }, "cloudflare", path), [scope]);
      assert.deepEqual(printResources([scope], "cloudflare"), { [key]: value });
    });
});

test("anything else is refused with a pointer at it", async (t) => {
  const key = (name: string): string => `com.cloudflare.api.${name}`;
  const cases: readonly (readonly [string, unknown, RegExp])[] = [
    [key("account.zone"), "*", /must be a key com\.cloudflare\.api\.account\.ID/],
    [key(`zone.${id}`), "*", /must be a key/],
    [key(`account.${id}.zone.*`), "*", /must be a key/],
    [key(`account.zone.${id.toUpperCase()}`), "*", /32 lower-case hexadecimal/],
    [key(`account.zone.${id}0`), "*", /must be a key/],
    [key(`account.${id}\n`), "*", /must be a key/],
    [`com.example.api.account.${id}`, "*", /must be a key/],
    [` com.cloudflare.api.account.${id}`, "*", /must be a key/],
    ["*", "*", /must be a key/],
    ["", "*", /must be a key/],
    ["__proto__x", "*", /must be a key/],
    [key("user.*"), "*", /must name the calling user, not all users/],
    [`com.cloudflare.edge.r2.bucket.${id}_default_name`, "*", /there are no R2 buckets here/],
    [key(`account.zone.${id}`), nested, /must be "\*"$/],
    [key(`user.${id}`), "", /must be "\*"$/],
    [key(`account.${id}`), "all", /must be "\*", or \{/],
    [key(`account.${id}`), {}, /must be "\*", or \{/],
    [key(`account.${id}`), null, /must be "\*", or \{/],
    [key(`account.${id}`), ["*"], /must be "\*", or \{/],
    [key(`account.${id}`), { "com.cloudflare.api.account.zone.*": "all" }, /must be "\*", or \{/],
    [key(`account.${id}`), { [key(`account.zone.${id}`)]: "*" }, /must be "\*", or \{/],
    [key(`account.${id}`), { ...nested, [key(`account.zone.${id}`)]: "*" }, /must be "\*", or \{/],
    [key(`account.${id}`), { "com.example.api.account.zone.*": "*" }, /must be "\*", or \{/],
  ];
  for (const [name, value, message] of cases)
    await t.test(`${name} ${JSON.stringify(value)}`, () => {
      assert.throws(
        () => parseResources({ [name]: value }, "cloudflare", path),
        { kind: "invalid", code: 1001, message, pointer: `/policies/0/resources/${name}` },
        name,
      );
    });
  assert.throws(() => parseResources({ "a/b~c": "*" }, "cloudflare", path), {
    pointer: "/policies/0/resources/a~1b~0c",
  });
});

test("the brand segment is the one that is set", () => {
  const scopes: ResourceScope[] = [{ type: "zones-of-account", accountId: id }];
  const resources = { [`com.my-brand.api.account.${id}`]: { "com.my-brand.api.account.zone.*": "*" } };
  assert.deepEqual(parseResources(resources, "my-brand", path), scopes);
  assert.deepEqual(printResources(scopes, "my-brand"), resources);
  assert.throws(() => parseResources(resources, "my.brand", path), { code: 1001 });
});

test("what is written is read again", () => {
  const anyId = fc.oneof(fc.constant("*"), fc.stringMatching(/^[0-9a-f]{32}$/));
  const scope: fc.Arbitrary<ResourceScope> = fc.oneof(
    fc.record({ type: fc.constantFrom("account", "zone"), id: anyId }, { noNullPrototype: true }),
    fc.record({ type: fc.constant("zones-of-account"), accountId: anyId }, { noNullPrototype: true }),
    fc.record(
      { type: fc.constant("user"), id: fc.stringMatching(/^[0-9a-f]{32}$/) },
      { noNullPrototype: true },
    ),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(scope, { selector: (one) => printResourceKey(one, "cloudflare") }),
      (scopes) => {
        assert.deepEqual(parseResources(printResources(scopes, "cloudflare"), "cloudflare", path), scopes);
      },
    ),
  );
});
