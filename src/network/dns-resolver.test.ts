import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { startDnsServer } from "../../test/support/dns-server.ts";
import { until } from "../../test/support/harness.ts";
import { createDnsResolver } from "./dns-resolver.ts";

describe("the resolver", () => {
  test("answers what is delegated, and tells a name without records from a server without an answer", async (t) => {
    const server = await startDnsServer(t);
    server.names.set("here.example", {
      ns: ["ns1.example", "ns2.example"],
      txt: [["one ", "text"], "another"],
    });
    server.names.set("bare.example", {});
    server.names.set("broken.example", "servfail");
    const { delegation, close } = createDnsResolver([server.address]);
    t.after(close);
    assert.deepEqual(
      new Set(await delegation.nameServers("here.example")),
      new Set(["ns1.example", "ns2.example"]),
    );
    assert.deepEqual(new Set(await delegation.texts("here.example")), new Set(["one text", "another"]));
    for (const name of ["bare.example", "nobody.example"]) {
      assert.deepEqual(await delegation.nameServers(name), [], name);
      assert.deepEqual(await delegation.texts(name), [], name);
    }
    assert.equal(await delegation.nameServers("broken.example"), undefined);
    assert.equal(await delegation.texts("broken.example"), undefined);
  });

  test("closed, fails the look-ups under way and every later one at once", async (t) => {
    const server = await startDnsServer(t, "silence");
    const { delegation, lookUpRecords, close } = createDnsResolver([server.address], 600_000);
    const underWay = [delegation.nameServers("a.example"), lookUpRecords("b.example", "A")];
    await until("both questions", () => server.asked.length >= 2);
    close();
    const outcomes = await Promise.allSettled([...underWay, delegation.texts("c.example")]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["rejected", "rejected", "rejected"],
    );
  });
});
