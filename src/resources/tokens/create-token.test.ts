import assert from "node:assert/strict";
import { before, test } from "node:test";

import { byKey, onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { addAccount, addZone } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";
import {
  accountSettingsRead,
  bearer,
  countTokens,
  dnsRead,
  dnsWrite,
  policy,
  tokensWrite,
  zoneRead,
} from "../../../test/support/token-api.ts";

const unknownId = "0123456789abcdef0123456789abcdef";

onComparedEngines("createToken", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let zoneId: string;
  before(async () => {
    app = await startTestApp(suite, engine);
    zoneId = await app.createZone("example.com");
  });

  test("answers what was sent, ids for the policies and a secret that nothing answers again", async () => {
    const key = `com.cloudflare.api.account.zone.${zoneId}`;
    const { status, body } = await app.request("POST", "/user/tokens", {
      body: {
        name: "readonly token",
        policies: [
          {
            effect: "allow",
            resources: { [key]: "*" },
            permission_groups: [{ id: zoneRead, name: "whatever" }, { id: dnsRead }],
          },
        ],
        not_before: "2020-04-01T05:20:00Z",
        expires_on: "2030-04-10T00:00:00Z",
        condition: { "request.ip": { in: ["127.0.0.0/8", "2400:cb00::/32"], not_in: ["199.27.128.0/21"] } },
      },
    });
    assert.equal(status, 200);
    const { id, value, policies, ...rest } = body.result;
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.match(value, /^zw_[0-9A-Za-z]{37}$/);
    assert.match(policies[0].id, /^[0-9a-f]{32}$/);
    assert.deepEqual(policies, [
      {
        id: policies[0].id,
        effect: "allow",
        resources: { [key]: "*" },
        permission_groups: [
          { id: zoneRead, name: "Zone Read" },
          { id: dnsRead, name: "DNS Read" },
        ],
      },
    ]);
    assert.deepEqual(rest, {
      name: "readonly token",
      status: "active",
      issued_on: "2026-01-02T03:04:05Z",
      modified_on: "2026-01-02T03:04:05Z",
      last_used_on: null,
      not_before: "2020-04-01T05:20:00Z",
      expires_on: "2030-04-10T00:00:00Z",
      condition: { "request.ip": { in: ["127.0.0.0/8", "2400:cb00::/32"], not_in: ["199.27.128.0/21"] } },
    });
    assert.equal(Object.keys(body.result)[0], "id");

    assert.equal((await app.request("GET", `/zones/${zoneId}`, { headers: bearer(value) })).status, 200);
    const got = await app.request("GET", `/user/tokens/${id}`);
    assert.deepEqual(got.body.result, { id, ...rest, policies, last_used_on: null });
    const list = await app.request("GET", "/user/tokens");
    assert.ok(list.body.result.some((token: { id: string }) => token.id === id));
    for (const { text } of [got, list]) assert.ok(!text.includes(value));
  });

  test("takes every form of resource key, and answers it as it was sent", async () => {
    const { userId, accountId } = app.owner;
    const forms: readonly (readonly [object, string])[] = [
      [{ [`com.cloudflare.api.account.${accountId}`]: "*" }, accountSettingsRead],
      [{ "com.cloudflare.api.account.*": "*" }, accountSettingsRead],
      [{ [`com.cloudflare.api.account.zone.${zoneId}`]: "*" }, dnsRead],
      [
        { [`com.cloudflare.api.account.${accountId}`]: { "com.cloudflare.api.account.zone.*": "*" } },
        dnsRead,
      ],
      [{ "com.cloudflare.api.account.zone.*": "*" }, dnsRead],
      [{ [`com.cloudflare.api.user.${userId}`]: "*" }, tokensWrite],
    ];
    for (const [resources, group] of forms) {
      const { status, body, text } = await app.request("POST", "/user/tokens", {
        body: { name: "form", policies: [policy({ resources, groups: [group] })] },
      });
      assert.equal(status, 200, text);
      assert.equal(JSON.stringify(body.result.policies[0].resources), JSON.stringify(resources));
    }
  });

  test("takes zone groups on an account, and lets them act on all of its zones, now and later", async (t) => {
    const own = await startTestApp(t, engine);
    const { accountId } = own.owner;
    const otherAccountId = await addAccount(own, "Other", "accepted");
    const zone = await own.createZone("example.org");
    const otherZone = await addZone(own, "example.info", { account_id: otherAccountId });
    const key = { [`com.cloudflare.api.account.${accountId}`]: "*" };
    const all = { "com.cloudflare.api.account.*": "*" };
    const make = async (...policies: readonly object[]) => {
      const answer = await own.request("POST", "/user/tokens", { body: { name: "zones", policies } });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.result;
    };
    const of = await make(policy({ resources: key, groups: [dnsWrite, accountSettingsRead] }));
    const every = await make(policy({ resources: all, groups: [dnsRead] }));
    const denied = await make(policy({}), policy({ effect: "deny", resources: key }));
    assert.deepEqual(of.policies[0].resources, key);

    const later = await own.createZone("example.net");
    const record = { type: "A", name: "a", content: "192.0.2.1" };
    const statusOf = async ({ value }: { value: string }, method: string, id: string) => {
      const path = `/zones/${id}/dns_records`;
      const sent = { headers: bearer(value), ...(method === "POST" && { body: record }) };
      return (await own.request(method, path, sent)).status;
    };
    for (const id of [zone, later]) {
      assert.equal(await statusOf(of, "POST", id), 200);
      assert.equal(await statusOf(every, "GET", id), 200);
      assert.equal(await statusOf(every, "POST", id), 403);
      assert.equal(await statusOf(denied, "GET", id), 404);
    }
    assert.equal(await statusOf(of, "GET", otherZone), 404);
    assert.equal(await statusOf(every, "GET", otherZone), 200);
    assert.equal(await statusOf(denied, "GET", otherZone), 200);
    const listed = await own.request("GET", "/zones", { headers: bearer(of.value) });
    assert.deepEqual(
      listed.body.result.map(({ id }: { id: string }) => id).toSorted(),
      [zone, later].toSorted(),
    );
    const ofAccount = await own.request("GET", `/accounts/${accountId}`, { headers: bearer(of.value) });
    assert.equal(ofAccount.status, 200);
  });

  test("answers a condition under the key that it was sent under, nothing added", async () => {
    const addresses = { in: ["127.0.0.0/8"] };
    const conditions: readonly (readonly [sent: unknown, answered: unknown])[] = [
      [{ "request.ip": addresses }, { "request.ip": addresses }],
      [{ request_ip: { ...addresses, not_in: null } }, { request_ip: addresses }],
      [
        { request_ip: addresses, "request.ip": addresses },
        { "request.ip": addresses, request_ip: addresses },
      ],
      [{ request_ip: {} }, { request_ip: {} }],
      [{ "request.ip": null }, undefined],
      [{}, undefined],
      [null, undefined],
    ];
    for (const [condition, answered] of conditions) {
      const { body, text } = await app.request("POST", "/user/tokens", {
        body: { name: "limited", policies: [policy({})], condition },
      });
      assert.deepEqual(body.result.condition, answered, text);
      const got = await app.request("GET", `/user/tokens/${body.result.id}`);
      assert.deepEqual(got.body.result.condition, answered);
    }
  });

  test("takes a permission group once that a policy names more than once", async () => {
    const { status, body } = await app.request("POST", "/user/tokens", {
      body: { name: "twice", policies: [policy({ groups: [zoneRead, dnsRead, zoneRead] })] },
    });
    assert.equal(status, 200);
    assert.deepEqual(body.result.policies[0].permission_groups, [
      { id: zoneRead, name: "Zone Read" },
      { id: dnsRead, name: "DNS Read" },
    ]);
  });

  test("takes null for the id of a policy, as for whatever else is not set", async () => {
    const { status, body } = await app.request("POST", "/user/tokens", {
      body: { name: "t", policies: [{ id: null, ...policy({}) }], not_before: null, expires_on: null },
    });
    assert.equal(status, 200);
    assert.match(body.result.policies[0].id, /^[0-9a-f]{32}$/);
  });

  test("refuses what is out of order, says where, and makes nothing", async (t) => {
    const foreignAccount = await addAccount(app, "Foreign");
    const zone = "com.cloudflare.api.account.zone";
    const good = policy({});
    const named = (policies: unknown, rest: object = {}) => ({ name: "t", policies, ...rest });
    const ip = (addresses: object) => ({ condition: { "request.ip": addresses } });
    const refused: readonly (readonly [title: string, body: object, pointer: string | undefined, RegExp])[] =
      [
        ["no name", { policies: [good] }, "/name", /name/],
        ["a long name", { name: "x".repeat(121), policies: [good] }, "/name", /name/],
        ["no policies", named([]), "/policies", /policies/],
        ["no resources", named([policy({ resources: {} })]), "/policies/0/resources", /resource/],
        ["no groups", named([policy({ groups: [] })]), "/policies/0/permission_groups", /permission group/],
        [
          "an unknown group",
          named([good, policy({ groups: [unknownId] })]),
          "/policies/1/permission_groups/0/id",
          /permission group/,
        ],
        [
          "a zone that does not exist",
          named([policy({ resources: { [`${zone}.${unknownId}`]: "*" } })]),
          `/policies/0/resources/${zone}.${unknownId}`,
          /no such resource/,
        ],
        [
          "an account out of reach",
          named([
            policy({
              resources: { [`com.cloudflare.api.account.${foreignAccount}`]: "*" },
              groups: [accountSettingsRead],
            }),
          ]),
          `/policies/0/resources/com.cloudflare.api.account.${foreignAccount}`,
          /no such resource/,
        ],
        [
          "another user",
          named([
            policy({ resources: { [`com.cloudflare.api.user.${unknownId}`]: "*" }, groups: [tokensWrite] }),
          ]),
          `/policies/0/resources/com.cloudflare.api.user.${unknownId}`,
          /no such resource/,
        ],
        [
          "another brand",
          named([policy({ resources: { "com.acme.api.account.zone.*": "*" } })]),
          "/policies/0/resources/com.acme.api.account.zone.*",
          /must be a key/,
        ],
        [
          "a group of another type",
          named([policy({ groups: [accountSettingsRead] })]),
          "/policies/0/permission_groups/0/id",
          /^Failed common permission check against resources\. \(Permission group: "Account Settings Read"\)$/,
        ],
        [
          "an id of a policy",
          named([{ id: unknownId, ...good }]),
          "/policies/0/id",
          /^Reusing existing policies is not supported by token creation$/,
        ],
        [
          "a window that ends before it begins",
          named([good], { not_before: "2026-02-01T00:00:00Z", expires_on: "2026-01-01T00:00:00Z" }),
          "/expires_on",
          /after/,
        ],
        ["an empty time", named([good], { expires_on: "" }), "/expires_on", /form/],
        ["a time without seconds", named([good], { expires_on: "2027-01-01T00:00Z" }), "/expires_on", /form/],
        [
          "a time with an offset",
          named([good], { not_before: "2027-01-01T00:00:00+01:00" }),
          "/not_before",
          /form/,
        ],
        [
          "a day that is none",
          named([good], { expires_on: "2027-02-30T00:00:00Z" }),
          "/expires_on",
          /calendar/,
        ],
        [
          "a bare address",
          named([good], ip({ in: ["192.0.2.1"] })),
          "/condition/request.ip/in/0",
          /192\.0\.2\.1\/32/,
        ],
        ["no range", named([good], ip({ not_in: ["all"] })), "/condition/request.ip/not_in/0", /CIDR/],
        [
          "keys that disagree",
          named([good], { condition: { "request.ip": { in: ["192.0.2.0/24"] }, request_ip: {} } }),
          "/condition/request_ip",
          /must say the same as `request\.ip`/,
        ],
        [
          "a restriction of another name",
          named([good], { condition: { "request.ips": { in: ["192.0.2.0/24"] } } }),
          "/condition/request.ips",
          /is not known/,
        ],
        [
          "a list of another name",
          named([good], ip({ notin: ["192.0.2.0/24"] })),
          "/condition/request.ip/notin",
          /is not known/,
        ],
        ["a group without an id", named([{ ...good, permission_groups: [{ name: "DNS Read" }] }]),
          "/policies/0/permission_groups/0/id", /is required/], // prettier-ignore
        ["no list of policies", { name: "t", policies: {} }, "/policies", /array/],
        ["an effect that there is not", named([policy({ effect: "maybe" })]), "/policies/0/effect", /effect/],
      ];
    const earlier = await countTokens(app);
    for (const [title, body, pointer, message] of refused)
      await t.test(title, async () => {
        const answer = await app.request("POST", "/user/tokens", { body });
        assert.equal(answer.status, 400, `${title}: ${answer.text}`);
        const [error] = answer.body.errors;
        assert.equal(error?.code, 1001, `${title}: ${answer.text}`);
        assert.equal(error?.source?.pointer, pointer, `${title}: ${answer.text}`);
        assert.match(error?.message ?? "", message, title);
      });
    assert.equal(await countTokens(app), earlier);
  });

  test("is not for e-mail and key, and says which setting allows it", async () => {
    const earlier = await countTokens(app);
    const { status, body } = await app.request("POST", "/user/tokens", {
      headers: byKey,
      body: { name: "first", policies: [policy({})] },
    });
    assert.equal(status, 405);
    assert.equal(body.errors[0]?.code, 10405);
    assert.match(
      body.errors[0]?.message ?? "",
      /^Method not allowed for this authentication scheme: .*`initial_token` = `api`/,
    );
    for (const rawBody of ["{", "[]", '{"name":7}']) {
      const malformed = await app.request("POST", "/user/tokens", { headers: byKey, rawBody });
      assert.equal(malformed.status, 405, rawBody);
    }
    assert.equal(await countTokens(app), earlier);
    assert.equal((await app.request("GET", "/user/tokens", { headers: byKey })).status, 200);
    const create = await describedSecurity(app);
    assert.deepEqual(create, [{ token: [] }, { session: [] }]);
  });

  test("with initial_token=api takes e-mail and key, within what their user may do", async (t) => {
    const own = await startTestApp(t, engine, { initial_token: "api" });
    const foreign = await addZone(own, "example.org", { account_id: await addAccount(own, "Foreign") });
    const make = (resources: object) =>
      own.request("POST", "/user/tokens", {
        headers: byKey,
        body: { name: "first", policies: [policy({ resources })] },
      });
    assert.ok((await describedSecurity(own)).some((scheme) => "key" in scheme));
    const made = await make({ "com.cloudflare.api.account.zone.*": "*" });
    assert.equal(made.status, 200, made.text);
    const headers = bearer(made.body.result.value);
    assert.equal((await own.request("GET", "/zones", { headers })).status, 200);
    assert.equal((await own.request("GET", `/zones/${foreign}/dns_records`, { headers })).status, 404);
    assert.equal((await own.request("POST", "/user/tokens", { headers, body: {} })).status, 403);
    const counted = await countTokens(own);
    assert.equal((await make({ [`com.cloudflare.api.account.zone.${foreign}`]: "*" })).status, 400);
    assert.equal(await countTokens(own), counted);
  });

  test("advises against what works and is unwise", async () => {
    const maker = await app.request("POST", "/user/tokens", {
      body: {
        name: "maker",
        policies: [
          policy({
            resources: { [`com.cloudflare.api.user.${app.owner.userId}`]: "*" },
            groups: [tokensWrite],
          }),
        ],
      },
    });
    const headers = bearer(maker.body.result.value);
    const messagesOf = async (policies: readonly object[]): Promise<string> => {
      const { body } = await app.request("POST", "/user/tokens", {
        headers,
        body: { name: "made", policies },
      });
      return body.messages.map(({ message }) => message).join("|");
    };
    assert.equal(await messagesOf([policy({})]), "");
    assert.match(await messagesOf([policy({ effect: "deny" })]), /allows anything/);
    const mixed = policy({
      resources: { [`com.cloudflare.api.user.${app.owner.userId}`]: "*" },
      groups: [tokensWrite],
    });
    assert.match(await messagesOf([mixed, policy({})]), /should carry no other permissions/);
  });
});

/** The schemes that the reference names for the creation of a token of a user. */
async function describedSecurity(app: TestApp): Promise<object[]> {
  const response = await fetch(new URL("/openapi.json", app.baseUrl));
  const { paths } = (await response.json()) as {
    paths: Record<string, { post: { security: object[] } }>;
  };
  return paths["/user/tokens"]?.post.security ?? assert.fail();
}
