import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";
import type { ZoneView } from "../core/dns/served/zone-view.ts";
import { classCodes, flagBits, opcodeOf, opcodes, typeCodes } from "../core/dns/wire/codes.ts";
import { encodeMessage, headerOctets, readHeader } from "../core/dns/wire/message.ts";
import { TsigSigner, type TsigKey } from "../core/dns/wire/tsig.ts";
import { hmac } from "./hmac.ts";
import type { SocketAddress } from "./listeners.ts";

interface Waiting {
  readonly id: number;
  readonly answered: (rcode: number) => void;
}

const idsEnd = 65_536;

/**
 * Notifies other name servers that a zone has changed (RFC 1996). Messages come from the addresses at which this server
 * listens, as peers accept them from these alone.
 */
export class Notifier {
  readonly #sockets = new Map<4 | 6, Socket>();
  readonly #hosts: readonly string[];
  readonly #nowMs: () => number;
  readonly #waiting = new Map<string, Waiting>();

  constructor(listening: readonly SocketAddress[], nowMs: () => number) {
    this.#hosts = listening.map(({ host }) => host);
    this.#nowMs = nowMs;
  }

  /** Returns the code of the response; undefined if none comes within `waitMs`. */
  async notify(
    zone: ZoneView,
    peer: SocketAddress,
    key: TsigKey | undefined,
    waitMs: number,
  ): Promise<number | undefined> {
    const id = randomInt(idsEnd);
    const message = encodeMessage({
      id,
      flags: (opcodes.notify << 11) | flagBits.authoritative,
      questions: [{ name: zone.name, type: typeCodes.SOA, class: classCodes.IN }],
      answers: [
        {
          name: zone.name,
          type: typeCodes.SOA,
          class: classCodes.IN,
          ttl: zone.soa.ttl,
          rdata: zone.soa.rdatas[0] ?? "",
        },
      ],
      authorities: [],
      additionals: [],
    });
    const nowSeconds = (): number => Math.floor(this.#nowMs() / 1000);
    const sent = key === undefined ? message : new TsigSigner(key, "", nowSeconds, hmac).sign(message);
    const from = `${id} ${peer.port} ${peer.host}`;
    return new Promise((resolve) => {
      const end = (rcode: number | undefined): void => {
        clearTimeout(timer);
        this.#waiting.delete(from);
        resolve(rcode);
      };
      const timer = setTimeout(() => end(undefined), waitMs);
      this.#waiting.set(from, { id, answered: end });
      this.#socketFor(peer.host).send(sent, peer.port, peer.host, (error) => {
        if (error !== null) end(undefined);
      });
    });
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
  }

  #socketFor(host: string): Socket {
    const version = isIPv6(host) ? 6 : 4;
    const known = this.#sockets.get(version);
    if (known !== undefined) return known;
    const socket = createSocket(version === 6 ? "udp6" : "udp4");
    // Errors are reports that nobody listens at the peer's address; `notify` ends when its time is up.
    socket.on("error", () => undefined);
    socket.on("message", (bytes, { address, port }) => {
      if (bytes.length < headerOctets) return;
      const { id, flags } = readHeader(bytes);
      if ((flags & flagBits.response) === 0 || opcodeOf(flags) !== opcodes.notify) return;
      this.#waiting.get(`${id} ${port} ${address}`)?.answered(flags & flagBits.rcode);
    });
    const own = this.#hosts.find((one) => isIPv6(one) === (version === 6));
    socket.bind(0, own);
    socket.unref();
    this.#sockets.set(version, socket);
    return socket;
  }
}
