/** What takes requests: the API, the JSON-RPC gateway, the name server, the edge. */
export const listeners = ["api", "gateway", "dns", "edge"] as const;

export type Listener = (typeof listeners)[number];

/** A request as matches see it. */
export interface Exchange {
  readonly listener: Listener;
  /** The operation's name; undefined where there is none, and outside of the API. */
  readonly operation: string | undefined;
  /**
   * `QUERY` for a question of DNS, `MESSAGE` for a message of a WebSocket, `PUSH` for what a subscription brings, `RELAY` for
   * what passes on a WebSocket of the edge.
   */
  readonly method: string;
  /** Path of the URL without its query; for a question of DNS its name and type, `/www.example.com/A`. */
  readonly path: string;
  /** Id of the zone that it names, or whose name is asked or visited; undefined if there is none. */
  readonly zone: string | undefined;
  /** Id of the token that it was sent with; undefined for other credentials. */
  readonly token: string | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of the answer; undefined as long as there is none. */
  readonly status?: number | undefined;
}
