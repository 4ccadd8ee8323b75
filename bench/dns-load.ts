import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

import { encodeMessage, readHeader } from "../src/core/dns/wire/message.ts";
import { ednsRecord } from "../src/core/dns/wire/edns.ts";
import { WireWriter } from "../src/core/dns/wire/writer.ts";
import { flagBits, rcodeName, typeCodes } from "../src/core/dns/wire/codes.ts";

/**
 * Few enough to fit into the buffer of a socket, and so many that threads seldom wait, which costs them more than a
 * query.
 */
const outstanding = 200;
/** A server with several threads gives each sender to one of them. */
const senders = 64;
const lostAfterMs = 1_000;
const queryOctetsMax = 512;
const edns = ednsRecord({ payloadSize: 1232, version: 0, extendedRcode: 0, dnssecOk: false, options: [] });

/**
 * Queries with an OPT record: eight in ten for a name that exists, one for a type that it lacks, one for a name that
 * does not.
 */
export function dnsQueries(names: readonly string[]): Buffer[] {
  const writer = new WireWriter();
  return names.map((name, index) => {
    const kind = index % 10;
    const question = {
      name: kind === 0 ? `missing-${name}` : name,
      type: kind === 1 ? typeCodes.AAAA : typeCodes.A,
      class: 1,
    };
    const parts = { flags: 0, questions: [question], answers: [], authorities: [], additionals: [edns] };
    return Buffer.from(encodeMessage({ id: 0, ...parts }, queryOctetsMax, writer));
  });
}

/** Sends `count` of the queries in turn, 200 at a time, and waits for their answers. Answers how many got none. */
export async function sendDnsQueries(
  port: number,
  queries: readonly Buffer[],
  count: number,
): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: senders }, () => connectTo(port)));
  let sent = 0;
  let answered = 0;
  let lost = 0;
  const send = (): void => {
    const query = queries[sent % queries.length];
    if (query === undefined) return;
    query.writeUInt16BE(sent & 0xffff);
    sockets[sent % senders]?.send(query);
    sent += 1;
  };
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let lastAnswer = performance.now();
  const note = (): void => {
    answered += 1;
    lastAnswer = performance.now();
    if (sent < count) send();
    else if (answered + lost >= count) resolve(undefined);
  };
  for (const socket of sockets) socket.on("message", note);
  const watch = setInterval(() => {
    if (performance.now() - lastAnswer < lostAfterMs) return;
    // Queries under way are lost: others take their place.
    lost = sent - answered;
    lastAnswer = performance.now();
    if (sent >= count) resolve(undefined);
    else for (let more = 0; more < Math.min(outstanding, count - sent); more += 1) send();
  }, lostAfterMs / 4);
  for (let first = 0; first < Math.min(outstanding, count); first += 1) send();
  await promise;
  clearInterval(watch);
  for (const socket of sockets) socket.close();
  return lost;
}

/** Asks one question at a time. */
export async function openDnsClient(port: number): Promise<{
  /** The code that an A question for the name is answered with; undefined where there is no answer for a second. */
  readonly codeOf: (name: string) => Promise<string | undefined>;
  readonly close: () => void;
}> {
  const socket = await connectTo(port);
  return {
    codeOf: async (name) => {
      // The third is for a name and type as they are.
      const [, , query] = dnsQueries([name, name, name]);
      socket.send(query ?? "");
      const signal = AbortSignal.timeout(lostAfterMs);
      const [answer] = (await once(socket, "message", { signal }).catch(() => [])) as Buffer[];
      return answer && rcodeName(readHeader(answer).flags & flagBits.rcode);
    },
    close: () => socket.close(),
  };
}

async function connectTo(port: number): Promise<Socket> {
  const socket = createSocket("udp4");
  socket.connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.setRecvBufferSize(4 * 1024 * 1024);
  // Nobody listens there yet: the query is lost.
  socket.on("error", () => undefined);
  return socket;
}
