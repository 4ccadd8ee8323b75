import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { deniedAddress, lookupAllowed } from "./denied-addresses.ts";

const lookUp = (host: string, options: object): Promise<unknown> =>
  new Promise((resolve, reject) => {
    lookupAllowed(host, options, (error, address) => {
      if (error === null) resolve(address);
      else reject(error);
    });
  });

describe("addresses that are no place for an upstream", () => {
  test("are told from others in every spelling", () => {
    for (const host of [
      "169.254.169.254",
      "[fe80::1]",
      "[::ffff:169.254.1.1]",
      "Metadata.Google.Internal.",
    ]) {
      assert.equal(deniedAddress(host), true, host);
    }
    for (const host of ["127.0.0.1", "10.0.0.1", "[::1]", "[2001:db8::1]", "node.example", "169.253.0.1"]) {
      assert.equal(deniedAddress(host), false, host);
    }
  });

  test("are not found where a name leads to them", async () => {
    await assert.rejects(lookUp("169.254.169.254", {}), /link-local/);
    await assert.rejects(lookUp("fe80::1", { all: true }), /link-local/);
    assert.equal(await lookUp("127.0.0.1", {}), "127.0.0.1");
    assert.deepEqual(await lookUp("127.0.0.1", { all: true }), [{ address: "127.0.0.1", family: 4 }]);
    await assert.rejects(lookUp("nobody.invalid", {}), /ENOTFOUND|EAI_AGAIN/);
  });
});
