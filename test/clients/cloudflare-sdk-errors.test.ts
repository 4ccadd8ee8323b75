import assert from "node:assert/strict";
import { test } from "node:test";

import Cloudflare, {
  APIConnectionError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  type ClientOptions,
} from "cloudflare";

import { onComparedEngines, ownerEmail, ownerKey, ownerToken, startTestApp } from "../support/harness.ts";

const byToken = { apiToken: ownerToken, apiEmail: null, apiKey: null };
const byKey = { apiToken: null, apiEmail: ownerEmail, apiKey: ownerKey };
const unknownId = "0".repeat(32);
const unknownToken = "t".repeat(40);

/** The client as its users make it, retries included, and the number of requests that it has sent. */
function countingClient(options: ClientOptions): { client: Cloudflare; requestCount: () => number } {
  let count = 0;
  const client = new Cloudflare({
    ...options,
    fetch: (url, init) => {
      count += 1;
      return fetch(url, init);
    },
  });
  return { client, requestCount: () => count };
}

onComparedEngines("errors of the npm package cloudflare", (engine) => {
  test("have their class, status, code and message, and are not tried again", async (t) => {
    const app = await startTestApp(t, engine);
    const { baseUrl: baseURL } = app;
    const zone_id = await app.createZone("example.com");
    const record = { zone_id, type: "A", name: "www", content: "192.0.2.1", ttl: 1 } as const;
    await new Cloudflare({ ...byToken, baseURL }).dns.records.create(record);

    const failures = [
      {
        title: "a record that exists",
        options: byToken,
        call: (client: Cloudflare) => client.dns.records.create(record),
        class: BadRequestError,
        error: { status: 400, code: 81058, message: "An identical record already exists." },
      },
      {
        title: "a record that is not valid",
        options: byToken,
        call: (client: Cloudflare) => client.dns.records.create({ ...record, content: "nowhere" }),
        class: BadRequestError,
        error: { status: 400, code: 9005, message: "Content for A record must be a valid IPv4 address." },
      },
      {
        title: "a zone that exists",
        options: byToken,
        call: (client: Cloudflare) =>
          client.zones.create({ name: "example.com", account: { id: app.owner.accountId } }),
        class: BadRequestError,
        error: { status: 400, code: 1061, message: "example.com already exists" },
      },
      {
        title: "a token of the wrong form",
        options: { ...byToken, apiToken: "short" },
        call: (client: Cloudflare) => client.user.get(),
        class: BadRequestError,
        error: { status: 400, code: 6003, message: "Invalid request headers" },
      },
      {
        title: "an unknown token that asks what it is",
        options: { ...byToken, apiToken: unknownToken },
        call: (client: Cloudflare) => client.user.tokens.verify(),
        class: AuthenticationError,
        error: { status: 401, code: 1000, message: "Invalid API Token" },
      },
      {
        title: "an unknown token",
        options: { ...byToken, apiToken: unknownToken },
        call: (client: Cloudflare) => client.dns.records.delete(unknownId, { zone_id }),
        class: PermissionDeniedError,
        error: { status: 403, code: 9109, message: "Invalid access token" },
      },
      {
        title: "an unknown key",
        options: { ...byKey, apiKey: "f".repeat(37) },
        call: (client: Cloudflare) => client.zones.list(),
        class: PermissionDeniedError,
        error: { status: 403, code: 9103, message: "Unknown X-Auth-Key or X-Auth-Email" },
      },
      {
        title: "an unknown zone",
        options: byKey,
        call: (client: Cloudflare) => client.zones.get({ zone_id: unknownId }),
        class: NotFoundError,
        error: { status: 404, code: 1001, message: "Invalid zone identifier" },
      },
      {
        title: "an unknown record",
        options: byToken,
        call: (client: Cloudflare) => client.dns.records.get(unknownId, { zone_id }),
        class: NotFoundError,
        error: { status: 404, code: 81044, message: "Record does not exist." },
      },
    ];
    for (const { title, options, call, class: expectedClass, error } of failures) {
      const { client, requestCount } = countingClient({ ...options, baseURL });
      const caught: unknown = await call(client).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.ok(caught instanceof expectedClass, title);
      const [{ code, message } = {}] = caught.errors;
      assert.deepEqual({ status: caught.status, code, message }, error, title);
      assert.match(caught.headers.get("cf-ray") ?? "", /^[0-9a-f]{16}-[A-Z]{3}$/, title);
      assert.equal(requestCount(), 1, title);
    }
    const records = await new Cloudflare({ ...byToken, baseURL }).dns.records.list({ zone_id });
    assert.equal(records.result.length, 1);
  });

  test("of the connection are tried again as often as the client is told, and a later try succeeds", async (t) => {
    const app = await startTestApp(t, engine);
    for (const maxRetries of [0, 1]) {
      // Nothing listens on port 1.
      const { client, requestCount } = countingClient({
        ...byToken,
        baseURL: "http://127.0.0.1:1",
        maxRetries,
      });
      await assert.rejects(client.user.get(), APIConnectionError);
      assert.equal(requestCount(), 1 + maxRetries);
    }
    let tries = 0;
    const client = new Cloudflare({
      ...byToken,
      baseURL: app.baseUrl,
      maxRetries: 1,
      fetch: (url, init) => {
        tries += 1;
        return tries === 1 ? Promise.reject(new TypeError("connection lost")) : fetch(url, init);
      },
    });
    assert.equal((await client.user.get()).id, app.owner.userId);
    assert.equal(tries, 2);
  });
});
