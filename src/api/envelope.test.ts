import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { byToken, startTestApp } from "../../test/support/harness.ts";

const unknownId = "0123456789abcdef0123456789abcdef";
const unknownToken = { authorization: `Bearer ${"x".repeat(40)}` };

describe("envelope", () => {
  test("a success comes as result, success, errors, messages, compact and with id first", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const created = await app.request("POST", "/zones", { body: { name: "example.com" } });
    const paths = ["/user", `/accounts/${app.owner.accountId}`, `/zones/${created.body.result.id}`];
    const answers = [created, ...(await Promise.all(paths.map((path) => app.request("GET", path))))];
    for (const { status, text, body } of answers) {
      assert.equal(status, 200, text);
      assert.deepEqual(Object.keys(body), ["result", "success", "errors", "messages"]);
      assert.deepEqual([body.success, body.errors, body.messages], [true, [], []]);
      assert.match(text, /^\{"result":\{"id":"[0-9a-f]{32}",/);
      assert.equal(text, JSON.stringify(body));
    }
  });

  test("a page has result_info after result", async (t) => {
    const app = await startTestApp(t, "sqlite");
    await app.createZone("example.com");
    for (const path of ["/zones", "/accounts", "/memberships"]) {
      const { status, text, body } = await app.request("GET", path);
      assert.equal(status, 200, text);
      assert.match(text, /^\{"result":\[\{"id":"[0-9a-f]{32}",/);
      assert.equal(text, JSON.stringify(body));
      assert.ok(
        text.endsWith(
          '],"result_info":{"page":1,"per_page":20,"count":1,"total_count":1,"total_pages":1},"success":true,"errors":[],"messages":[]}',
        ),
        text,
      );
    }
  });

  test("an empty list is one page of nothing", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const { text } = await app.request("GET", "/zones");
    assert.equal(
      text,
      '{"result":[],"result_info":{"page":1,"per_page":20,"count":0,"total_count":0,"total_pages":1},"success":true,"errors":[],"messages":[]}',
    );
  });

  test("a zone's own name stands before every other name: clients search the text for it", async (t) => {
    const app = await startTestApp(t, "sqlite");
    await app.createZone("example.com");
    const { text } = await app.request("GET", "/zones");
    assert.equal(text.indexOf('"name":'), text.indexOf('"name":"example.com"'));
  });

  test("a message of a success has its code, text and type", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const { text } = await app.request("GET", "/user/tokens/verify");
    assert.match(
      text,
      /^\{"result":\{"id":"[0-9a-f]{32}","status":"active"\},"success":true,"errors":\[\],"messages":\[\{"code":10000,"message":"This API Token is valid and active","type":null\}\]\}$/,
    );
  });

  test("an error made before a resource is reached puts success first", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const cases = [
      {
        path: "/zones",
        headers: {},
        body: '{"success":false,"errors":[{"code":9106,"message":"Missing X-Auth-Key, X-Auth-Email or Authorization headers"}],"messages":[],"result":null}',
      },
      {
        path: "/zones",
        headers: { authorization: "Bearer short" },
        body: '{"success":false,"errors":[{"code":6003,"message":"Invalid request headers","error_chain":[{"code":6111,"message":"Invalid format for Authorization header"}]}],"messages":[],"result":null}',
      },
      {
        path: "/zones",
        headers: unknownToken,
        body: '{"success":false,"errors":[{"code":9109,"message":"Invalid access token"}],"messages":[],"result":null}',
      },
      {
        path: "/nothing",
        headers: byToken,
        body: '{"success":false,"errors":[{"code":7000,"message":"No route for that URI"}],"messages":[],"result":null}',
      },
      {
        path: "/user/tokens/verify",
        headers: unknownToken,
        body: '{"success":false,"errors":[{"code":1000,"message":"Invalid API Token"}],"messages":[],"result":null}',
      },
    ];
    for (const { path, headers, body } of cases) {
      assert.equal((await app.request("GET", path, { headers })).text, body);
    }
  });

  test("an error of a resource puts result first", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const cases = [
      [
        "/zones/asfdsafd/dns_records",
        '{"result":null,"success":false,"errors":[{"code":7003,"message":"Could not route to /client/v4/zones/asfdsafd/dns_records, perhaps your object identifier is invalid?"}],"messages":[]}',
      ],
      [
        `/zones/${unknownId}`,
        '{"result":null,"success":false,"errors":[{"code":1001,"message":"Invalid zone identifier"}],"messages":[]}',
      ],
      [
        "/zones?page=0",
        '{"result":null,"success":false,"errors":[{"code":1003,"message":"Invalid query parameter `page`: must be an integer of at least 1","source":{"pointer":"/page"}}],"messages":[]}',
      ],
    ] as const;
    for (const [path, body] of cases) assert.equal((await app.request("GET", path)).text, body);
  });
});
