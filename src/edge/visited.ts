import type { EdgeZone, ReadyZone } from "./edge-zone.ts";
import type { Asked } from "./pages.ts";
import type { VisitorRequest } from "./visitor-request.ts";

/** A request with the zone that it is for. */
export interface Visited {
  readonly visitor: VisitorRequest;
  readonly zone: EdgeZone;
  readonly address: string;
  readonly ray: string;
}

/** A request with the zone whose rules it meets. */
export interface ReadyVisit extends Visited {
  readonly zone: ReadyZone;
}

/** What an answer of the edge says of the request that it answers. */
export function askedOf(
  { now }: { readonly now: () => Date },
  visitor: VisitorRequest | undefined,
  { address, ray }: Pick<Visited, "address" | "ray">,
): Asked {
  const accept = visitor?.headers.find(([name]) => name === "accept")?.[1];
  return { accept, hostname: visitor?.hostname ?? "", address, ray, now: now() };
}
