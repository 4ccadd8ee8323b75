import assert from "node:assert/strict";
import { test } from "node:test";

import {
  byKey,
  onComparedEngines,
  ownerEmail,
  startTestApp,
  type TestApp,
  testOnEachEngine,
} from "../../../test/support/harness.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { addUser, besideServer, type TestUser } from "../../../test/support/store.ts";

const dns = "f0a6c7b1d5e48f60db5c9d0e1f2a3b45";
const unknownId = "0123456789abcdef0123456789abcdef";
const week = 7 * 24 * 60 * 60 * 1_000;

async function invite(app: TestApp, email: string): Promise<string> {
  const path = `/accounts/${app.owner.accountId}/members`;
  return (await app.request("POST", path, { body: { email, roles: [dns] } })).body.result.id;
}

const answer = (app: TestApp, { headers }: TestUser, id: string, status: unknown) =>
  app.request("PATCH", `/user/invites/${id}`, { headers, body: { status } });

/** Whether the user sees the owner's account. */
async function isMember(app: TestApp, { headers }: TestUser): Promise<boolean> {
  return (await app.request("GET", `/accounts/${app.owner.accountId}`, { headers })).status === 200;
}

async function stored(app: TestApp): Promise<unknown> {
  return besideServer(app, async (tx) => [
    await tx.selectFrom("memberships").selectAll().orderBy("id").execute(),
    await tx.selectFrom("audit_logs").selectAll().orderBy("id").execute(),
  ]);
}

