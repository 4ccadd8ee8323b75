import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ask, soa, zone } from "../../../../test/support/served-zones.ts";
import { typeCodes } from "../wire/codes.ts";
import { nameToOctets } from "../wire/names.ts";
import type { ZoneView } from "./zone-view.ts";

function withDname(view: ZoneView, owner: string, target: string): ZoneView {
  view.setRecords(owner, [{ typeCode: typeCodes.DNAME, ttl: 60, rdata: nameToOctets(target) }]);
  return view;
}

const dnameLine = (owner: string, target: string): string =>
  `${owner} 60 DNAME ${Buffer.from(nameToOctets(target), "latin1").toString("hex")}`;

describe("a DNAME record", () => {
  const here = withDname(
    zone("example.com", ["www.new A 192.0.2.1", "*.wild.new A 192.0.2.2", "in.old A 192.0.2.3"]),
    "old.example.com",
    "new.example.com",
  );
  const dname = dnameLine("old.example.com", "new.example.com");

  test("stands for a CNAME of each name below it, which is followed", () => {
    assert.deepEqual(ask([here], "www.old.example.com"), [
      "NOERROR aa",
      dname,
      "www.old.example.com 60 CNAME www.new.example.com",
      "www.new.example.com 300 A 192.0.2.1",
    ]);
    assert.deepEqual(ask([here], "X.wild.OLD.example.com").slice(2), [
      "X.wild.OLD.example.com 60 CNAME X.wild.new.example.com",
      "X.wild.new.example.com 300 A 192.0.2.2",
    ]);
    assert.deepEqual(ask([here], "no.old.example.com"), [
      "NXDOMAIN aa",
      dname,
      "no.old.example.com 60 CNAME no.new.example.com",
      soa("example.com"),
    ]);
  });

  test("hides what is below it, and says nothing of its own name", () => {
    assert.deepEqual(ask([here], "in.old.example.com")[2], "in.old.example.com 60 CNAME in.new.example.com");
    assert.deepEqual(ask([here], "old.example.com"), ["NOERROR aa", soa("example.com")]);
    assert.deepEqual(ask([here], "old.example.com DNAME"), ["NOERROR aa", dname]);
  });

  test("answers a question for CNAME by itself", () => {
    assert.deepEqual(ask([here], "www.old.example.com CNAME"), [
      "NOERROR aa",
      dname,
      "www.old.example.com 60 CNAME www.new.example.com",
    ]);
  });

  test("that would make a name too long is answered YXDOMAIN", () => {
    const long = `${"a".repeat(60)}.`.repeat(3);
    const view = withDname(zone("example.com", []), "old.example.com", `${long}example.net`);
    assert.deepEqual(ask([view], `${"b".repeat(60)}.old.example.com`)[0], "YXDOMAIN aa");
  });

  test("below a delegation is not looked at, and that leads to itself ends", () => {
    const cut = withDname(zone("example.com", ["sub NS ns.test.net"]), "x.sub.example.com", "example.net");
    assert.equal(ask([cut], "y.x.sub.example.com")[0], "NOERROR");
    const loop = withDname(zone("example.com", []), "old.example.com", "old.example.com");
    assert.equal(ask([loop], "y.old.example.com").length, 3);
    const growing = withDname(zone("example.com", []), "old.example.com", "more.old.example.com");
    assert.match(ask([growing], "y.old.example.com")[0] ?? "", /NOERROR|YXDOMAIN/);
  });

  test("is asked for itself where a chain comes back to its name", () => {
    const view = zone("example.com", ["x.new CNAME old.example.com"]);
    view.setRecords("old.example.com", [
      { typeCode: typeCodes.DNAME, ttl: 60, rdata: nameToOctets("new.example.com") },
      { typeCode: typeCodes.A, ttl: 60, rdata: "\u00c0\0\u0002\u0001" },
    ]);
    assert.deepEqual(ask([view], "x.old.example.com"), [
      "NOERROR aa",
      dname,
      "x.old.example.com 60 CNAME x.new.example.com",
      "x.new.example.com 300 CNAME old.example.com",
      "old.example.com 60 A 192.0.2.1",
    ]);
    assert.deepEqual(ask([view], "x.old.example.com TXT").at(-1), soa("example.com"));
  });

  test("of an apex redirects all other names of the zone", () => {
    const view = zone("example.com", []);
    view.setRecords("example.com", [
      { typeCode: typeCodes.DNAME, ttl: 60, rdata: nameToOctets("example.net") },
    ]);
    assert.deepEqual(ask([view], "a.b.example.com").slice(1), [
      dnameLine("example.com", "example.net"),
      "a.b.example.com 60 CNAME a.b.example.net",
    ]);
    assert.equal(ask([view], "example.com SOA").length, 2);
  });

  test("is followed where a flattened CNAME leads to it", () => {
    const other = zone("example.net", ["@ CNAME www.old.example.com"]);
    assert.deepEqual(ask([here, other], "example.net"), ["NOERROR aa", "example.net 60 A 192.0.2.1"]);
  });
});
