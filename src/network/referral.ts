import { createSocket } from "node:dgram";
import { once } from "node:events";
import { randomInt } from "node:crypto";

import { classCodes, flagBits, opcodeOf, opcodes, rcodes, typeCodes } from "../core/dns/wire/codes.ts";
import { ednsRecord } from "../core/dns/wire/edns.ts";
import { decodeMessage, encodeMessage, type Message } from "../core/dns/wire/message.ts";
import { foldName, nameAt } from "../core/dns/wire/names.ts";

const payloadSize = 1232;

/**
 * Asks an authoritative server for a name, and returns the name servers to which it refers: those of the
 * delegation, if it serves the parent zone. None if it does not refer. Throws if it does not answer until
 * `signal` is aborted.
 */
export async function askForReferral(
  server: string,
  name: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return serversIn(await ask(server, name, typeCodes.NS, signal), name);
}

/**
 * Asks a resolver, or a server of the parent zone, for the DS records of a name; undefined where it cannot
 * tell. Throws if it does not answer until `signal` is aborted.
 */
export async function askForSigners(
  server: string,
  name: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const { flags, answers } = await ask(server, name, typeCodes.DS, signal);
  const rcode = flags & flagBits.rcode;
  if (rcode !== rcodes.NOERROR && rcode !== rcodes.NXDOMAIN) return undefined;
  return answers
    .filter((record) => record.type === typeCodes.DS && foldName(record.name) === foldName(name))
    .map(({ rdata }) => rdata);
}

async function ask(server: string, name: string, type: number, signal: AbortSignal): Promise<Message> {
  const { host, port } = addressOf(server);
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  try {
    socket.connect(port, host);
    await once(socket, "connect", { signal });
    const id = randomInt(0x1_0000);
    socket.send(question(id, name, type));
    for (;;) {
      const [bytes] = (await once(socket, "message", { signal })) as [Buffer];
      const message = decodeMessage(bytes);
      if (isAnswerTo(message, id, name)) return message;
    }
  } finally {
    socket.close();
  }
}

function question(id: number, name: string, type: number): Uint8Array {
  const edns = { payloadSize, version: 0, extendedRcode: 0, dnssecOk: false, options: [] };
  return encodeMessage({
    id,
    // Only the parent's servers are asked for the delegation, without recursion.
    flags: type === typeCodes.NS ? 0 : flagBits.recursionDesired,
    questions: [{ name, type, class: classCodes.IN }],
    answers: [],
    authorities: [],
    additionals: [ednsRecord(edns)],
  });
}

function isAnswerTo({ id, flags, questions }: Message, asked: number, name: string): boolean {
  const [first] = questions;
  return (
    id === asked &&
    (flags & flagBits.response) !== 0 &&
    opcodeOf(flags) === opcodes.query &&
    first !== undefined &&
    foldName(first.name) === foldName(name)
  );
}

function serversIn({ flags, authorities }: Message, name: string): readonly string[] {
  const isReferral = (flags & flagBits.rcode) === rcodes.NOERROR && (flags & flagBits.authoritative) === 0;
  if (!isReferral) return [];
  return authorities
    .filter((record) => record.type === typeCodes.NS && foldName(record.name) === foldName(name))
    .map(({ rdata }) => nameAt(rdata, 0).name);
}

/** The host and port of `192.0.2.1`, `192.0.2.1:53` or `[2001:db8::1]:53`. */
function addressOf(server: string): { readonly host: string; readonly port: number } {
  const [, host = server, port = "53"] =
    /^\[(.*)\]:(\d+)$/.exec(server) ?? /^([^:]*):(\d+)$/.exec(server) ?? [];
  return { host, port: Number(port) };
}
