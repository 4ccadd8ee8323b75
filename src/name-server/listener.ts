export interface SocketAddress {
  /** An IP address. */
  readonly host: string;
  readonly port: number;
}

export type Transport = "udp" | "tcp";

/** A message with its sender. */
export interface Query {
  readonly bytes: Buffer;
  /** The IP address of the sender, as Node writes it. */
  readonly address: string;
  readonly transport: Transport;
}

/** One message, the messages of a transfer, or no response. */
export type Response = Uint8Array | AsyncIterable<Uint8Array> | undefined;

/** Answers a message; never throws or rejects. */
export type Respond = (query: Query) => Response | Promise<Response>;

/** Whether a response is a transfer, whose messages need a connection. */
export function isTransfer(response: Response): response is AsyncIterable<Uint8Array> {
  return response !== undefined && !(response instanceof Uint8Array);
}
