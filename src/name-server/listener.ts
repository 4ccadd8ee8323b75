import type { Query } from "./responder.ts";

export interface SocketAddress {
  /** An IP address. */
  readonly host: string;
  readonly port: number;
}

/** What is answered: a message, those of a transfer, or nothing. */
export type Response = Uint8Array | AsyncIterable<Uint8Array> | undefined;

/** Answers a message; never throws or rejects. */
export type Respond = (query: Query) => Response | Promise<Response>;

/** Whether a response has several messages, which only connections can take. */
export function isTransfer(response: Response): response is AsyncIterable<Uint8Array> {
  return response !== undefined && !(response instanceof Uint8Array);
}
