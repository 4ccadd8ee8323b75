import assert from "node:assert/strict";
import { test } from "node:test";

import { clientNetwork } from "./client-network.ts";

test("the network of a client is one for every spelling of an IPv4 address and for a /64 of IPv6", () => {
  const same = [
    ["192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:201"],
    ["192.0.2.2"],
    ["2001:db8::1", "2001:db8:0:0:ffff::", "2001:db8::2%eth0"],
    ["2001:db8:0:1::1"],
    ["@"],
  ];
  const networks = same.map((addresses) => new Set(addresses.map(clientNetwork)));
  assert.deepEqual(
    networks.map((set) => set.size),
    same.map(() => 1),
  );
  assert.equal(new Set(networks.map((set) => [...set].join())).size, same.length);
});
