import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { array, assert as assertProperty, nat, property, tuple } from "fast-check";

import { writeMaxMindDatabase } from "../../test/support/maxmind-database.ts";
import { MaxMindDatabase, MaxMindDatabaseError } from "./maxmind-database.ts";

const long = "a name of more than 28 characters, whose length stands in an octet of its own";
const file = writeMaxMindDatabase({
  "192.0.2.0/24": { country: { iso_code: "NL", is_in_european_union: true } },
  "198.51.100.128/25": { autonomous_system_number: 64_500, autonomous_system_organization: long },
  "2001:db8::/32": { country_code: "JP" },
});

describe("a database in the MaxMind DB format", () => {
  test("has what it says of an address, in either version and form", () => {
    const database = new MaxMindDatabase(file);
    const plain = (address: string): unknown => JSON.parse(JSON.stringify(database.find(address) ?? null));
    const dutch = { country: { iso_code: "NL", is_in_european_union: true } };
    assert.deepEqual(plain("192.0.2.7"), dutch);
    assert.deepEqual(plain("::ffff:192.0.2.7"), dutch);
    const system = { autonomous_system_number: 64_500, autonomous_system_organization: long };
    assert.deepEqual(plain("198.51.100.200"), system);
    assert.deepEqual(plain("2001:db8:1::1"), { country_code: "JP" });
    for (const address of ["198.51.100.1", "203.0.113.1", "2001:db9::1", "::1", "", "nonsense"]) {
      assert.equal(plain(address), null, address);
    }
  });

  test("is refused, or finds nothing else than an error, where it is damaged", () => {
    assert.throws(() => new MaxMindDatabase(Buffer.from("no database")), MaxMindDatabaseError);
    const damage = array(tuple(nat(file.length - 1), nat(255)), { minLength: 1, maxLength: 8 });
    assertProperty(
      property(damage, nat(file.length), (changes, length) => {
        const damaged = Buffer.from(file);
        for (const [at, octet] of changes) damaged[at] = octet;
        for (const octets of [damaged, Buffer.from(file.subarray(0, length))]) {
          try {
            const database = new MaxMindDatabase(octets);
            for (const address of ["192.0.2.7", "198.51.100.200", "2001:db8::1"]) database.find(address);
          } catch (error) {
            assert.ok(error instanceof MaxMindDatabaseError, String(error));
          }
        }
      }),
    );
  });
});
