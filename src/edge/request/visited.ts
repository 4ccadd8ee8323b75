import { clientNetwork } from "../../core/net/client-network.ts";
import type { EdgeZone, ReadyZone } from "../zones/edge-zone.ts";
import type { Asked } from "../errors/problem.ts";
import type { VisitorLocation } from "./visitor-location.ts";
import type { VisitorRequest } from "./visitor-request.ts";

/** A request with the zone that it is for. */
export interface Visited {
  readonly visitor: VisitorRequest;
  readonly zone: EdgeZone;
  readonly address: string;
  readonly location: VisitorLocation;
  readonly ray: string;
}

/** Whose share a request counts towards: that of the zone's account, and of its client within. */
export function ownersOf({ zone, address }: Pick<Visited, "zone" | "address">): readonly string[] {
  return [zone.accountId, clientNetwork(address)];
}

/** A request with its zone, whose rules are ready to run. */
export interface ReadyVisit extends Visited {
  readonly zone: ReadyZone;
}

/** What a response of the edge itself needs to know of its request. */
export function askedOf(
  { now }: { readonly now: () => Date },
  visitor: VisitorRequest | undefined,
  { address, ray }: Pick<Visited, "address" | "ray">,
): Asked {
  const accept = visitor?.headers.find(([name]) => name === "accept")?.[1];
  return { accept, hostname: visitor?.hostname ?? "", address, ray, now: now() };
}