onComparedEngines("editInvite", (engine) => {
  test("an invite waits for a user with its e-mail, who accepts it and is a member at the next request", async (t) => {
    const app = await startTestApp(t, engine);
    const id = await invite(app, "dora@example.com");
    const dora = await addUser(app, "Dora@Example.com");
    const list = await app.request("GET", "/user/invites", { headers: dora.headers });
    assert.equal(list.status, 200, list.text);
    const [{ roles, ...shown }, ...others] = list.body.result;
    assert.deepEqual(others, []);
    assert.deepEqual(shown, {
      id,
      invited_member_id: dora.id,
      invited_member_email: "Dora@Example.com",
      organization_id: app.owner.accountId,
      organization_name: "Zoneward",
      organization_is_enforcing_twofactor: false,
      invited_by: ownerEmail,
      invited_on: "2026-01-02T03:04:05.678000Z",
      expires_on: "2026-01-09T03:04:05.678000Z",
      status: "pending",
    });
    assert.equal(roles[0].id, dns);
    assert.deepEqual(roles[0].permissions, [
      "#dns:read", "#dns:edit", "#dns_records:read", "#dns_records:edit",
      "#zone_settings:read", "#zones:read",
    ]); // prettier-ignore
    assert.equal(await isMember(app, dora), false);

    const accepted = await answer(app, dora, id, "accepted");
    assert.equal(accepted.status, 200, accepted.text);
    assert.deepEqual(accepted.body.result, { ...shown, roles, status: "accepted" });
    assert.equal(await isMember(app, dora), true);
    const one = await app.request("GET", `/user/invites/${id}`, { headers: dora.headers });
    assert.equal(one.text, accepted.text);
    const member = await app.request("GET", `/accounts/${app.owner.accountId}/members/${id}`);
    assert.deepEqual([member.body.result.status, member.body.result.user.id], ["accepted", dora.id]);
    assert.notEqual(accepted.headers.get("cf-auditlog-id"), null);
  });

  test("until it is accepted, the account sees the address alone, in lists, orders and its audit log", async (t) => {
    const app = await startTestApp(t, engine);
    const dora = await addUser(app, "Dora@Example.com");
    await besideServer(app, (tx) =>
      tx
        .updateTable("users")
        .set({ first_name: "Aaa", last_name: "Zzz", second_factor_since: toTimestamp(new Date(0)) })
        .where("id", "=", dora.id)
        .execute(),
    );
    const members = `/accounts/${app.owner.accountId}/members`;
    const path = `/accounts/${app.owner.accountId}/audit_logs?per_page=100`;
    const nobody = await invite(app, "nobody@example.com");
    const seen = async (id: string) => {
      const one = (await app.request("GET", `${members}/${id}`)).body.result;
      const list = (await app.request("GET", members)).body.result;
      assert.deepEqual(
        list.find((member: { id: string }) => member.id === id),
        one,
      );
      return { email: one.email, user: one.user };
    };
    const [first, { email: _, ...unknown }] = [await invite(app, dora.email), (await seen(nobody)).user];
    const hidden = { email: "dora@example.com", user: { ...unknown, email: "dora@example.com" } };
    const shows = async (): Promise<boolean> => {
      const texts = [await app.request("GET", path), await app.request("GET", members)].map(
        ({ text }) => text,
      );
      return texts.some((text) => [dora.id, "Dora@", "Aaa", "Zzz"].some((word) => text.includes(word)));
    };
    assert.deepEqual([await seen(first), await shows()], [hidden, false]);
    for (const order of ["user.first_name", "user.last_name"]) {
      const list = async (direction: string) =>
        (await app.request("GET", `${members}?order=${order}&direction=${direction}`)).body.result.map(
          ({ id }: { id: string }) => id,
        );
      const ids = (await list("asc")).toSorted((one: string, other: string) => (one < other ? -1 : 1));
      assert.deepEqual(await list("asc"), ids, order);
      assert.deepEqual(await list("desc"), ids.toReversed(), order);
    }
    await app.request("PUT", `${members}/${first}`, { body: { roles: [dns] } });
    await answer(app, dora, first, "rejected");
    assert.deepEqual([await seen(first), await shows()], [hidden, false]);
    const second = await invite(app, dora.email);
    await app.request("DELETE", `/memberships/${second}`, { headers: dora.headers });
    assert.equal(await shows(), false);
    const third = await invite(app, dora.email);
    await answer(app, dora, third, "accepted");
    const accepted = await seen(third);
    assert.deepEqual([accepted.email, accepted.user.id], ["Dora@Example.com", dora.id]);
    assert.equal(accepted.user.two_factor_authentication_enabled, true);
    assert.equal(await shows(), true);
  });

  test("an invite that is rejected makes no membership", async (t) => {
    const app = await startTestApp(t, engine);
    const dora = await addUser(app, "dora@example.com");
    const id = await invite(app, dora.email);
    const { body } = await answer(app, dora, id, "rejected");
    assert.equal(body.result.status, "rejected");
    assert.equal(await isMember(app, dora), false);
    const { organizations } = (await app.request("GET", "/user", { headers: dora.headers })).body.result;
    assert.deepEqual(organizations, []);
  });

  test("an invite is answered once, within seven days, by its user, and with an answer", async (t) => {
    const app = await startTestApp(t, engine);
    const dora = await addUser(app, "dora@example.com");
    const eve = await addUser(app, "eve@example.com");
    const accepted = await invite(app, dora.email);
    await answer(app, dora, accepted, "accepted");
    const expired = await invite(app, eve.email);
    const fresh = await invite(app, "frank@example.com");
    app.advance(week);
    const owned = (await app.request("GET", "/memberships")).body.result[0].id;
    const before = await stored(app);
    const cases = [
      [dora, accepted, "accepted", 400, 1006],
      [dora, accepted, "rejected", 400, 1006],
      [eve, expired, "accepted", 400, 1007],
      [eve, expired, "rejected", 400, 1007],
      [eve, fresh, "accepted", 404, 1003],
      [eve, accepted, "accepted", 404, 1003],
      [eve, owned, "accepted", 404, 1003],
      [eve, unknownId, "accepted", 404, 1003],
      [eve, expired, "pending", 400, 1003],
      [eve, expired, undefined, 400, 1003],
    ] as const;
    for (const [user, id, status, wire, code] of cases) {
      await t.test(JSON.stringify([user, id, status]).slice(0, 120), async () => {
        const refused = await answer(app, user, id, status);
        assert.deepEqual([refused.status, refused.body.errors[0]?.code], [wire, code], refused.text);
      });
    }
    assert.deepEqual(await stored(app), before);
    const shown = await app.request("GET", `/user/invites/${expired}`, { headers: eve.headers });
    assert.equal(shown.body.result.status, "expired");
    assert.equal((await app.request("GET", `/user/invites/${fresh}`, { headers: eve.headers })).status, 404);
  });

  testOnEachEngine("of acceptances and rejections that arrive together, one holds", async (t, either) => {
    const app = await startTestApp(t, either);
    const dora = await addUser(app, "dora@example.com");
    for (let round = 0; round < 6; round += 1) {
      const id = await invite(app, dora.email);
      const statuses = ["accepted", "rejected", "accepted", "rejected", "accepted", "rejected"];
      const answers = await Promise.all(statuses.map((status) => answer(app, dora, id, status)));
      const done = answers.filter(({ status }) => status === 200);
      assert.equal(done.length, 1);
      assert.equal(await isMember(app, dora), done[0]?.body.result.status === "accepted");
      await app.request("DELETE", `/memberships/${id}`, { headers: dora.headers });
    }
  });

  test("a membership that began without an invite is none", async (t) => {
    const app = await startTestApp(t, engine);
    const [{ id }] = (await app.request("GET", "/memberships")).body.result;
    assert.deepEqual((await app.request("GET", "/user/invites")).body.result, []);
    const got = await app.request("GET", `/user/invites/${id}`, { headers: byKey });
    const answered = await app.request("PATCH", `/user/invites/${id}`, { body: { status: "rejected" } });
    for (const { status, body } of [got, answered]) {
      assert.equal(status, 404);
      assert.deepEqual(body.errors, [{ code: 1003, message: "Invalid invite identifier" }]);
    }
  });
});

