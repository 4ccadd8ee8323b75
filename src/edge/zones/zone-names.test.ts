import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { parseRdata } from "../../core/dns/content/rdata.ts";
import { edgeSets, type ZoneRecord } from "../../core/dns/served/record-sets.ts";
import { ZoneView } from "../../core/dns/served/zone-view.ts";
import { typeCodes } from "../../core/dns/wire/codes.ts";
import { nameToOctets } from "../../core/dns/wire/names.ts";
import { addressData } from "../../core/dns/wire/record-data.ts";
import { ZoneNames } from "./zone-names.ts";

const zone = "example.org";
const edge = edgeSets(["192.0.2.80"]);

const stored = (type: "A" | "TXT" | "NS", content: string, proxied = false): ZoneRecord => ({
  ...parseRdata(type, { content }, zone),
  type,
  ttl: 1,
  proxied,
  settings: {},
});

const kinds: Readonly<Record<string, ZoneRecord>> = {
  proxied: stored("A", "198.51.100.1", true),
  plain: stored("A", "198.51.100.1"),
  text: stored("TXT", '"x"'),
  cut: stored("NS", "ns.example.net"),
  dname: { typeCode: typeCodes.DNAME, ttl: 60, rdata: nameToOctets("example.net") },
};

/** Both as a zone with these records has them. */
function bothOf(records: Readonly<Record<string, string>>): { view: ZoneView; names: ZoneNames } {
  const apex = { name: zone, nameServers: ["ns.example.net"], hostmaster: "x.example.net", serial: 1 };
  const view = new ZoneView(apex, { accountId: "account", edge, flattensAll: false });
  const names = new ZoneNames(zone);
  for (const [name, kind] of Object.entries(records)) {
    const its = [kinds[kind] ?? assert.fail()];
    view.setRecords(name, its);
    names.set(name, its);
  }
  return { view, names };
}

/** Whether DNS sends visitors of a name to the edge. */
function isLedToEdge(view: ZoneView, name: string): boolean {
  const found = view.find(name);
  return found.kind === "name" && found.node.sets.includes(edge.ipv4 ?? assert.fail());
}

test("the edge serves an asterisk where DNS has it stand for a name, and not below a name that exists", () => {
  const { view, names } = bothOf({
    "*.example.org": "proxied",
    "a.b.example.org": "proxied",
    "t.example.org": "text",
  });
  for (const [name, isServed] of [
    ["x.example.org", true],
    ["y.x.example.org", true],
    ["a.b.example.org", true],
    ["b.example.org", false],
    ["x.b.example.org", false],
    ["y.x.b.example.org", false],
    ["x.a.b.example.org", false],
    ["t.example.org", false],
    ["x.t.example.org", false],
    ["example.org", false],
  ] as const) {
    assert.equal(names.find(name)?.isProxied ?? false, isServed, name);
    assert.equal(isLedToEdge(view, name), isServed, name);
  }
});

test("the edge serves no name that DNS delegates or redirects, and asks others for its addresses", () => {
  const { names } = bothOf({
    "sub.example.org": "cut",
    "www.sub.example.org": "proxied",
    "old.example.org": "dname",
    "www.old.example.org": "proxied",
  });
  for (const name of ["sub", "www.sub", "x.www.sub", "www.old", "x.www.old"])
    assert.deepEqual(
      [names.find(`${name}.example.org`), names.isElsewhere(`${name}.example.org`)],
      [undefined, true],
      name,
    );
  for (const name of ["old.example.org", "example.org", "x.example.org"])
    assert.equal(names.isElsewhere(name), false, name);
});

test("the edge and the name server find the same at each name of any zone, however it came to be", () => {
  const below = (names: readonly string[], labels: readonly string[]): string[] =>
    names.flatMap((name) => labels.map((label) => `${label}.${name}`));
  const labels = ["a", "b", "*"];
  const [one, two] = [below([zone], labels), below(below([zone], labels), labels)];
  const owners = [zone, ...one, ...two, ...below(two, labels)];
  const asked = [...owners, ...below([zone, ...one, ...two], ["x"]), ...below(two, ["y.x"])];
  const recordsOf = (name: string, kind: string): ZoneRecord =>
    kind === "plain" ? stored("A", `192.0.2.${owners.indexOf(name)}`) : (kinds[kind] ?? assert.fail());
  const found = ({ view, names }: ReturnType<typeof bothOf>): [dns: unknown, edge: unknown][] =>
    asked.map((name) => {
      const inDns = view.find(name);
      const atEdge = names.find(name);
      const addresses = atEdge?.isProxied === true ? edge.ipv4?.rdatas : atEdge?.addresses.map(addressData);
      return [
        inDns.kind === "name"
          ? (inDns.node.sets.find(({ type }) => type === typeCodes.A)?.rdatas ?? [])
          : inDns.kind === "missing",
        addresses ?? !names.isElsewhere(name),
      ];
    });
  const change = fc.tuple(fc.constantFrom(...owners), fc.subarray(Object.keys(kinds)));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const changed = bothOf({});
      for (const [name, its] of changes) {
        const records = its.map((kind) => recordsOf(name, kind));
        changed.view.setRecords(name, records);
        changed.names.set(name, records);
        for (const [dns, atEdge] of found(changed)) assert.deepEqual(atEdge, dns);
      }
      const afresh = bothOf({});
      for (const [name, its] of new Map(changes)) {
        const records = its.map((kind) => recordsOf(name, kind));
        afresh.view.setRecords(name, records);
        afresh.names.set(name, records);
      }
      assert.deepEqual(found(changed), found(afresh));
    }),
  );
});
