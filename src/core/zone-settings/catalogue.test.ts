import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { planOrder } from "../expression/phases.ts";
import { catalogue } from "./catalogue.ts";
import { hasValue, initialValue, isEditable } from "./setting.ts";

describe("the catalogue of zone settings", () => {
  test("each setting begins with a value that it takes on every plan", () => {
    assert.equal(catalogue.size, 76);
    for (const [id, setting] of catalogue) {
      for (const plan of planOrder) {
        const value = initialValue(setting, plan);
        const parsed = setting.values.parse(value, undefined);
        assert.equal(JSON.stringify(parsed), JSON.stringify(value), `${id} on ${plan}`);
        assert.ok(hasValue(setting, plan, value), `${id} on ${plan}`);
      }
    }
  });

  test("a higher plan never has less", () => {
    for (const [id, setting] of catalogue) {
      const editable = planOrder.filter((plan) => isEditable(setting, plan));
      assert.deepEqual(editable, planOrder.slice(planOrder.length - editable.length), id);
      for (const value of Object.keys(setting.valuesFrom ?? {})) {
        const having = planOrder.filter((plan) => hasValue(setting, plan, value));
        assert.ok(having.length > 0, `${id} ${value}`);
        assert.deepEqual(having, planOrder.slice(planOrder.length - having.length), `${id} ${value}`);
      }
    }
  });

  test("whatever is sent as a value is refused or has one form, and what is stored can be sent again", () => {
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom("on", "off", 0, 1, 100, "100", -1, 1.5, null, "", [], {}),
      fc.record({ enabled: fc.jsonValue(), css: fc.constantFrom("on", "off", true) }, { requiredKeys: [] }),
      fc.record({ strict_transport_security: fc.record({ max_age: fc.jsonValue() }) }),
      fc.record({
        status: fc.constantFrom("on", 1),
        mobile_subdomain: fc.oneof(fc.string(), fc.constant(null)),
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...catalogue.values()), anything, (setting, sent) => {
        const value = setting.values.parse(sent, setting.initial);
        if (value === undefined) return;
        const again = setting.values.parse(JSON.parse(JSON.stringify(value)), setting.initial);
        assert.equal(JSON.stringify(again), JSON.stringify(value));
      }),
      { numRuns: 2_000 },
    );
  });
});
