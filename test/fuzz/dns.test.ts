import { describe, test } from "node:test";

import { roundsOr } from "../support/rounds.ts";
import { DnsPackets } from "./dns-packets.ts";
import { answerPacket, createFuzzedServer } from "./dns-server.ts";

describe("the name server", () => {
  test("answers no packet by more than was asked for, whatever is in it", async () => {
    const packets = new DnsPackets(1);
    const respond = createFuzzedServer();
    for (let left = roundsOr(5_000); left > 0; left -= 1) await answerPacket(respond, packets.next());
  });
});
