import type { Query } from "./responder.ts";

export interface SocketAddress {
  /** An IP address. */
  readonly host: string;
  readonly port: number;
}

/** Answers a message; never throws or rejects. */
export type Respond = (query: Query) => Uint8Array | undefined | Promise<Uint8Array | undefined>;
