import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { operations } from "../../src/server/operations.ts";
import { send } from "../authorization/requests.ts";
import { startWorld, type World } from "../authorization/world.ts";
import { byToken } from "../support/harness.ts";
import { suiteContext } from "../support/suite-context.ts";
import { sdkDifferences } from "./differences.ts";
import { publicName } from "./public-schema.ts";
import { sdkOperations, sdkVersion } from "./sdk-schema.ts";
import { fillWorld, inGeneral, reasonedViolations, requestOf, turnOf } from "./success-answers.ts";
import { violations } from "./violations.ts";

describe("answers beside the types of the TypeScript SDK", () => {
  const suite = suiteContext();
  let world: World;
  /** Headers of a token of the account, which alone can verify itself. */
  let byAccountToken: Record<string, string>;
  const used = new Set<string>();
  const reasoned = reasonedViolations(sdkDifferences);

  before(async () => {
    world = await startWorld(suite, "sqlite");
    await fillWorld(world);
    const token = await requestOf(world, "createAccountToken");
    const created = await world.app.request("POST", `/accounts/${world.accountId}/tokens`, token);
    byAccountToken = { authorization: `Bearer ${created.body.result.value}` };
  });

  for (const route of operations.toSorted((one, other) => turnOf(one) - turnOf(other))) {
    const schema = sdkOperations[publicName(route)];
    if (schema === undefined) continue;
    const name = route.operation;
    test(`${name} answers a success as the SDK declares it, but for what has a reason`, async () => {
      const headers = name === "verifyAccountToken" ? byAccountToken : byToken;
      const { status, text, body } = await send(world, route, headers, await requestOf(world, name));
      assert.ok(status >= 200 && status < 300, text);
      const answer: unknown = schema["type"] === "string" ? text : body;
      const found = new Set(
        violations(schema, answer).map((violation) => `${name}: ${inGeneral(violation)}`),
      );
      for (const violation of found) used.add(violation);
      assert.deepEqual(
        [...found].filter((violation) => !reasoned.has(violation)),
        [],
      );
    });
  }

  test("a field that an answer loses, or that is of another type, is told", async () => {
    const schema = sdkOperations["POST /zones"];
    assert.ok(schema);
    const { body } = await world.app.request("POST", "/zones", {
      body: { name: "lossy.example", account: { id: world.otherAccountId } },
    });
    const told = (result: object): string[] =>
      violations(schema, { ...body, result }).filter(
        (violation) => !reasoned.has(`createZone: ${violation}`),
      );
    const { name_servers: _, ...without } = body.result;
    assert.deepEqual(told(without), ["/result must have required property 'name_servers'"]);
    assert.deepEqual(told({ ...body.result, status: "new" }), [
      '/result/status must be equal to one of the allowed values ["active","initializing","moved","pending"]',
    ]);
  });

  test("the pinned schema is of the SDK that is installed", () => {
    const file = fileURLToPath(new URL("../package.json", import.meta.resolve("cloudflare/core/error")));
    assert.equal(JSON.parse(readFileSync(file, "utf8")).version, sdkVersion);
  });

  test("every difference with a reason is there", () => {
    const expected = reasonedViolations(sdkDifferences.filter(({ mayBeAbsent }) => mayBeAbsent !== true));
    assert.deepEqual(
      [...expected].filter((violation) => !used.has(violation)),
      [],
    );
  });
});
