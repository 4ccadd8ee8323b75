import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { addAccount, addZone } from "../../../test/support/store.ts";

interface ListedZone {
  readonly account: { readonly id: string; readonly name: string };
  readonly plan: { readonly id: string };
}

/** Names without their ending, as a set in the order of the answer. */
async function list(app: TestApp, query: string): Promise<string> {
  const { status, body, text } = await app.request("GET", `/zones?${query}`);
  assert.equal(status, 200, `${query}: ${text}`);
  assert.equal(body.result_info?.total_count, body.result.length, query);
  return body.result.map(({ name }: { name: string }) => name.replace(/\.example$/, "")).join(" ");
}

/** Four zones in two accounts, and two that the caller cannot reach. */
async function startWithZones(
  t: Parameters<typeof startTestApp>[0],
  engine: Parameters<typeof startTestApp>[1],
): Promise<TestApp & { readonly second: string; readonly foreign: string }> {
  const app = await startTestApp(t, engine);
  const second = await addAccount(app, "Team: 50%_Blau", "accepted");
  const foreign = await addAccount(app, "Foreign");
  await addZone(app, "apple.example", { status: "active" });
  await addZone(app, "apricot.example", { type: "partial", plan: "free" });
  await addZone(app, "banana.example", { account_id: second, status: "moved", plan: "pro" });
  await addZone(app, "xn--mnchen-3ya.example", {
    account_id: second,
    type: "secondary",
    status: "initializing",
  });
  await addZone(app, "foreign.example", { account_id: foreign, status: "active", type: "internal" });
  const invitedTo = await addAccount(app, "Invited", "pending");
  await addZone(app, "invited.example", { account_id: invitedTo, status: "active" });
  return Object.assign(app, { second, foreign });
}

const munich = "münchen";
const all = `apple apricot banana ${munich}`;

