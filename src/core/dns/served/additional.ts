import { typeCodes } from "../wire/codes.ts";
import { foldName, isAtOrBelow, nameAt } from "../wire/names.ts";
import { withSignature } from "./proofs.ts";
import type { RecordSet } from "../wire/record-data.ts";
import type { Answer, Sources } from "./sources.ts";
import type { ZoneView } from "./zone-view.ts";

/**
 * Offset of the target name in the data of the types whose targets' addresses go into the additional section.
 */
const targetAt = new Map<number, number>([
  [typeCodes.NS, 0],
  [typeCodes.MX, 2],
  [typeCodes.SVCB, 2],
  [typeCodes.HTTPS, 2],
  [typeCodes.SRV, 6],
]);

const addressTypes = [typeCodes.A, typeCodes.AAAA];
/** Targets whose addresses are added, where nobody needs them to go on. */
const targetsMax = 16;

/** Adds the addresses of the targets of `set` that our zones have. */
export function addAddressesOf(answer: Answer, set: RecordSet, { zoneOf, isSecure }: Sources): void {
  const before = targetAt.get(set.type);
  if (before === undefined) return;
  for (const target of targetsOf(set, before).slice(0, targetsMax)) {
    const zone = zoneOf(target, false);
    const finding = zone?.find(target);
    if (zone === undefined || finding?.kind !== "name") continue;
    const source = finding.wildcard ?? target;
    for (const found of finding.node.sets) {
      if (!addressTypes.includes(found.type as 1)) continue;
      if (isSecure === true) answer.additionals.push(...withSignature(zone, target, source, found));
      else answer.additionals.push({ name: target, set: found });
    }
  }
}

/**
 * Adds the addresses of a delegation's name servers. Those of all servers below the cut come first: a resolver
 * cannot find them otherwise ([RFC 9471 section 3.1](https://www.rfc-editor.org/rfc/rfc9471#section-3.1)).
 */
export function addGlue(
  answer: Answer,
  servers: RecordSet,
  zone: ZoneView,
  cut: string,
  isSecure: boolean,
): void {
  const inZone = targetsOf(servers, 0).filter((server) => isAtOrBelow(server, zone.name));
  const isNeeded = (server: string): boolean => isAtOrBelow(server, cut);
  const others = inZone.filter((server) => !isNeeded(server)).slice(0, targetsMax);
  for (const server of [...inZone.filter(isNeeded), ...others]) {
    for (const type of addressTypes) {
      const set = zone.storedSet(server, type);
      if (set === undefined) continue;
      // `withSignature` adds a signature only to names above the cut: glue is not signed.
      if (isSecure) answer.additionals.push(...withSignature(zone, server, server, set));
      else answer.additionals.push({ name: server, set });
      if (isNeeded(server)) answer.additionalsNeeded += 1;
    }
  }
}

function targetsOf({ rdatas }: RecordSet, before: number): string[] {
  const targets = rdatas.map((rdata) => foldName(nameAt(rdata, before).name));
  return [...new Set(targets)].filter((target) => target !== ".");
}
