import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { addAccount, addZone } from "../../../test/support/store.ts";
import { createZonePart, type ZonePart } from "../../../test/support/zone-parts.ts";

const started = "2026-01-02T03:04:05.678000Z";
const later = "2026-01-02T03:04:06.678000Z";

const planOf = async (app: TestApp, { zoneId }: ZonePart) =>
  (await app.request("GET", `/zones/${zoneId}`)).body.result.plan;

onComparedEngines("plans of a zone", (engine) => {
  test("listAvailablePlans offers every plan and marks the zone's own", async (t) => {
    const app = await startTestApp(t, engine);
    const plans = await createZonePart(app, "available_plans", { plan: "pro" });
    const answer = await plans.send("GET");
    assert.equal(answer.body.result_info, undefined);
    assert.deepEqual(answer.body.result[1], {
      id: "a577b510288e82b26486fd1df47000ec",
      name: "Pro Website",
      price: 20,
      currency: "USD",
      frequency: "monthly",
      is_subscribed: true,
      can_subscribe: true,
      legacy_id: "pro",
      legacy_discount: false,
      externally_managed: false,
    });
    assert.deepEqual(
      answer.body.result.map(({ legacy_id, is_subscribed }: Record<string, unknown>) => [
        legacy_id,
        is_subscribed,
      ]),
      [
        ["free", false],
        ["pro", true],
        ["business", false],
        ["enterprise", false],
      ],
    );
  });

  test("getAvailablePlan takes the id of a plan and its name", async (t) => {
    const app = await startTestApp(t, engine);
    const plans = await createZonePart(app, "available_plans");
    for (const id of ["94f3b7b768b0458b56d2cac4fe5ec0f9", "enterprise"]) {
      const plan = await plans.result("GET", `/${id}`);
      assert.equal(plan.name, "Enterprise Website");
      assert.equal(plan.is_subscribed, true);
    }
    await plans.refuses("GET", `/${"0".repeat(32)}`, undefined, {
      status: 404,
      code: 1088,
      message: "Invalid/Missing Zone plan ID",
    });
    await plans.refuses("GET", "/premium", undefined, {
      status: 404,
      code: 7003,
      message: `Could not route to /client/v4/zones/${plans.zoneId}/available_plans/premium, perhaps your object identifier is invalid?`,
    });
  });

  test("listAvailableRatePlans names what a subscription can ask for", async (t) => {
    const app = await startTestApp(t, engine);
    const ratePlans = await createZonePart(app, "available_rate_plans");
    const subscription = await createZonePart(app, "subscription", { name: "example.net" });
    for (const { id, name } of await ratePlans.result("GET")) {
      await subscription.result("PUT", "", { rate_plan: { id } });
      assert.equal((await planOf(app, subscription)).name, name);
    }
  });

  test("a zone that never subscribed answers its plan as a subscription", async (t) => {
    const app = await startTestApp(t, engine);
    const subscription = await createZonePart(app, "subscription", { plan: "business" });
    assert.deepEqual(await subscription.result("GET"), {
      id: subscription.zoneId,
      rate_plan: {
        id: "business",
        public_name: "Business Website",
        currency: "USD",
        scope: "zone",
        sets: [],
        is_contract: false,
        externally_managed: false,
      },
      component_values: [{ name: "page_rules", value: 50, default: 50, price: 0 }],
      zone: { id: subscription.zoneId, name: "example.com" },
      state: "Paid",
      price: 200,
      currency: "USD",
      frequency: "monthly",
      current_period_start: started,
      current_period_end: null,
    });
  });

  test("POST and PUT both set the plan, by any name of it, whether or not there was a subscription", async (t) => {
    const app = await startTestApp(t, engine);
    const subscription = await createZonePart(app, "subscription", { plan: "free" });
    const names: [sent: string, name: string, shown?: string][] = [
      ["CF_PRO_20_20", "Pro Website"],
      ["pro_plus", "Pro Website"],
      ["CF_BIZ", "Business Website"],
      ["partners_business", "Business Website"],
      ["PARTNERS_ENT", "Enterprise Website", "enterprise"],
      ["partners_enterprise", "Enterprise Website", "enterprise"],
      ["enterprise", "Enterprise Website"],
      ["0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "Free Website"],
      ["CF_FREE", "Free Website"],
    ];
    for (const [id, name, shown = id] of names) {
      for (const method of ["POST", "PUT"]) {
        const answer = await subscription.result(method, "", { rate_plan: { id } });
        assert.deepEqual([answer.rate_plan.id, answer.rate_plan.public_name], [shown, name]);
        assert.deepEqual(await subscription.result("GET"), answer);
        assert.equal((await planOf(app, subscription)).name, name);
      }
    }
  });

  test("a subscription keeps what was sent and when, through a restart and changes of its frequency", async (t) => {
    const app = await startTestApp(t, engine);
    const subscription = await createZonePart(app, "subscription", { plan: "free" });
    app.advance(1_000);
    await subscription.result("POST", "", { rate_plan: { id: "CF_PRO_20_20" }, frequency: "yearly" });
    app.advance(1_000);
    await app.restart();
    const look = async () => {
      const { rate_plan, frequency, current_period_start } = await subscription.result("GET");
      return [rate_plan.id, frequency, current_period_start];
    };
    assert.deepEqual(await look(), ["CF_PRO_20_20", "yearly", later]);
    await subscription.result("PUT", "", { frequency: "quarterly" });
    assert.deepEqual(await look(), ["CF_PRO_20_20", "quarterly", later]);
    await subscription.setPlan("business");
    assert.deepEqual(await look(), ["business", "monthly", started]);
  });

  test("the frequency of Free and Enterprise is not applicable, whatever is sent, and can be sent back", async (t) => {
    const app = await startTestApp(t, engine);
    const subscription = await createZonePart(app, "subscription", { plan: "free" });
    const read = async () => (await subscription.result("GET")).frequency;
    assert.equal(await read(), "not-applicable");
    const sent: [plan: string, frequency: string, shown: string][] = [
      ["enterprise", "monthly", "not-applicable"],
      ["enterprise", "not-applicable", "not-applicable"],
      ["pro", "yearly", "yearly"],
      ["pro", "not-applicable", "yearly"],
      ["free", "not-applicable", "not-applicable"],
    ];
    for (const [plan, frequency, shown] of sent) {
      const answer = await subscription.result("PUT", "", { rate_plan: { id: plan }, frequency });
      assert.deepEqual([answer.frequency, await read()], [shown, shown]);
    }
  });

  test("a plan that changes changes when the zone was modified, one that stays does not", async (t) => {
    const app = await startTestApp(t, engine);
    const subscription = await createZonePart(app, "subscription", { plan: "pro" });
    const modifiedOn = async () =>
      (await app.request("GET", `/zones/${subscription.zoneId}`)).body.result.modified_on as string;
    app.advance(1_000);
    await subscription.result("PUT", "", { rate_plan: { id: "pro" } });
    assert.equal(await modifiedOn(), started);
    await subscription.result("PUT", "", { rate_plan: { id: "business" } });
    assert.equal(await modifiedOn(), later);
  });

  test("a rate plan that does not exist is refused", async (t) => {
    const app = await startTestApp(t, engine);
    const subscription = await createZonePart(app, "subscription");
    for (const method of ["POST", "PUT"]) {
      for (const id of ["lite", "", "constructor"]) {
        await subscription.refuses(
          method,
          "",
          { rate_plan: { id } },
          {
            code: 1088,
            message: "Invalid/Missing Zone plan ID",
            pointer: "/rate_plan/id",
          },
        );
      }
      await subscription.refuses(
        method,
        "",
        { frequency: "hourly" },
        {
          code: 1003,
          message:
            "Invalid body `frequency`: must be one of: weekly, monthly, quarterly, yearly, not-applicable",
          pointer: "/frequency",
        },
      );
    }
  });

  test("the plans of somebody else's zone are not found", async (t) => {
    const app = await startTestApp(t, engine);
    const foreign = await addZone(app, "foreign.example", { account_id: await addAccount(app, "Foreign") });
    const body = { rate_plan: { id: "enterprise" } };
    const requests: [string, string, object?][] = [
      ["GET", "available_plans"],
      ["GET", "available_plans/free"],
      ["GET", "available_rate_plans"],
      ["GET", "subscription"],
      ["POST", "subscription", body],
      ["PUT", "subscription", body],
    ];
    for (const [method, path, sent] of requests) {
      const answer = await app.request(method, `/zones/${foreign}/${path}`, { body: sent });
      assert.equal(answer.status, 404, `${method} ${path}`);
      assert.deepEqual(answer.body.errors, [{ code: 1001, message: "Invalid zone identifier" }]);
    }
  });
});
