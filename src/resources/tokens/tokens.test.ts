import assert from "node:assert/strict";
import { before, test } from "node:test";

import { byKey, onEachEngine, startTestApp, type TestApp } from "../../../test/harness.ts";
import { addAccount, besideServer } from "../../../test/store.ts";
import { suiteContext } from "../../../test/suite-context.ts";

const unknownId = "0123456789abcdef0123456789abcdef";
const zoneRead = "c8fed203ed3043cba015a93ad1616f1f";
const dnsRead = "82e64a83756745bbbb1c9c2701bf816b";
const dnsWrite = "4755a26eedb94da69e1066d98aa820be";
const tokensWrite = "686d18d5ac6c441c867cbf6771e58a0a";
const accountSettingsRead = "c1fde68c7bcc44588cbb6ddbc16d6480";

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

interface PolicyParts {
  readonly effect?: string;
  readonly resources?: object;
  readonly groups?: readonly string[];
}

const policy = ({ effect = "allow", resources, groups = [dnsRead] }: PolicyParts) => ({
  effect,
  resources: resources ?? { "com.cloudflare.api.account.zone.*": "*" },
  permission_groups: groups.map((id) => ({ id })),
});

async function countTokens(app: TestApp): Promise<number> {
  const { body } = await app.request("GET", "/user/tokens?include_expired=true");
  return body.result_info?.total_count ?? Number.NaN;
}

