import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { firstSignIn, openBrowser } from "../../../test/support/browser.ts";
import { ownerEmail, startTestApp } from "../../../test/support/harness.ts";

describe("passwords", () => {
  test("an e-mail is guessed at a hundred times an hour at the most, from wherever", async (t) => {
    const app = await startTestApp(t, "sqlite", { auth_failure_limit: 1_000 });
    await firstSignIn(app);
    const statuses = new Map<number, number>();
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 40 }, () =>
          openBrowser(app).request("POST", "/session", { body: { email: ownerEmail, password: "x" } }),
        ),
      );
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.deepEqual(
      [...statuses],
      [
        [403, 100],
        [429, 20],
      ],
    );
  });

  test("the lockout holds on a loopback host too, where that of tokens is off", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const answers = await Promise.all(
      Array.from({ length: 31 }, (_, index) =>
        openBrowser(app).request("POST", "/session", {
          body: { email: `${index}@x.example`, password: "x" },
        }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 403).length, 30);
    const refused = answers.find(({ status }) => status === 429);
    assert.equal(refused?.body.errors[0]?.code, 10429);
  });

  test("a queue of sign-ins that grows too long is told so, and what is in it is answered", async (t) => {
    const app = await startTestApp(t, "sqlite", { auth_failure_limit: "off" });
    const answers = await Promise.all(
      Array.from({ length: 150 }, () =>
        openBrowser(app).request("POST", "/session", { body: { email: ownerEmail, password: "x" } }),
      ),
    );
    const of = (code: number) => answers.filter(({ body }) => body.errors[0]?.code === code).length;
    assert.ok(of(10411) >= 50, String(of(10411)));
    assert.ok(of(10429) > 0);
    assert.equal(of(10411) + of(10429), 150);
  });
});
