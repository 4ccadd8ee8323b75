import assert from "node:assert/strict";
import { before, test } from "node:test";

import {
  onComparedEngines,
  startTestApp,
  type TestApp,
  testOnEachEngine,
} from "../../../test/support/harness.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";
import { actionValues } from "../../core/page-rules/actions.ts";

const unknownId = "0123456789abcdef0123456789abcdef";

const target = (value: string) => ({ target: "url", constraint: { operator: "matches", value } });
const rule = (rest: object = {}) => ({
  targets: [target("*example.com/images/*")],
  actions: [{ id: "disable_security" }, { id: "waf", value: "off" }],
  ...rest,
});

onComparedEngines("page rules", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let path: string;
  before(async () => {
    app = await startTestApp(suite, engine);
    path = `/zones/${await app.createZone("example.com")}/pagerules`;
  });

  test("are created, got, replaced, edited and deleted in the form of the public API", async () => {
    const created = await app.request("POST", path, { body: rule({ priority: 2, status: "active" }) });
    assert.equal(created.status, 200, created.text);
    const { id } = created.body.result;
    assert.deepEqual(created.body.result, {
      id,
      targets: [target("*example.com/images/*")],
      actions: [{ id: "disable_security" }, { id: "waf", value: "off" }],
      priority: 2,
      status: "active",
      created_on: "2026-01-02T03:04:05.678000Z",
      modified_on: "2026-01-02T03:04:05.678000Z",
    });
    assert.deepEqual((await app.request("GET", `${path}/${id}`)).body.result, created.body.result);

    app.advance(1_000);
    const edited = await app.request("PATCH", `${path}/${id}`, { body: { status: "disabled" } });
    assert.deepEqual(edited.body.result, {
      ...created.body.result,
      status: "disabled",
      modified_on: "2026-01-02T03:04:06.678000Z",
    });
    const replaced = await app.request("PUT", `${path}/${id}`, {
      body: { targets: [target("example.com/")], actions: [{ id: "always_use_https", value: "on" }] },
    });
    assert.deepEqual(
      [replaced.body.result.actions, replaced.body.result.priority, replaced.body.result.status],
      [[{ id: "always_use_https" }], 1, "disabled"],
    );
    assert.deepEqual((await app.request("DELETE", `${path}/${id}`)).body.result, { id });
    for (const method of ["GET", "DELETE"]) {
      const { status, body } = await app.request(method, `${path}/${id}`);
      assert.equal(status, 404);
      assert.equal(body.errors[0]?.code, 1002);
    }
    assert.equal((await app.request("PUT", `${path}/${unknownId}`, { body: rule() })).status, 404);
  });

  test("lose all their actions by an empty list, but are not created with none", async () => {
    const { id } = (await app.request("POST", path, { body: rule() })).body.result;
    for (const method of ["PUT", "PATCH"]) {
      await app.request("PUT", `${path}/${id}`, { body: rule() });
      const emptied = await app.request(method, `${path}/${id}`, { body: rule({ actions: [] }) });
      assert.equal(emptied.status, 200, emptied.text);
      assert.deepEqual((await app.request("GET", `${path}/${id}`)).body.result.actions, []);
    }
    await app.request("DELETE", `${path}/${id}`);
  });

  test("may have priority 0, which cloudflare-go 0.x sends where there is none", async () => {
    const { status, text, body } = await app.request("POST", path, { body: rule({ priority: 0 }) });
    assert.equal(status, 200, text);
    assert.equal(body.result.priority, 0);
    await app.request("DELETE", `${path}/${body.result.id}`);
  });

  test("are listed whole, the highest priority first unless asked otherwise", async (t) => {
    const own = await startTestApp(t, engine);
    const list = `/zones/${await own.createZone("example.com")}/pagerules`;
    for (const [priority, status] of [
      [1, "active"],
      [3, "disabled"],
      [2, "active"],
    ] as const) {
      await own.request("POST", list, { body: rule({ priority, status }) });
    }
    const prioritiesOf = async (query: string): Promise<number[]> => {
      const { body } = await own.request("GET", list + query);
      assert.equal(body.result_info, undefined);
      return body.result.map(({ priority }: { priority: number }) => priority);
    };
    assert.deepEqual(await prioritiesOf(""), [3, 2, 1]);
    assert.deepEqual(await prioritiesOf("?direction=ASC&order=priority"), [1, 2, 3]);
    assert.deepEqual(await prioritiesOf("?status=active"), [2, 1]);
    assert.deepEqual(await prioritiesOf("?order=status"), [3, 2, 1]);
    assert.equal((await own.request("GET", `${list}?direction=up`)).status, 400);
  });

  test("are taken for any host, and say where no URL of the zone can match", async (t) => {
    const own = await startTestApp(t, engine);
    const zone = await own.createZone("example.com");
    const cases = [
      ["localhost", 1],
      ["example.org/*", 1],
      ["notexample.com/*", 1],
      ["*.example.org/*", 1],
      ["example.com/*", 0],
      ["*.example.com/*", 0],
      ["*.com/*", 0],
      ["*", 0],
    ] as const;
    for (const [value, messages] of cases) {
      const made = await own.request("POST", `/zones/${zone}/pagerules`, {
        body: rule({ targets: [target(value)] }),
      });
      assert.equal(made.status, 200, made.text);
      const item = `/zones/${zone}/pagerules/${made.body.result.id}`;
      const replaced = await own.request("PUT", item, { body: rule({ targets: [target(value)] }) });
      for (const { body } of [made, replaced]) {
        assert.equal(body.result.targets[0].constraint.value, value);
        assert.deepEqual(
          body.messages.map(({ code }) => code),
          Array.from({ length: messages }, () => 1406),
          value,
        );
      }
    }
  });

  test("with errors are refused with all of them, and nothing is stored", async (t) => {
    const refused: readonly (readonly [string, object, string, readonly string[]])[] = [
      [
        "many errors",
        {
          targets: [target("example.com:81/*")],
          actions: [{ id: "waf", value: "maybe" }, { id: "nothing" }, { id: "waf", value: "on" }],
        },
        "/targets/0/constraint/value",
        [
          "targets.0.constraint.value: must name one of the ports 80, 443, 8080 and 8443",
          "actions.0.value: must be one of: on, off",
          "actions.1.id: there is no such action",
          "actions.2.id: is there twice",
        ],
      ],
      ["no action", rule({ actions: [] }), "/actions", ["actions: must hold at least one action"]],
      [
        "a redirect beside a setting",
        rule({
          actions: [
            { id: "forwarding_url", value: { url: "https://example.com/", status_code: 301 } },
            { id: "waf", value: "on" },
          ],
        }),
        "/actions/0/id",
        ['actions.0.id: "forwarding_url" may not be used with "any setting"'],
      ],
      [
        "a redirect of another status",
        rule({
          actions: [{ id: "forwarding_url", value: { url: "https://example.com/", status_code: 307 } }],
        }),
        "/actions/0/value",
        ["actions.0.value: must hold a url of at most 2048 characters and a status_code of 301 or 302"],
      ],
      [
        "a redirect to what is no text",
        rule({
          actions: [{ id: "forwarding_url", value: { url: "https://example.com/\0", status_code: 301 } }],
        }),
        "/actions/0/value",
        ["actions.0.value: must hold a url of at most 2048 characters and a status_code of 301 or 302"],
      ],
      [
        "a redirect to a long URL",
        rule({
          actions: [
            { id: "forwarding_url", value: { url: `https://${"x".repeat(2_041)}`, status_code: 301 } },
          ],
        }),
        "/actions/0/value",
        ["actions.0.value: must hold a url of at most 2048 characters and a status_code of 301 or 302"],
      ],
      [
        "a large object",
        rule({ actions: [{ id: "cache_key_fields", value: { a: "x".repeat(4_089) } }] }),
        "/actions/0/value",
        ["actions.0.value: must be an object of at most 4096 characters of JSON"],
      ],
      [
        "times to live of no status",
        rule({ actions: [{ id: "cache_ttl_by_status", value: {} }] }),
        "/actions/0/value",
        ["actions.0.value: must be an object of at most 4096 characters of JSON, and not empty"],
      ],
      [
        "a cookie whose name is no text",
        rule({ actions: [{ id: "cache_on_cookie", value: "a\ud800" }] }),
        "/actions/0/value",
        ["actions.0.value: must be a text of 1 to 255 characters"],
      ],
      ["nothing", {}, "/targets", ["targets: is required"]],
      ["a list", [], "", ["body: must be object"]],
      ["no target", { ...rule(), targets: [] }, "/targets", ["targets: must hold at least 1 item"]],
      ["a priority below 0", { ...rule(), priority: -1 }, "/priority", ["priority: must be at least 0"]],
      ["a large priority", { ...rule(), priority: 1e10 }, "/priority", ["priority: must be at most 1000000000"]],
      ["an unknown status", { ...rule(), status: "on" }, "/status", ["status: must be one of: active, disabled"]],
    ]; // prettier-ignore
    for (const [title, body, pointer, messages] of refused)
      await t.test(title, async () => {
        const answer = await app.request("POST", path, { body });
        assert.equal(answer.status, 400, title);
        assert.deepEqual(
          answer.body.errors,
          [
            {
              code: 1004,
              message: "Page Rule validation failed: See messages for details.",
              source: { pointer },
            },
          ],
          title,
        );
        assert.deepEqual(
          answer.body.messages.map(({ message }) => message),
          messages,
          title,
        );
      });
    assert.deepEqual((await app.request("GET", path)).body.result, []);
  });

  testOnEachEngine("are at most as many as the plan of the zone allows", async (t, either) => {
    const own = await startTestApp(t, either, { default_plan: "free" });
    const list = `/zones/${await own.createZone("example.com")}/pagerules`;
    const attempts = Array.from({ length: 6 }, () => own.request("POST", list, { body: rule() }));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 3);
    assert.equal((await own.request("GET", list)).body.result.length, 3);
  });

  test("say which actions there are", async () => {
    const { status, body } = await app.request("GET", `${path}/settings`);
    assert.equal(status, 200);
    assert.deepEqual(
      body.result.map(({ id }: { id: string }) => id),
      Object.keys(actionValues),
    );
  });
});
