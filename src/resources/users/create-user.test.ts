import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startOfTime, startTestApp } from "../../../test/support/harness.ts";
import { openStore } from "../../../test/support/store.ts";
import { createContext } from "../../process/open-store.ts";
import { createUser, findOwner } from "./users.ts";

onComparedEngines("createUser", (engine) => {
  test("where the clock stands still, nobody takes the place of the owner", async (t) => {
    const app = await startTestApp(t, engine);
    const db = await openStore(t, app);
    // Before any other id.
    const context = createContext(db, () => startOfTime, { newId: () => "0".repeat(32) });
    await createUser(context, { interface: "CLI" }, { email: "first@example.com" });
    assert.equal((await findOwner(db.read))?.id, app.owner.userId);
  });
});
