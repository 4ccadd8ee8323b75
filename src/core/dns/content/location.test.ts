import assert from "node:assert/strict";
import { test } from "node:test";

import { parseRdata } from "./rdata.ts";

const zone = "example.com";
const data = {
  lat_degrees: 37,
  lat_minutes: 46,
  lat_seconds: 46,
  lat_direction: "N",
  long_degrees: 122,
  long_minutes: 23,
  long_seconds: 35,
  long_direction: "W",
  altitude: 0,
  size: 100,
  precision_horz: 0,
  precision_vert: 0,
};
const content = "37 46 46.000 N 122 23 35.000 W 0.00 100.00 0.00 0.00";

test("a location is written out in full, and read back", () => {
  assert.deepEqual(parseRdata("LOC", { data }, zone), { content, data });
  assert.deepEqual(parseRdata("LOC", { content }, zone), { content, data });
});

test("what data leaves out is 0, what a zone file leaves out has the defaults of RFC 1876", () => {
  const least = {
    lat_degrees: 1,
    lat_direction: "S",
    long_degrees: 2,
    long_direction: "E",
    altitude: -24.004,
  };
  assert.equal(
    parseRdata("LOC", { data: least }, zone).content,
    "1 0 0.000 S 2 0 0.000 E -24.00 0.00 0.00 0.00",
  );
  assert.equal(
    parseRdata("LOC", { content: "1 S 2 E -24m" }, zone).content,
    "1 0 0.000 S 2 0 0.000 E -24.00 1.00 10000.00 10.00",
  );
});

test("content is accepted with and without class, type and units", async (t) => {
  const forms = [
    "IN LOC 37 46 46 N 122 23 35 W 0m 100m 0m 0m",
    "37 46 46 n\t122 23 35.0 w 0 100 0 0",
    "LOC 37 46 46 N 122 23 35 W 0m 100m 0m 0m".replace("LOC ", ""),
  ];
  for (const form of forms)
    await t.test(form, () => assert.equal(parseRdata("LOC", { content: form }, zone).content, content, form));
});

test("a location beyond the ranges is refused", async (t) => {
  const cases: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ lat_degrees: 91 }, "lat_degrees"],
    [{ lat_degrees: 90 }, "lat_degrees"],
    [{ long_degrees: 180 }, "long_degrees"],
    [{ lat_minutes: 60 }, "lat_minutes"],
    [{ lat_minutes: 0.5 }, "lat_minutes"],
    [{ lat_seconds: 59.9999 }, "lat_seconds"],
    [{ lat_direction: "n" }, "lat_direction"],
    [{ long_direction: "N" }, "long_direction"],
    [{ altitude: -100_000.01 }, "altitude"],
    [{ altitude: 42_849_673 }, "altitude"],
    [{ size: 90_000_001 }, "size"],
    [{ size: -1 }, "size"],
    [{ precision_vert: "0m" }, "precision_vert"],
  ];
  for (const [change, field] of cases)
    await t.test(JSON.stringify(change), () => {
      const expected = { code: 9102, pointer: `/data/${field}` };
      assert.throws(
        () => parseRdata("LOC", { data: { ...data, ...change } }, zone),
        expected,
        JSON.stringify(change),
      );
    });
  assert.ok(parseRdata("LOC", { data: { ...data, lat_degrees: 90, lat_minutes: 0, lat_seconds: 0 } }, zone));
  for (const bad of [
    "91 N 0 E 0m",
    "1 N 2 N 0m",
    "1 N 2 E",
    "1 2 3 4 N 2 E 0m",
    "1 N 2 E 0m -1m",
    "1.5 N 2 E 0m",
  ])
    await t.test(bad, () => {
      assert.throws(
        () => parseRdata("LOC", { content: bad }, zone),
        { code: 9007, pointer: "/content" },
        bad,
      );
    });
});
