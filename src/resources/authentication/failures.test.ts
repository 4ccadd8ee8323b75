import assert from "node:assert/strict";
import { test } from "node:test";

import {
  byKey,
  byToken,
  newLocation,
  onEachEngine,
  startOfTime,
  startTestApp,
  until,
} from "../../../test/support/harness.ts";
import { besideServer } from "../../../test/support/store.ts";
import { AppError } from "../../core/error.ts";
import { hashSecret, newTokenSecret } from "../../secrets/secrets.ts";
import { openDatabase } from "../../storage/open-database.ts";
import { createAuthenticator } from "./authentication.ts";

const maxFailures = "Max auth failures reached, please check your Authorization header.";
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const from = (address: string) => ({ "x-forwarded-for": address });
const unknown = (number: number): string => `unknown-${number}-`.padEnd(40, "x");
const settings = { trusted_proxies: ["127.0.0.1"], auth_failure_limit: 3 };

onEachEngine("auth_failure_limit", (engine) => {
  test("refuses any further bad secret of an address for the rest of the minute, and no good one", async (t) => {
    const app = await startTestApp(t, engine, settings);
    const ask = async (headers: Record<string, string>, path = "/zones") => {
      const answer = await app.request("GET", path, { headers: { ...from("192.0.2.1"), ...headers } });
      return [answer.status, answer.body.errors[0]?.code, answer.body.errors[0]?.message];
    };
    const invalid = [403, 9109, "Invalid access token"];
    assert.deepEqual(await ask(bearer(unknown(1))), invalid);
    assert.deepEqual(await ask(bearer(unknown(1)), "/user/tokens/verify"), [401, 1000, "Invalid API Token"]);
    assert.deepEqual(await ask({ ...byKey, "x-auth-key": "f".repeat(37) }), [
      403,
      9103,
      "Unknown X-Auth-Key or X-Auth-Email",
    ]);

    const refused = [403, 9109, maxFailures];
    const bad = [
      bearer(unknown(1)),
      bearer(unknown(2)),
      bearer(`zw_${"a".repeat(37)}`),
      { ...byKey, "x-auth-key": "f".repeat(37) },
      { ...byKey, ...bearer(unknown(2)) },
    ];
    for (const headers of bad) {
      assert.deepEqual(await ask(headers), refused);
      assert.deepEqual(await ask(headers, "/zones/no-id"), refused);
    }
    assert.deepEqual(await ask(bearer(unknown(1)), "/user/tokens/verify"), refused);
    for (const headers of [byToken, byKey]) assert.equal((await ask(headers))[0], 200);
    assert.equal((await ask(byToken, "/user/tokens/verify"))[0], 200);
    assert.deepEqual(await ask({ ...bearer(unknown(1)), ...from("192.0.2.2") }), invalid);

    app.advance(60_000);
    assert.deepEqual(await ask(bearer(unknown(1))), invalid);
  });

  test("does not count what holds no secret, nor a token that is no good now or from there", async (t) => {
    const app = await startTestApp(t, engine, settings);
    const disabled = newTokenSecret();
    await besideServer(app, async (tx) => {
      const token = await tx.selectFrom("tokens").selectAll().executeTakeFirstOrThrow();
      const secret_hash = hashSecret(disabled);
      await tx
        .insertInto("tokens")
        .values({ ...token, id: "0".repeat(32), secret_hash, status: "disabled" })
        .execute();
    });
    for (let round = 0; round < 3; round += 1) {
      for (const headers of [{}, { authorization: "Bearer short" }, bearer(disabled)]) {
        const { body } = await app.request("GET", "/zones", { headers });
        assert.notEqual(body.errors[0]?.message, maxFailures);
      }
    }
    const { body } = await app.request("GET", "/zones", { headers: bearer(unknown(1)) });
    assert.equal(body.errors[0]?.message, "Invalid access token");
  });

  test("refuses a secret that was found bad until anything changes, then it is looked up again", async (t) => {
    const app = await startTestApp(t, engine, settings);
    const ask = (secret: string) => app.request("GET", "/user", { headers: bearer(secret) });
    for (const number of [1, 2, 3, 4]) await ask(unknown(number));
    await besideServer(app, async (tx) => {
      const token = await tx.selectFrom("tokens").selectAll().executeTakeFirstOrThrow();
      const secret_hash = hashSecret(unknown(1));
      await tx
        .insertInto("tokens")
        .values({ ...token, id: "0".repeat(32), secret_hash })
        .execute();
    });
    await until("the new token is good", async () => (await ask(unknown(1))).status === 200);
    assert.equal((await ask(unknown(2))).body.errors[0]?.message, maxFailures);
  });

  test("asks the store for no secret that it knows to be bad, and for none with a wrong checksum", async (t) => {
    const db = await openDatabase(await newLocation(t, engine));
    await db.migrate();
    const { authenticate } = createAuthenticator({
      db,
      now: () => startOfTime,
      failuresMax: 1,
      tokenUsed: () => undefined,
      sessionTerms: { idleMs: 60_000 },
      sessionUse: new Map(),
      twoFactor: { isRequired: false },
    });
    const ask = (token: string) => authenticate({ token, key: undefined }, "192.0.2.1");
    // Everything is forgotten when the connection that hears of changes is made: it is there once this
    // returns.
    await db.runAlone("nothing", async () => undefined);
    assert.ok((await ask(unknown(1))) instanceof AppError);
    await db.close();
    await assert.rejects(ask(unknown(1)), { message: maxFailures });
    await assert.rejects(ask(`zw_${"a".repeat(37)}`), { message: maxFailures });
    await assert.rejects(ask(unknown(2)), (error) => !(error instanceof AppError));
  });
});
