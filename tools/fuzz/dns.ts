import { parseArgs } from "node:util";

import { DnsPackets } from "../../test/fuzz/dns-packets.ts";
import { answerPacket, createFuzzedServer } from "../../test/fuzz/dns-server.ts";

// Sends random, altered and looping packets to the handler of the name server, in process: `npm run fuzz:dns --
// --packets 1000000
// --seed 7`. Ends with 1 when one makes it throw, is answered by more than was asked for, or memory grows.

const { values } = parseArgs({
  options: { packets: { type: "string", default: "1000000" }, seed: { type: "string", default: "1" } },
});
const count = Number(values.packets);
const megabytesMax = 64;

const packets = new DnsPackets(Number(values.seed));
const server = createFuzzedServer();
const counts = { answered: 0, unanswered: 0, faults: 0 };
let slowestMs = 0;
let heapAfterWarmUp = 0;
const began = process.cpuUsage();
for (let sent = 0; sent < count; sent += 1) {
  if (sent === Math.floor(count / 4)) heapAfterWarmUp = heapMegabytes();
  const packet = packets.next();
  const before = process.threadCpuUsage();
  try {
    const answer = await answerPacket(server, packet);
    counts[answer === undefined ? "unanswered" : "answered"] += 1;
  } catch (error) {
    counts.faults += 1;
    process.stderr.write(
      `${Buffer.from(packet.bytes).toString("hex")} ${packet.transport}: ${String(error)}\n`,
    );
  }
  const { user, system } = process.threadCpuUsage(before);
  slowestMs = Math.max(slowestMs, (user + system) / 1000);
}
const { user, system } = process.cpuUsage(began);
const grown = heapMegabytes() - heapAfterWarmUp;
process.stdout.write(
  `${count} packets in ${((user + system) / 1e6).toFixed(0)} s of CPU time: ${counts.answered} answered, ${counts.unanswered} not, ${counts.faults} faults
slowest: ${slowestMs.toFixed(1)} ms of CPU time; the heap grew by ${grown.toFixed(0)} MB after a quarter of them
`,
);
process.exitCode = counts.faults === 0 && grown < megabytesMax ? 0 : 1;

function heapMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
