import { typeCodes, rcodes, typeName } from "../wire/codes.ts";
import { nameAt, nameToOctets, foldName } from "../wire/names.ts";
import { WireError } from "../wire/octets.ts";
import type { RecordSet } from "../wire/record-data.ts";
import type { Finding } from "./zone-nodes.ts";
import type { FlattenedCname } from "./record-sets.ts";
import { chainMax, type Sources, type Wanted } from "./sources.ts";

/** The effect of a DNAME record on a name below it (RFC 6672 section 2.2). */
interface Redirection {
  readonly dname: RecordSet;
  /** Without final dot; undefined if it were too long. */
  readonly target: string | undefined;
}

/** Undefined where the name that redirects has no DNAME record. */
export function redirectionOf(
  owner: string,
  { node, from }: Extract<Finding, { kind: "redirected" }>,
): Redirection | undefined {
  const dname = node.sets.find(({ type }) => type === typeCodes.DNAME);
  if (dname === undefined) return undefined;
  const { name } = nameAt(dname.rdatas[0] ?? "\0", 0);
  const prefix = owner.slice(0, owner.length - from.length);
  const target = name === "." ? prefix.slice(0, -1) : prefix + name;
  try {
    nameToOctets(target);
    return { dname, target };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { dname, target: undefined };
  }
}

interface Found {
  readonly rcode: number;
  readonly set: RecordSet;
}

/**
 * The addresses of the target of a flattened CNAME, at the end of any chain of CNAMEs. Their TTL is the
 * smallest on the way. The set is empty if the target has none; SERVFAIL if the target cannot be resolved.
 */
export function addressesOf(cname: FlattenedCname, type: number, sources: Sources): Found | Wanted {
  const { zoneOf, outside, explain } = sources;
  let { target, ttl } = cname;
  const result = (set: RecordSet | undefined, rcode: number = rcodes.NOERROR): Found => ({
    rcode,
    set: { type, ttl: Math.min(ttl, set?.ttl ?? ttl), rdatas: set?.rdatas ?? [] },
  });
  for (let step = 0; step <= chainMax; step += 1) {
    const name = foldName(target);
    explain?.(`its CNAME for ${name} is flattened`);
    const zone = zoneOf(name, false);
    if (zone?.isAvailable === false) return result(undefined, rcodes.SERVFAIL);
    const finding = zone?.find(name);
    if (finding === undefined || finding.kind === "cut") {
      const found = outside(name, type);
      if (found === "unknown") return { name, type };
      explain?.(`a resolver says what ${name} has of ${typeName(type)}`);
      return found === "failed" ? result(undefined, rcodes.SERVFAIL) : result(found);
    }
    if (finding.kind === "missing") return result(undefined);
    if (finding.kind === "redirected") {
      const redirection = redirectionOf(name, finding);
      if (redirection?.target === undefined) return result(undefined, rcodes.SERVFAIL);
      ttl = Math.min(ttl, redirection.dname.ttl);
      ({ target } = redirection);
      continue;
    }
    const { sets, flattened } = finding.node;
    const set = sets.find((one) => one.type === type);
    if (set !== undefined) return result(set);
    const next = sets.find((one) => one.type === typeCodes.CNAME);
    if (next !== undefined) {
      ttl = Math.min(ttl, next.ttl);
      target = nameAt(next.rdatas[0] ?? "\0", 0).name;
    } else if (flattened !== undefined) {
      ttl = Math.min(ttl, flattened.ttl);
      ({ target } = flattened);
    } else {
      return result(undefined);
    }
  }
  explain?.("the CNAMEs lead nowhere");
  return result(undefined, rcodes.SERVFAIL);
}
