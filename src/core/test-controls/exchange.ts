/** The listeners that take requests: the API, the JSON-RPC gateway, the name server, the edge. */
export const listeners = ["api", "gateway", "dns", "edge"] as const;

export type Listener = (typeof listeners)[number];

export interface Exchange {
  readonly listener: Listener;
  /** The operation's name; undefined for an unknown path, and outside of the API. */
  readonly operation: string | undefined;
  /**
   * The HTTP method; `QUERY` for a question of DNS, `MESSAGE` for a message of a WebSocket, `PUSH` for a
   * notification of a subscription, `RELAY` for a message on a WebSocket of the edge.
   */
  readonly method: string;
  /** The path of the URL without its query; of a question of DNS its name and type, `/www.example.com/A`. */
  readonly path: string;
  /**
   * The id of the zone that the path names, or to which the asked or visited name belongs; undefined if there
   * is none.
   */
  readonly zone: string | undefined;
  /** The id of the token of the request; undefined for other credentials. */
  readonly token: string | undefined;
  /** The headers, by names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly status?: number | undefined;
}
