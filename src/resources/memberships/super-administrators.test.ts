import assert from "node:assert/strict";
import { before, test } from "node:test";

import * as fc from "fast-check";

import { superAdministratorId } from "../../core/policy/roles.ts";
import {
  byKey,
  onComparedEngines,
  onEachEngine,
  ownerEmail,
  startTestApp,
  type TestApp,
  testOnEachEngine,
} from "../../../test/support/harness.ts";
import { addUser, besideServer, type TestUser } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const dns = "f0a6c7b1d5e48f60db5c9d0e1f2a3b45";

async function superAdministrators(app: TestApp): Promise<number> {
  const rows = await besideServer(app, (tx) =>
    tx
      .selectFrom("memberships")
      .select("id")
      .where("account_id", "=", app.owner.accountId)
      .where("status", "=", "accepted")
      .where("roles", "like", `%${superAdministratorId}%` as never)
      .execute(),
  );
  return rows.length;
}

onComparedEngines("the last super administrator of an account", (engine) => {
  test("cannot be removed or demoted, and cannot leave", async (t) => {
    const app = await startTestApp(t, engine);
    const path = `/accounts/${app.owner.accountId}/members`;
    await app.request("POST", path, { body: { email: "a@example.com", roles: [superAdministratorId] } });
    await addUser(app, "b@example.com", { account: app.owner.accountId, role: "Administrator" });
    const [{ id }] = (await app.request("GET", "/memberships")).body.result;
    const attempts = [
      ["DELETE", `${path}/${id}`, undefined],
      ["PUT", `${path}/${id}`, { roles: [dns] }],
      ["DELETE", `/memberships/${id}`, undefined],
    ] as const;
    for (const [method, target, body] of attempts) {
      await t.test(JSON.stringify([method, target, body]).slice(0, 120), async () => {
        const answer = await app.request(method, target, { body });
        assert.equal(answer.status, 400);
        assert.deepEqual(answer.body.errors, [
          { code: 1005, message: "The last super administrator of an account has to stay" },
        ]);
      });
    }
    const { result } = (await app.request("GET", `${path}/${id}`)).body;
    assert.equal(result.roles[0].id, superAdministratorId);
  });

  testOnEachEngine("stays when all of them leave at once", async (t, either) => {
    const app = await startTestApp(t, either);
    const account = app.owner.accountId;
    const others = await Promise.all(
      Array.from({ length: 7 }, (_, index) =>
        addUser(app, `user${index}@example.com`, { account, role: superAdministratorId }),
      ),
    );
    const rows = await besideServer(app, (tx) => tx.selectFrom("memberships").selectAll().execute());
    const users = new Map([
      [ownerEmail, byKey],
      ...others.map(({ email, headers }) => [email, headers] as const),
    ]);
    // Connections are opened as they are needed: only from the second round on do transactions meet.
    for (let round = 0; round < 6; round += 1) {
      const answers = await Promise.all(
        rows.map(({ id, email_folded }) =>
          app.request("DELETE", `/memberships/${id}`, { headers: users.get(email_folded) ?? assert.fail() }),
        ),
      );
      assert.equal(answers.filter(({ status }) => status === 400).length, 1);
      assert.equal(await superAdministrators(app), 1);
      await besideServer(app, async (tx) => {
        await tx.deleteFrom("memberships").execute();
        await tx.insertInto("memberships").values(rows).execute();
      });
    }
  });
});

onEachEngine("whatever is done to memberships", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let users: Pick<TestUser, "email" | "headers">[];
  before(async () => {
    app = await startTestApp(suite, engine);
    const account = app.owner.accountId;
    users = [
      { email: ownerEmail, headers: byKey },
      await addUser(app, "a@example.com", { account, role: superAdministratorId }),
      await addUser(app, "b@example.com"),
      await addUser(app, "c@example.com", { account, role: "Administrator" }),
    ];
  });

  const anyStep = fc.record({
    by: fc.nat(3),
    to: fc.nat(3),
    kind: fc.constantFrom("invite", "edit", "accept", "reject", "remove", "leave"),
    roles: fc.constantFrom([superAdministratorId], [dns], [dns, superAdministratorId]),
  });
  type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

  test("an account that had a super administrator has one", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyStep, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
        async (rounds) => {
          for (const round of rounds) {
            const answers = await Promise.all(round.map(act));
            for (const { status } of answers) assert.ok(status < 500);
            assert.ok((await superAdministrators(app)) >= 1);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  async function act({ by, to, kind, roles }: Step) {
    const { headers } = users[by] ?? assert.fail();
    const { email } = users[to] ?? assert.fail();
    const path = `/accounts/${app.owner.accountId}/members`;
    const row = await membershipOf(email);
    const id = row ?? "0".repeat(32);
    switch (kind) {
      case "invite":
        return app.request("POST", path, { headers, body: { email, roles } });
      case "edit":
        return app.request("PUT", `${path}/${id}`, { headers, body: { roles } });
      case "accept":
        return app.request("PATCH", `/user/invites/${id}`, { headers, body: { status: "accepted" } });
      case "reject":
        return app.request("PUT", `/memberships/${id}`, { headers, body: { status: "rejected" } });
      case "leave":
        return app.request("DELETE", `/memberships/${id}`, { headers });
      case "remove":
        return app.request("DELETE", `${path}/${id}`, { headers });
    }
  }

  async function membershipOf(email: string): Promise<string | undefined> {
    const row = await besideServer(app, (tx) =>
      tx
        .selectFrom("memberships")
        .select("id")
        .where("account_id", "=", app.owner.accountId)
        .where("email_folded", "=", email)
        .executeTakeFirst(),
    );
    return row?.id;
  }
});
