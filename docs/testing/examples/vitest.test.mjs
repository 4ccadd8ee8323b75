import { afterAll, beforeEach, expect, test } from "vitest";
import { startZoneward } from "zoneward/testing";

const zoneward = await startZoneward();
beforeEach(() => zoneward.reset());
afterAll(() => zoneward.stop());

test("lists nothing but what the test has made", async () => {
  await zoneward.zone({ name: "example.com" });
  expect(await zoneward.call("GET", "/zones")).toMatchObject([{ name: "example.com" }]);
});

test("begins with nothing", async () => {
  expect(await zoneward.call("GET", "/zones")).toEqual([]);
});