onEachEngine("createToken", (engine) => {
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

  test("answers a condition under the key that it was sent under, nothing added (decision 12)", async () => {
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

  test("takes null for the id of a policy, as for whatever else is not set", async () => {
    const { status, body } = await app.request("POST", "/user/tokens", {
      body: { name: "t", policies: [{ id: null, ...policy({}) }], not_before: null, expires_on: null },
    });
    assert.equal(status, 200);
    assert.match(body.result.policies[0].id, /^[0-9a-f]{32}$/);
  });

  test("refuses what is out of order, says where, and makes nothing (decision 12)", async () => {
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
        ["a group without an id", named([{ ...good, permission_groups: [{ name: "DNS Read" }] }]),
          "/policies/0/permission_groups/0/id", /is required/], // prettier-ignore
        ["no list of policies", { name: "t", policies: {} }, "/policies", /array/],
        ["an effect that there is not", named([policy({ effect: "maybe" })]), "/policies/0/effect", /effect/],
      ];
    const earlier = await countTokens(app);
    for (const [title, body, pointer, message] of refused) {
      const answer = await app.request("POST", "/user/tokens", { body });
      assert.equal(answer.status, 400, `${title}: ${answer.text}`);
      const [error] = answer.body.errors;
      assert.equal(error?.code, 1001, `${title}: ${answer.text}`);
      assert.equal(error?.source?.pointer, pointer, `${title}: ${answer.text}`);
      assert.match(error?.message ?? "", message, title);
    }
    assert.equal(await countTokens(app), earlier);
  });

  test("is not for e-mail and key (decision 4)", async () => {
    const earlier = await countTokens(app);
    const { status, body } = await app.request("POST", "/user/tokens", {
      headers: byKey,
      body: { name: "first", policies: [policy({})] },
    });
    assert.equal(status, 405);
    assert.deepEqual(body.errors, [
      { code: 10405, message: "Method not allowed for this authentication scheme" },
    ]);
    assert.equal(await countTokens(app), earlier);
    assert.equal((await app.request("GET", "/user/tokens", { headers: byKey })).status, 200);
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

onEachEngine("a token", (engine) => {
  test("is replaced whole, keeps its secret and the ids of policies that are sent with theirs", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("example.com");
    const made = await app.request("POST", "/user/tokens", {
      body: {
        name: "before",
        policies: [policy({})],
        expires_on: "2030-01-01T00:00:00Z",
        condition: { request_ip: { in: ["127.0.0.1/32"] } },
      },
    });
    const { id, value, policies } = made.body.result;
    app.advance(5_000);
    const { status, body } = await app.request("PUT", `/user/tokens/${id}`, {
      body: {
        name: "after",
        policies: [policies[0], policy({ groups: [dnsWrite] }), { id: unknownId, ...policy({}) }],
      },
    });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body.result), [
      "id", "name", "status", "issued_on", "modified_on", "last_used_on", "policies",
    ]); // prettier-ignore
    assert.equal(body.result.name, "after");
    assert.equal(body.result.modified_on, "2026-01-02T03:04:10Z");
    assert.equal(body.result.policies[0].id, policies[0].id);
    assert.notEqual(body.result.policies[2].id, unknownId);
    const record = { type: "A", name: "a.example.com", content: "192.0.2.1" };
    const write = await app.request("POST", `/zones/${zoneId}/dns_records`, {
      headers: bearer(value),
      body: record,
    });
    assert.equal(write.status, 200);

    for (const wrong of [{ name: "x", policies: [] }, { name: "x" }]) {
      const refused = await app.request("PUT", `/user/tokens/${id}`, { body: wrong });
      assert.deepEqual([refused.status, refused.body.errors[0]?.code], [400, 1001]);
    }
    const { body: now } = await app.request("GET", `/user/tokens/${id}`);
    assert.deepEqual({ ...now.result, last_used_on: null }, body.result);
  });

  test("is deleted once, however many ask for it at a time", async (t) => {
    const app = await startTestApp(t, engine);
    const body = { name: "t", policies: [policy({})] };
    const { id } = (await app.request("POST", "/user/tokens", { body })).body.result;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => app.request("DELETE", `/user/tokens/${id}`)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 404, 404, 404, 404, 404],
    );
    const log = await app.request("GET", "/user/audit_logs?action.type=token_delete");
    assert.equal(log.body.result_info?.total_count, 1);
  });

  test("that is disabled, deleted or rolled stops at the next request; enabled again it goes on", async (t) => {
    const app = await startTestApp(t, engine);
    const body = { name: "t", policies: [policy({})] };
    const made = await app.request("POST", "/user/tokens", { body });
    const { id, value } = made.body.result;
    const use = async (secret: string): Promise<number> =>
      (await app.request("GET", "/zones", { headers: bearer(secret) })).status;
    const put = (rest: object) => app.request("PUT", `/user/tokens/${id}`, { body: { ...body, ...rest } });

    assert.equal(await use(value), 200);
    assert.equal((await put({ status: "disabled" })).body.result.status, "disabled");
    assert.equal(await use(value), 403);
    assert.equal((await put({})).body.result.status, "disabled");
    assert.equal((await put({ status: "active" })).body.result.status, "active");
    assert.equal(await use(value), 200);

    const rolled = await app.request("PUT", `/user/tokens/${id}/value`, { body: {} });
    assert.match(rolled.body.result, /^zw_[0-9A-Za-z]{37}$/);
    assert.equal(await use(value), 403);
    assert.equal(await use(rolled.body.result), 200);

    assert.deepEqual((await app.request("DELETE", `/user/tokens/${id}`, { rawBody: "{}" })).body.result, {
      id,
    });
    assert.equal(await use(rolled.body.result), 403);
    for (const method of ["GET", "DELETE"]) {
      assert.equal((await app.request(method, `/user/tokens/${id}`)).status, 404);
    }
    assert.equal((await put({})).status, 404);
  });

  test("holds from its first second to before its last, and is listed as expired when asked for", async (t) => {
    const app = await startTestApp(t, engine);
    const made = await app.request("POST", "/user/tokens", {
      body: {
        name: "short",
        policies: [policy({})],
        not_before: "2026-01-02T03:04:10Z",
        expires_on: "2026-01-02T03:04:20Z",
      },
    });
    const { id, value } = made.body.result;
    const at = async (milliseconds: number): Promise<readonly [number, number]> => {
      app.advance(milliseconds);
      const headers = bearer(value);
      return [
        (await app.request("GET", "/zones", { headers })).status,
        (await app.request("GET", "/user/tokens/verify", { headers })).status,
      ];
    };
    assert.deepEqual(await at(0), [403, 401]);
    assert.deepEqual(await at(4_321), [403, 401]);
    assert.deepEqual(await at(1), [200, 200]);
    assert.deepEqual(await at(9_999), [200, 200]);
    assert.deepEqual(await at(1), [403, 401]);
    const list = async (query: string): Promise<string[]> => {
      const { body } = await app.request("GET", `/user/tokens${query}`);
      return body.result.map(({ name, status }: { name: string; status: string }) => `${name} ${status}`);
    };
    assert.deepEqual(await list(""), ["Owner token active"]);
    assert.deepEqual(await list("?include_expired=true&order=name"), ["Owner token active", "short expired"]);
    assert.equal((await app.request("GET", `/user/tokens/${id}`)).body.result.status, "expired");
  });

  test("says when it was last used, once that is written", async (t) => {
    const app = await startTestApp(t, engine);
    const made = await app.request("POST", "/user/tokens", { body: { name: "t", policies: [policy({})] } });
    const { id, value } = made.body.result;
    app.advance(60_000);
    await app.request("GET", "/zones", { headers: bearer(value) });
    await app.restart();
    const { body } = await app.request("GET", `/user/tokens/${id}`);
    assert.equal(body.result.last_used_on, "2026-01-02T03:05:05Z");
  });

  test("is one of at most as many as the quota says, also when several are made at once", async (t) => {
    const app = await startTestApp(t, engine, { user_token_quota: 5 });
    const attempts = Array.from({ length: 10 }, () =>
      app.request("POST", "/user/tokens", { body: { name: "t", policies: [policy({})] } }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 4);
    assert.equal(statuses.filter((status) => status === 400).length, 6);
    assert.equal(await countTokens(app), 5);
  });

  test("loses with its owner what the owner loses, at the next request", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("example.com");
    const made = await app.request("POST", "/user/tokens", { body: { name: "t", policies: [policy({})] } });
    const headers = bearer(made.body.result.value);
    assert.equal((await app.request("GET", `/zones/${zoneId}`, { headers })).status, 200);
    await besideServer(app, (tx) => tx.updateTable("memberships").set({ status: "rejected" }).execute());
    await app.restart();
    assert.equal((await app.request("GET", `/zones/${zoneId}`, { headers })).status, 404);
    assert.deepEqual((await app.request("GET", "/zones", { headers })).body.result, []);
  });
});
