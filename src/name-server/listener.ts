export interface SocketAddress {
  /** An IP address. */
  readonly host: string;
  readonly port: number;
}

export type Transport = "udp" | "tcp";

/** A message and where it came from. */
export interface Query {
  readonly bytes: Buffer;
  /** Address of its sender, as Node writes it. */
  readonly address: string;
  readonly transport: Transport;
}

/** What is answered: a message, those of a transfer, or nothing. */
export type Response = Uint8Array | AsyncIterable<Uint8Array> | undefined;

/** Answers a message; never throws or rejects. */
export type Respond = (query: Query) => Response | Promise<Response>;

/** Whether a response has several messages, which only connections can take. */
export function isTransfer(response: Response): response is AsyncIterable<Uint8Array> {
  return response !== undefined && !(response instanceof Uint8Array);
}