onComparedEngines("an invite whose sender may no longer give what it gives", (engine) => {
  const superAdministrator = "33666b9c79b9a5273fc7344ff42f953d";
  const billing = "d8e4a5f9b3c26d4ebf3a7b8c9d0e1f23";

  test("is not accepted, by either way, until somebody who may sends it anew", async (t) => {
    const app = await startTestApp(t, engine);
    const members = `/accounts/${app.owner.accountId}/members`;
    const sender = await addUser(app, "sender@example.com", {
      account: app.owner.accountId,
      role: "Super Administrator - All Privileges",
    });
    const dora = await addUser(app, "dora@example.com");
    const sent = await app.request("POST", members, {
      headers: sender.headers,
      body: { email: dora.email, roles: [dns, billing] },
    });
    const { id } = sent.body.result;
    const listed = (await app.request("GET", members)).body.result as { id: string; email: string }[];
    const senderId = listed.find(({ email }) => email === sender.email)?.id ?? assert.fail();

    // Either less than the invite gives, or nothing at all any more.
    const losses = [
      () => app.request("PUT", `${members}/${senderId}`, { body: { roles: [dns] } }),
      () => app.request("DELETE", `${members}/${senderId}`),
    ];
    for (const lose of losses) {
      assert.equal((await lose()).status, 200);
      const before = await stored(app);
      const { headers } = dora;
      for (const accept of [
        () => answer(app, dora, id, "accepted"),
        () => app.request("PUT", `/memberships/${id}`, { headers, body: { status: "accepted" } }),
      ]) {
        const { status, body } = await accept();
        assert.deepEqual([status, body.errors[0]?.code], [403, 9109]);
      }
      assert.deepEqual(await stored(app), before);
      assert.equal(await isMember(app, dora), false);
    }

    const anew = await app.request("PUT", `${members}/${id}`, { body: { roles: [billing] } });
    assert.equal(anew.status, 200);
    assert.equal((await answer(app, dora, id, "accepted")).status, 200);
    assert.equal(await isMember(app, dora), true);
  });

  test("can be rejected; and one who changes an invite needs all that it gives then", async (t) => {
    const app = await startTestApp(t, engine);
    const members = `/accounts/${app.owner.accountId}/members`;
    const manager = await addUser(app, "manager@example.com");
    const dora = await addUser(app, "dora@example.com");
    const limited = await app.request("POST", members, {
      body: {
        email: manager.email,
        policies: [
          {
            access: "allow",
            permission_groups: [
              { id: "1af1fa2adc104452b74a9a3364202f20" },
              { id: "88b456c3f99b45e89eeedfa1f2bd9d14" },
            ],
            resource_groups: [{ id: app.owner.accountId }],
          },
        ],
      },
    });
    assert.equal(limited.status, 200, limited.text);
    assert.equal((await answer(app, manager, limited.body.result.id, "accepted")).status, 200);
    const sent = await app.request("POST", members, {
      body: { email: dora.email, roles: [superAdministrator, "f6a2c3b7d1ea45c6db1c5d6e7f8a9b01"] },
    });
    const { id } = sent.body.result;
    const before = await stored(app);
    const less = await app.request("PUT", `${members}/${id}`, {
      headers: manager.headers,
      body: { roles: [superAdministrator] },
    });
    assert.deepEqual([less.status, less.body.errors[0]?.code], [403, 9109]);
    assert.deepEqual(await stored(app), before);
    assert.equal((await answer(app, dora, id, "rejected")).status, 200);
  });
});
