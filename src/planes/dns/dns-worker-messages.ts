import type { SocketAddress } from "../../name-server/listener.ts";
import type { QueryTally } from "../../name-server/query-counts.ts";
import type { ZoneContext } from "../../resources/zones/zones.ts";
import type { SecretKeySource } from "../../secrets/secret-box.ts";
import type { Changes } from "../../storage/changes.ts";
import type { DatabaseLocation } from "../../storage/database.ts";

/** What a thread of the name server needs to know when it starts. */
export interface DnsWorkerSettings {
  readonly location: DatabaseLocation;
  readonly secretKey: SecretKeySource;
  readonly zones: ZoneContext["settings"];
  readonly edgeAddresses: readonly string[];
  readonly resolvers: readonly string[];
  /** The addresses on which the main thread listens. */
  readonly addresses: readonly SocketAddress[];
  readonly responsesPerSecond: number | undefined;
  readonly logsQueries: boolean;
  /** The same in all threads: a client's next query may reach another one. */
  readonly cookieSecret: Uint8Array;
}

/** What the main thread tells a thread of the name server. */
export type ToDnsWorker =
  /** What has changed; undefined: anything. */
  | { readonly kind: "changed"; readonly changes: Changes | undefined }
  /** The response to a query that was passed on. */
  | { readonly kind: "answer"; readonly number: number; readonly bytes: Uint8Array | undefined }
  | { readonly kind: "end" };

/** What a thread of the name server tells the main thread. */
export type FromDnsWorker =
  | { readonly kind: "listening" }
  /** A query over UDP that only the main thread can answer. */
  | { readonly kind: "query"; readonly number: number; readonly bytes: Uint8Array; readonly address: string }
  | { readonly kind: "counted"; readonly tally: QueryTally }
  | {
      readonly kind: "log";
      readonly level: "info" | "error";
      readonly fields: object;
      readonly message: string;
    };
