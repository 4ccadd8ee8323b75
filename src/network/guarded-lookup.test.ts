import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { lookupAllowed } from "./guarded-lookup.ts";

const lookUp = (host: string, options: object): Promise<unknown> =>
  new Promise((resolve, reject) => {
    lookupAllowed(host, options, (error, address) => {
      if (error === null) resolve(address);
      else reject(error);
    });
  });

describe("a guarded look-up", () => {
  test("does not find link-local and metadata addresses", async () => {
    await assert.rejects(lookUp("169.254.169.254", {}), /link-local/);
    await assert.rejects(lookUp("fe80::1", { all: true }), /link-local/);
    await assert.rejects(lookUp("64:ff9b::a9fe:a9fe", {}), /link-local/);
  });

  test("finds others, one or all as it is asked", async () => {
    assert.equal(await lookUp("127.0.0.1", {}), "127.0.0.1");
    assert.deepEqual(await lookUp("127.0.0.1", { all: true }), [{ address: "127.0.0.1", family: 4 }]);
    await assert.rejects(lookUp("nobody.invalid", {}), /ENOTFOUND|EAI_AGAIN/);
  });
});
