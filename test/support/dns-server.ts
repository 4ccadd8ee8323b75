import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import type { TestContext } from "node:test";

import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Answer,
  type CaaData,
  type DecodedPacket,
  type DsData,
  type MxData,
  type Question,
} from "dns-packet";

const rcodes = { servfail: 2, nxdomain: 3 } as const;

/** Records of a name. Those beside a `cname` are behind it: a resolver answers them too. */
interface DnsRecords {
  readonly a?: readonly string[];
  readonly caa?: readonly CaaData[];
  readonly cname?: readonly string[];
  readonly ds?: readonly DsData[];
  readonly mx?: readonly MxData[];
  readonly ns?: readonly string[];
  /** A text, or the strings that it is cut into. */
  readonly txt?: readonly (string | string[])[];
}

/** The answer for a name: its records by type, a failure, or nothing at all. */
export type DnsAnswer = DnsRecords | "servfail" | "silence";

export interface DnsServer {
  /** For the setting `resolvers`. */
  readonly address: string;
  /** The answers of the names, by their lower-case form, at once or later. */
  readonly names: Map<string, DnsAnswer | Promise<DnsAnswer>>;
  /** The names asked for, in order. */
  readonly asked: string[];
}

/**
 * A DNS server on UDP that says what the test tells it; to it, any other name does not exist unless `others` say so.
 */
export async function startDnsServer(t: TestContext, others?: DnsAnswer): Promise<DnsServer> {
  const names = new Map<string, DnsAnswer | Promise<DnsAnswer>>();
  const asked: string[] = [];
  const socket = createSocket("udp4");
  const answerTo = async (message: Buffer, peer: RemoteInfo): Promise<void> => {
    const query = decode(message);
    const question = query.questions?.[0];
    if (question === undefined) return;
    asked.push(question.name);
    const answer = (await names.get(question.name.toLowerCase())) ?? others;
    if (answer !== "silence") socket.send(respond(query, question, answer), peer.port, peer.address);
  };
  socket.on("message", (message, peer) => void answerTo(message, peer));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  t.after(() => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, names, asked };
}

function respond(query: DecodedPacket, question: Question, answer: DnsAnswer | undefined): Buffer {
  const rcode = answer === undefined ? rcodes.nxdomain : answer === "servfail" ? rcodes.servfail : 0;
  return encode({
    type: "response",
    id: query.id ?? 0,
    flags: AUTHORITATIVE_ANSWER | rcode,
    questions: [question],
    answers: typeof answer === "object" ? recordsOf(question, answer) : [],
  });
}

function recordsOf({ name, type }: Question, records: DnsRecords): Answer[] {
  const [target] = records.cname ?? [];
  const isAlias = target !== undefined && type !== "CNAME";
  const owner = isAlias ? target : name;
  const answers = (records[type.toLowerCase() as keyof DnsRecords] ?? []).map(
    (data) => ({ type, name: owner, ttl: 0, data }) as Answer,
  );
  return isAlias ? [{ type: "CNAME", name, ttl: 0, data: target }, ...answers] : answers;
}
