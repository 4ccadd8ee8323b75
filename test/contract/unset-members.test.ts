import assert from "node:assert/strict";
import { before, test } from "node:test";

import { Ajv } from "ajv";

import { operations } from "../../src/server/operations.ts";
import { send } from "../authorization/requests.ts";
import { startWorld, type World } from "../authorization/world.ts";
import { byToken, onComparedEngines } from "../support/harness.ts";
import { suiteContext } from "../support/suite-context.ts";
import { fillWorld, requestOf, turnOf } from "./success-answers.ts";

type Schema = Readonly<Record<string, unknown>>;

onComparedEngines("null for a member that is not set", (engine) => {
  const suite = suiteContext();
  let world: World;
  let described: Readonly<Record<string, Schema>>;

  before(async () => {
    world = await startWorld(suite, engine);
    await fillWorld(world);
    described = await describedBodies(world);
  });

  test("does what leaving it out does, at any depth", async () => {
    const { app, accountId, zoneId } = world;
    const zone = `/zones/${zoneId}`;
    const set = async (method: "PUT" | "PATCH" | "POST", path: string, body: object): Promise<unknown> => {
      const { status, text, body: answer } = await app.request(method, path, { body });
      assert.equal(status, 200, text);
      return answer.result;
    };
    await set("PATCH", `${zone}/dnssec`, { status: "active", dnssec_multi_signer: true });
    await set("PUT", `/accounts/${accountId}`, {
      name: "Null",
      settings: { abuse_contact_email: "abuse@example.com" },
    });
    const cases = [
      [
        "PATCH",
        `${zone}/dnssec`,
        { dnssec_multi_signer: null, dnssec_presigned: null, dnssec_use_nsec3: null },
      ],
      [
        "PATCH",
        `${zone}/dns_settings`,
        { ns_ttl: null, soa: null, nameservers: { type: null, ns_set: null } },
      ],
      ["PATCH", `${zone}/ssl/universal/settings`, { enabled: null }],
      ["PATCH", `${zone}/managed_headers`, { managed_request_headers: null, managed_response_headers: null }],
      ["PATCH", `${zone}/hold`, { include_subdomains: null }],
      ["PUT", `/accounts/${accountId}`, { name: "Null", type: null, settings: { enforce_twofactor: null } }],
      [
        "PATCH",
        `${zone}/settings/security_header`,
        { value: { strict_transport_security: { enabled: true, max_age: null, preload: null } } },
      ],
    ] as const;
    for (const [method, path, body] of cases) {
      const withNull = await set(method, path, body);
      assert.deepEqual(withNull, await set(method, path, withoutNulls(body) as object), path);
    }
    const targets = [{ target: "url", constraint: { operator: null, value: "*example.com/null/*" } }];
    const value = { query_string: { include: null, exclude: "*" }, host: null };
    const rule = await app.request("POST", `${zone}/pagerules`, {
      body: { targets, actions: [{ id: "cache_key_fields", value }], status: null },
    });
    assert.deepEqual(rule.body.result.actions, [
      { id: "cache_key_fields", value: { query_string: { exclude: "*" } } },
    ]);
  });

  test("removes a description, a priority or an authority that a replacement otherwise keeps", async () => {
    const { app, zoneId } = world;
    const cases = [
      [
        "firewall/lockdowns",
        { urls: ["example.com/null"], configurations: [{ target: "ip", value: "192.0.2.1" }] },
        { description: "office", priority: 3 },
      ],
      [
        "firewall/ua_rules",
        { mode: "block", configuration: { target: "ua", value: "Null" } },
        { description: "a bot" },
      ],
      ["acm/total_tls", { enabled: true }, { certificate_authority: "lets_encrypt" }],
    ] as const;
    for (const [name, required, optional] of cases) {
      const path = `/zones/${zoneId}/${name}`;
      const { body: made } = await app.request("POST", path, { body: { ...required, ...optional } });
      const [method, item] =
        made.result.id === undefined
          ? (["POST", path] as const)
          : (["PUT", `${path}/${made.result.id}`] as const);
      const nulls = Object.fromEntries(Object.keys(optional).map((member) => [member, null]));
      const kept = (await app.request(method, item, { body: required })).body.result;
      const removed = (await app.request(method, item, { body: { ...required, ...nulls } })).body.result;
      for (const [member, value] of Object.entries(optional)) {
        assert.deepEqual([kept[member], removed[member]], [value, undefined], name);
      }
    }
  });

  test("is refused for a member that is required, and nothing changes", async () => {
    const { app, zoneId } = world;
    const earlier = (await app.request("GET", `/zones/${zoneId}/firewall/ua_rules`)).body.result;
    const { status, body } = await app.request("POST", `/zones/${zoneId}/firewall/ua_rules`, {
      body: { mode: "block", configuration: { target: "ua", value: null } },
    });
    assert.deepEqual([status, body.errors[0]?.source?.pointer], [400, "/configuration/value"]);
    assert.deepEqual((await app.request("GET", `/zones/${zoneId}/firewall/ua_rules`)).body.result, earlier);
  });

  for (const route of operations.toSorted((one, other) => turnOf(one) - turnOf(other))) {
    const schema = route.schemas.body;
    if (schema === undefined || typeof route.access === "string") continue;
    const name = route.operation;
    test(`${name} takes it for every optional member, as the document says`, async () => {
      const request = await requestOf(world, name);
      if (request.rawBody !== undefined) return;
      const body = withNulls(schema, request.body);
      const { status, text } = await send(world, route, byToken, { ...request, body });
      assert.ok(status >= 200 && status < 300, `${text} for ${JSON.stringify(body)}`);
      const ajv = new Ajv({ strict: false, validateFormats: false });
      assert.ok(ajv.validate(described[name] ?? false, body), ajv.errorsText());
    });
  }
});

/** The bodies of requests in the OpenAPI document. */
async function describedBodies({ app }: World): Promise<Record<string, Schema>> {
  const answer = await fetch(new URL("/openapi.json", app.baseUrl));
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Described>> };
  const all = Object.values(paths).flatMap((item) => Object.values(item));
  return Object.fromEntries(
    all.flatMap(({ operationId, requestBody }) => {
      const [content] = Object.values(requestBody?.content ?? {});
      return content === undefined ? [] : [[operationId, content.schema]];
    }),
  );
}

interface Described {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The body with null for each member that it lacks, at any depth. */
function withNulls(schema: Schema, body: unknown): unknown {
  const parts = alternatives(schema);
  if (Array.isArray(body)) {
    const [items] = parts.flatMap((part) => (part["items"] === undefined ? [] : [part["items"] as Schema]));
    return items === undefined ? body : body.map((item) => withNulls(items, item));
  }
  if (typeof body !== "object" || body === null) return body ?? {};
  const members = parts.flatMap(({ properties }) =>
    Object.entries((properties ?? {}) as Record<string, Schema>),
  );
  const sent = body as Record<string, unknown>;
  return {
    ...sent,
    ...Object.fromEntries(
      members.map(([name, part]) => [name, sent[name] === undefined ? null : withNulls(part, sent[name])]),
    ),
  };
}

function alternatives(schema: Schema): Schema[] {
  const inner = [...((schema["anyOf"] ?? []) as Schema[]), ...((schema["allOf"] ?? []) as Schema[])];
  return [schema, ...inner.flatMap(alternatives)];
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const set = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(set.map(([name, inner]) => [name, withoutNulls(inner)]));
}
