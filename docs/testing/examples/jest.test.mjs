import { startZoneward } from "zoneward/testing";

let zoneward;
beforeAll(async () => (zoneward = await startZoneward({ in: "child" })));
beforeEach(() => zoneward.reset());
afterAll(() => zoneward.stop());

test("a zone keeps the time of its creation", async () => {
  await zoneward.clock.freeze("2030-01-01T00:00:00Z");
  const zone = await zoneward.zone();
  await zoneward.clock.advance({ days: 1 });
  const { created_on } = await zoneward.call("GET", `/zones/${zone.id}`);
  expect(created_on).toMatch(/^2030-01-01T00:00/);
  expect(await zoneward.clock.now()).toEqual(new Date("2030-01-02T00:00:00Z"));
});
