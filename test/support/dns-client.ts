import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import { classCodes, rcodeName, typeCodes, typeName } from "../../src/core/dns/wire/codes.ts";
import { ednsRecord, readEdns, type Edns } from "../../src/core/dns/wire/edns.ts";
import { decodeMessage, encodeMessage, type Message } from "../../src/core/dns/wire/message.ts";
import { nameAt } from "../../src/core/dns/wire/names.ts";
import { fourOctetsAt } from "../../src/core/dns/wire/octets.ts";

export interface DnsQuery {
  readonly name: string;
  readonly type?: keyof typeof typeCodes;
  readonly edns?: Partial<Edns>;
  readonly change?: (message: Message) => Message;
}

/** A query as octets. */
export function dnsQuery({ name, type = "A", edns, change = (message) => message }: DnsQuery): Uint8Array {
  const message: Message = {
    id: 4711,
    flags: 0x0100,
    questions: [{ name, type: typeCodes[type], class: classCodes.IN }],
    answers: [],
    authorities: [],
    additionals:
      edns === undefined
        ? []
        : [
            ednsRecord({
              payloadSize: 1232,
              version: 0,
              extendedRcode: 0,
              dnssecOk: false,
              options: [],
              ...edns,
            }),
          ],
  };
  return encodeMessage(change(message));
}

/** A client of a name server on UDP and TCP. */
export interface DnsClient {
  /** The answer over UDP, as it came. */
  send(bytes: Uint8Array): Promise<Buffer>;
  ask(query: DnsQuery): Promise<Message>;
  /** The answer: its code, and the records of the answer section, `name TTL type data`. */
  lines(name: string, type?: DnsQuery["type"]): Promise<string[]>;
  /** Does the same as `lines`, sorted; nothing where no answer comes within half a second. */
  linesIfAnswered(name: string, type?: DnsQuery["type"]): Promise<string[]>;
  /** Sends datagrams and waits for no answers to them. */
  flood(datagrams: readonly Uint8Array[]): Promise<void>;
  connect(): Socket;
  /** The answers to queries sent at once on a connection, in the order of their coming. */
  askOnConnection(queries: readonly Uint8Array[]): Promise<Message[]>;
}

export async function createDnsClient(t: TestContext, address: string): Promise<DnsClient> {
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
  const target = { host, port: Number(port) };
  const send = async (bytes: Uint8Array): Promise<Buffer> => {
    const socket = createSocket("udp4");
    try {
      socket.connect(target.port, target.host);
      await once(socket, "connect");
      socket.send(bytes);
      const [answer] = (await once(socket, "message")) as [Buffer];
      return answer;
    } finally {
      socket.close();
    }
  };
  const ask: DnsClient["ask"] = async (query) => decodeMessage(await send(dnsQuery(query)));
  const lines: DnsClient["lines"] = async (name, type = "A") => linesOf(await ask({ name, type }));
  return {
    send,
    ask,
    lines,
    linesIfAnswered: async (name, type) => {
      const silence = new Promise<string[]>((resolve) => void setTimeout(() => resolve([]), 500).unref());
      const answer = await Promise.race([lines(name, type).catch((): string[] => []), silence]);
      return answer.toSorted();
    },
    flood: async (datagrams) => {
      const socket = createSocket("udp4");
      socket.connect(target.port, target.host);
      await once(socket, "connect");
      for (const bytes of datagrams) {
        await new Promise((sent) => socket.send(bytes, sent));
        // A server in this process reads meanwhile: not every system keeps that many for it.
        await nextTurn();
      }
      socket.close();
    },
    connect: () => {
      const socket = connect(target);
      t.after(() => socket.destroy());
      return socket;
    },
    askOnConnection: async (queries) => {
      const socket = connect(target);
      t.after(() => socket.destroy());
      socket.write(Buffer.concat(queries.map(framed)));
      const answers = await readAnswers(socket, queries.length);
      socket.end();
      return answers;
    },
  };
}

/** A message behind its length. */
export function framed(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Reads this number of answers from a connection. */
export async function readAnswers(socket: Socket, count: number): Promise<Message[]> {
  let received = Buffer.alloc(0);
  const answers: Message[] = [];
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      answers.push(decodeMessage(received.subarray(2, end)));
      received = received.subarray(end);
    }
    if (answers.length >= count) return answers;
  }
  return answers;
}

/** The whole response code, and the records of the answer section. */
export function linesOf(message: Message): string[] {
  const rcode = (message.flags & 15) | ((readEdns(message)?.extendedRcode ?? 0) << 4);
  return [
    rcodeName(rcode),
    ...message.answers.map(
      ({ name, ttl, type, rdata }) => `${name} ${ttl} ${typeName(type)} ${show(type, rdata)}`,
    ),
  ];
}

function show(type: number, rdata: string): string {
  if (type === typeCodes.A) return Array.from(rdata, (octet) => octet.charCodeAt(0)).join(".");
  if (type === typeCodes.NS || type === typeCodes.CNAME) return nameAt(rdata, 0).name;
  if (type === typeCodes.SOA) return String(serialIn(rdata));
  return type === typeCodes.TXT ? rdata.slice(1) : Buffer.from(rdata, "latin1").toString("hex");
}

/** The serial in the data of an SOA record. */
export function serialIn(rdata: string): number {
  return fourOctetsAt(rdata, nameAt(rdata, nameAt(rdata, 0).end).end);
}
