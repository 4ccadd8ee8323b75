import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { operations } from "../../src/server/operations.ts";
import { send, type ValidRequest } from "../authorization/requests.ts";
import { startWorld, type World } from "../authorization/world.ts";
import { byToken, type TestAnswer } from "../support/harness.ts";
import { suiteContext } from "../support/suite-context.ts";
import { differences } from "./differences.ts";
import { fillWorld, inGeneral, reasonedViolations, requestOf, turnOf } from "./success-answers.ts";
import {
  describesResult,
  failureSchema,
  publicName,
  publicOperations,
  successSchema,
} from "./public-schema.ts";
import { violations } from "./violations.ts";

/** Every operation that Zoneward and the public document both have. */
const inBoth = operations.flatMap((route) => {
  const known = publicOperations[publicName(route)];
  return known === undefined ? [] : [{ route, known, name: route.operation }];
});

/** In the order in which there is something to answer. */
const inOrder = inBoth.toSorted((one, other) => turnOf(one.route) - turnOf(other.route));

describe("answers beside the public OpenAPI document", () => {
  const suite = suiteContext();
  let world: World;
  const used = new Set<string>();
  const reasoned = reasonedViolations(differences);

  before(async () => {
    world = await startWorld(suite, "sqlite");
    await fillWorld(world);
  });

  test("every operation of the public document is one that is served", () => {
    assert.equal(inBoth.length, Object.keys(publicOperations).length);
    assert.ok(inBoth.length > 130);
  });

  for (const { route, name } of inBoth) {
    test(`${name} answers errors as the public document says`, async () => {
      const requests: [Record<string, string>, ValidRequest][] = [
        [{}, {}],
        [byToken, { params: { zone_id: "x", account_id: "x" } }],
      ];
      if (["POST", "PUT", "PATCH"].includes(route.method)) {
        requests.push([byToken, { rawBody: "{", contentType: "application/json" }]);
      }
      const answers = await Promise.all(
        requests.map(([headers, request]) => send(world, route, headers, request)),
      );
      const errors = answers.filter(({ status }) => status >= 400);
      assert.ok(errors.includes(answers[0] as TestAnswer), "nobody is refused");
      for (const { body, text } of errors) assert.deepEqual(violations(failureSchema, body), [], text);
    });
  }

  for (const { route, known, name } of inOrder) {
    test(`${name} answers a success as the public document says, but for what has a reason`, async () => {
      const { status, text, body } = await send(world, route, byToken, await requestOf(world, name));
      assert.equal(status, known.status, text);
      const schema = successSchema(known);
      if (schema === undefined) return;
      if (Array.isArray(body.result)) assert.ok(body.result.length > 0, "a list of nothing shows nothing");

      const found = [
        ...new Set(violations(schema, body).map((violation) => `${name}: ${inGeneral(violation)}`)),
      ];
      for (const violation of found) used.add(violation);
      assert.deepEqual(
        found.filter((violation) => !reasoned.has(violation)),
        [],
      );

      const changed = ofOtherTypes(body.result);
      const noticed = changed.filter((result) =>
        violations(schema, { ...body, result }).some(
          (violation) => !found.includes(`${name}: ${inGeneral(violation)}`),
        ),
      );
      // One is the result itself, where it has fields.
      if (describesResult(schema)) assert.ok(noticed.length >= Math.min(changed.length, 2));
    });
  }

  test("a field that an answer loses, or that is of another type, is told", async () => {
    const known = publicOperations["POST /zones"];
    const schema = known && successSchema(known);
    assert.ok(schema);
    const { body } = await world.app.request("POST", "/zones", {
      body: { name: "lossy.example", account: { id: world.accountId } },
    });
    assert.deepEqual(violations(schema, body), []);
    const { name_servers: _, ...without } = body.result;
    assert.deepEqual(violations(schema, { ...body, result: without }), [
      "/result must have required property 'name_servers'",
    ]);
    assert.deepEqual(violations(schema, { ...body, result: { ...body.result, development_mode: "no" } }), [
      "/result/development_mode must be number",
    ]);
    assert.deepEqual(violations(schema, { ...body, result: { ...body.result, created_on: "today" } }), [
      '/result/created_on must match format "date-time"',
    ]);
    const { messages: __, ...envelope } = body;
    assert.deepEqual(violations(schema, envelope), [" must have required property 'messages'"]);
  });

  test("every difference with a reason is there", () => {
    const expected = reasonedViolations(differences.filter(({ mayBeAbsent }) => mayBeAbsent !== true));
    assert.deepEqual(
      [...expected].filter((violation) => !used.has(violation)),
      [],
    );
  });
});

/** The value with one part of it of another type, for every part. */
function ofOtherTypes(value: unknown): unknown[] {
  const other = typeof value === "string" ? 7 : "of another type";
  if (Array.isArray(value) && value.length === 0) return [other];
  if (Array.isArray(value)) return [other, ...ofOtherTypes(value[0]).map((item) => value.with(0, item))];
  if (typeof value !== "object" || value === null) return [other];
  const parts = Object.entries(value).flatMap(([key, part]) =>
    ofOtherTypes(part).map((changed) => Object.assign({}, value, { [key]: changed })),
  );
  return [other, ...parts];
}