onComparedEngines("listZones", (engine) => {
  test("filters", async (t) => {
    const app = await startWithZones(t, engine);
    const expectEach = async (cases: readonly (readonly [query: string, names: string])[]): Promise<void> => {
      for (const [query, names] of cases) assert.equal(await list(app, query), names, query);
    };

    await t.test("a name is matched by its operator, whatever the case unless the operator says so", () =>
      expectEach([
        ["", all],
        ["name=", all],
        ["name=apple.example", "apple"],
        ["name=APPLE.Example", "apple"],
        ["name=apple.example.", "apple"],
        ["name=equal:apple.example", "apple"],
        ["name=equal:APPLE.example", "apple"],
        ["name=apple", ""],
        ["name=münchen.example", munich],
        ["name=equal:MÜNCHEN.example", munich],
        ["name=xn--mnchen-3ya.example", munich],
        ["name=not_equal:apple.example", `apricot banana ${munich}`],
        ["name=not_equal:münchen.example", "apple apricot banana"],
        ["name=starts_with:ap", "apple apricot"],
        ["name=starts_with:AP", "apple apricot"],
        ["name=starts_with_case_sensitive:ap", "apple apricot"],
        ["name=starts_with_case_sensitive:AP", ""],
        ["name=ends_with:e.example", "apple"],
        ["name=ends_with:.EXAMPLE", all],
        ["name=ends_with_case_sensitive:.EXAMPLE", ""],
        ["name=ends_with_case_sensitive:.example", all],
        ["name=contains:ana", "banana"],
        ["name=contains:ÜNCH", munich],
        ["name=contains:mnchen-", munich],
        ["name=starts_with:mü", munich],
        ["name=starts_with:xn--m", munich],
        ["name=ends_with:ünchen.example", munich],
        ["name=contains_case_sensitive:Ü", ""],
        ["name=contains:ANA", "banana"],
        ["name=contains_case_sensitive:ANA", ""],
        ["name=contains_case_sensitive:ana", "banana"],
        ["name=contains:", all],
        ["name=contains:%25", ""],
        ["name=contains:_", ""],
        ["name=contains:%5C", ""],
        ["name=contains:'", ""],
        ["name=bogus:apple.example", ""],
        ["name=constructor:apple.example", ""],
        ["name=foreign.example", ""],
        ["name=invited.example", ""],
      ]),
    );

    const inSecond = `banana ${munich}`;
    await t.test("an account is matched by id and by name", () =>
      expectEach([
        [`account.id=${app.second}`, inSecond],
        [`account[id]=${app.second}`, inSecond],
        [`account.id=${app.owner.accountId}`, "apple apricot"],
        [`account.id=${app.foreign}`, ""],
        ["account.id=nothing", ""],
        ["account.id=", all],
        ["account.name=Zoneward", "apple apricot"],
        ["account.name=zoneWARD", "apple apricot"],
        ["account[name]=zoneward", "apple apricot"],
        ["account.name=team: 50%25_blau", inSecond],
        ["account.name=starts_with:TEAM:", inSecond],
        ["account.name=starts_with_case_sensitive:TEAM:", ""],
        ["account.name=starts_with_case_sensitive:Team:", inSecond],
        ["account.name=ends_with:%25_BLAU", inSecond],
        ["account.name=contains:%25_", inSecond],
        ["account.name=contains:50_", ""],
        ["account.name=not_equal:zoneward", inSecond],
        ["account.name=Foreign", ""],
        ["account.name=contains:e", all],
      ]),
    );

    await t.test("status and type are matched, types as a list", () =>
      expectEach([
        ["status=active", "apple"],
        ["status=pending", "apricot"],
        ["status=moved", "banana"],
        ["status=initializing", munich],
        ["type=full", "apple banana"],
        ["type=partial", "apricot"],
        ["type=partial,secondary", `apricot ${munich}`],
        ["type=partial, secondary", `apricot ${munich}`],
        ["type=full&type=partial", "apple apricot banana"],
        ["type[]=full&type[]=secondary", `apple banana ${munich}`],
        ["type=internal", ""],
        ["type=", all],
      ]),
    );

    await t.test("filters are joined by and, with match=any by or, and never reach a foreign zone", () =>
      expectEach([
        ["type=full&status=active", "apple"],
        ["type=full&status=active&match=all", "apple"],
        ["type=full&status=active&match=any", "apple banana"],
        ["type=internal&status=moved&match=any", "banana"],
        [`account.id=${app.foreign}&name=apple.example&match=any`, "apple"],
        [`account.id=${app.foreign}&match=any`, ""],
        ["account.name=Foreign&match=any", ""],
        ["name=not_equal:apple.example&match=any", `apricot banana ${munich}`],
        ["match=any", all],
        ["name=contains:a&status=active&type=full&account.name=zoneward", "apple"],
      ]),
    );

    await t.test("zones come in every order, both ways", async () => {
      await expectEach([
        ["order=name", all],
        ["order=name&direction=desc", `${munich} banana apricot apple`],
        ["order=status", `apple ${munich} banana apricot`],
        ["order=status&direction=DESC", `apricot banana ${munich} apple`],
      ]);
      const keys = {
        "account.id": ({ account }: ListedZone) => account.id,
        "account.name": ({ account }: ListedZone) => account.name.toLowerCase(),
        "plan.id": ({ plan }: ListedZone) => plan.id,
      };
      for (const [order, keyOf] of Object.entries(keys)) {
        const { body } = await app.request("GET", `/zones?order=${order}`);
        const sorted = (body.result as ListedZone[]).map(keyOf);
        assert.deepEqual(sorted, sorted.toSorted(), order);
        assert.ok(new Set(sorted).size > 1, order);
      }
    });
  });

  test("a filter that cannot be is 400 code 1003 with a pointer to it", async (t) => {
    const app = await startTestApp(t, engine);
    const statuses = "must be one of: initializing, pending, active, moved";
    const cases = [
      ["status=bogus", "status", statuses],
      ["status=ACTIVE", "status", statuses],
      ["status=active,pending", "status", statuses],
      ["match=some", "match", "must be one of: any, all"],
      ["type=bogus", "type", "must be one or more of: full, partial, secondary, internal"],
      ["type=full,bogus", "type", "must be one or more of: full, partial, secondary, internal"],
      [`name=${"x".repeat(301)}`, "name", "must have at most 300 characters"],
      [`account.name=${"x".repeat(301)}`, "account.name", "must have at most 300 characters"],
    ] as const;
    for (const [query, parameter, rule] of cases)
      await t.test(query, async () => {
        const { status, body } = await app.request("GET", `/zones?${query}`);
        assert.equal(status, 400, query);
        assert.deepEqual(body.errors, [
          {
            code: 1003,
            message: `Invalid query parameter \`${parameter}\`: ${rule}`,
            source: { pointer: `/${parameter}` },
          },
        ]);
      });
  });
});
