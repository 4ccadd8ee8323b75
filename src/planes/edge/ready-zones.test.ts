import assert from "node:assert/strict";
import { test } from "node:test";

import type { EdgeZone } from "../../edge/zones/edge-zone.ts";
import { ReadyZones } from "./ready-zones.ts";

/** Zones whose rules take so many octets each, which say what becomes of them. */
function startZones(octetsMax: number, octets: number) {
  const zones = new ReadyZones(octetsMax);
  const told: string[] = [];
  const compile = (name: string) => async () => {
    told.push(`compile ${name}`);
    return { rules: {} as never, free: () => told.push(`free ${name}`), octets: () => octets };
  };
  const add = async (name: string, accountId = "a"): Promise<EdgeZone> => {
    const zone = { name, accountId } as EdgeZone;
    await zones.add(zone, compile(name));
    return zone;
  };
  const replace = async (one: EdgeZone, name: string): Promise<EdgeZone> => {
    const zone = { name, accountId: "a" } as EdgeZone;
    await zones.replace(one, zone, compile(name));
    zones.drop(one);
    return zone;
  };
  return { zones, add, replace, told: () => told.splice(0) };
}

test("beyond so many octets, those of the zone used longest ago are dropped, and compiled for its next request", async () => {
  const { zones, add, told } = startZones(50, 20);
  const one = await add("one");
  await add("two");
  (await zones.hold(one)).release();
  assert.deepEqual(told(), ["compile one", "compile two"]);
  await add("three");
  assert.deepEqual(told(), ["compile three", "free two"]);
  (await zones.hold(one)).release();
  assert.deepEqual(told(), []);
  assert.equal(zones.size, 2);
});

test("the zones of one account push out none of another one that has less than an equal part of the octets", async () => {
  const { zones, add, told } = startZones(100, 21);
  const one = await add("one");
  for (const name of ["two", "three", "four", "five", "six"]) await add(name, "b");
  assert.deepEqual(told().slice(1), [
    "compile two",
    "compile three",
    "compile four",
    "compile five",
    "free two",
    "compile six",
    "free three",
  ]);
  (await zones.hold(one)).release();
  assert.deepEqual(told(), []);
});

test("requests that come at once share one compilation, and what they hold is freed after the last of them", async () => {
  const { zones, add, told } = startZones(30, 20);
  const one = await add("one");
  await add("two");
  told();
  const held = await Promise.all([zones.hold(one), zones.hold(one)]);
  assert.deepEqual(told(), ["compile one", "free two"]);
  assert.equal(held[0].zone, held[1].zone);
  zones.drop(one);
  held[0].release();
  await Promise.resolve();
  assert.deepEqual(told(), []);
  held[1].release();
  assert.deepEqual(told(), ["free one"]);
});

test("a zone with more rules than all may have is ready while it is the only one", async () => {
  const { zones, add, told } = startZones(10, 20);
  const one = await add("one");
  (await zones.hold(one)).release();
  assert.deepEqual(told(), ["compile one"]);
  await add("two");
  assert.deepEqual(told(), ["compile two", "free one"]);
});

test("what takes the place of a zone is ready if that was, and otherwise with its first request", async () => {
  const { zones, add, replace, told } = startZones(50, 20);
  const one = await add("one");
  const two = await add("two");
  await add("three");
  told();
  const after = await replace(one, "another one");
  await replace(two, "another two");
  assert.deepEqual(told(), ["compile another two", "free two"]);
  (await zones.hold(after)).release();
  assert.deepEqual(told(), ["compile another one", "free three"]);
});

test("a zone that cannot be compiled is not kept", async () => {
  const zones = new ReadyZones(50);
  const zone = { name: "one", accountId: "a" } as EdgeZone;
  await assert.rejects(
    zones.add(zone, () => Promise.reject(new Error("cannot be compiled"))),
    /cannot be/,
  );
  zones.drop(zone);
  assert.equal(zones.size, 0);
});
