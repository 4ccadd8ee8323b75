import { FairMap } from "../../core/fair-map.ts";
import type { Header } from "../../core/transforms/request-headers.ts";
import type { OwnAnswer } from "../errors/block-and-error-pages.ts";
import type { Exchange } from "../request/exchange.ts";
import type { ContractName } from "./contracts.ts";

/** A request that may pass, as the rules changed it. */
export interface Passed {
  readonly target: string;
  readonly headers: readonly Header[];
}

const keptMax = 1_000;
const nothing = Buffer.alloc(0);

/** Headers that belong to the response to the proxy; none of them is for the origin. */
const ofAnswer = /^(?:content-length|content-type|transfer-encoding|connection|date|cf-ray|x-zoneward-.*)$/;

/** Headers that a proxy sets by itself. */
const ofProxy: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "accept-encoding",
  "x-forwarded-for",
  "x-forwarded-proto",
  "cdn-loop",
]);

/**
 * Tells a proxy that a request may pass. The response carries the target as `X-Zoneward-Uri`, and the
 * origin's headers under their own names: those `wanted` that the request has; Caddy gets the others too, empty.
 * Envoy keeps all headers that it is told nothing about, so it gets those that differ from what `came`, and the
 * names of the removed ones.
 */
export function allow(
  contract: ContractName,
  { target, headers }: Passed,
  came: readonly Header[],
  wanted: readonly string[],
): OwnAnswer {
  const before = byName(came);
  const after = byName(headers);
  const uri: Header = ["x-zoneward-uri", target];
  // Caddy before 2.10 sends origins the text of its own placeholder for a header that is not there.
  const absent = contract === "caddy" ? "" : undefined;
  const told = (names: Iterable<string>): Header[] =>
    [...new Set(names)].flatMap((name) => {
      const value = after.get(name) ?? absent;
      return value === undefined || ofAnswer.test(name) ? [] : [[name, value] as const];
    });
  if (contract !== "envoy") return { status: 200, headers: [uri, ...told(wanted)], body: nothing };
  const differs = (name: string): boolean => before.get(name) !== after.get(name) && !ofProxy.has(name);
  const gone = [...before.keys()].filter((name) => !after.has(name) && differs(name));
  const removed: Header[] = gone.length === 0 ? [] : [["x-envoy-auth-headers-to-remove", gone.join(",")]];
  return {
    status: 200,
    headers: [uri, ...told([...after.keys()].filter(differs)), ...removed],
    body: nothing,
  };
}

function byName(headers: readonly Header[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return found;
}

/** Tells proxies that a request must not pass, and gives them the response for the visitor. */
export class Denials {
  readonly #kept = new FairMap<string, OwnAnswer>({ weightMax: keptMax });

  /**
   * nginx forwards nothing but the status 403, so its response for the visitor is kept until nginx fetches it by
   * the ray id; the accounts of the zones share the room for these. Envoy takes a status of 500 and above for a
   * failure of ours.
   */
  deny(contract: ContractName, answer: OwnAnswer, { ray, owners }: Exchange): OwnAnswer {
    const status: Header = ["x-zoneward-status", String(answer.status)];
    if (contract === "nginx") {
      this.#kept.set(ray, answer, owners);
      return { status: 403, headers: [status], body: nothing };
    }
    if (contract === "envoy" && answer.status >= 500) {
      return { ...answer, status: 403, headers: [...answer.headers, status] };
    }
    return { ...answer, headers: [...answer.headers, status] };
  }

  /** The response for the visitor of a request; undefined if none was kept, or it has been dropped. */
  kept(ray: string): OwnAnswer | undefined {
    return this.#kept.get(ray);
  }
}
