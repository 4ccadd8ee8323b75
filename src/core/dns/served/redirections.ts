import { typeCodes } from "../wire/codes.ts";
import { nameAt, nameToOctets } from "../wire/names.ts";
import { WireError } from "../wire/wire-error.ts";
import type { RecordSet } from "./record-sets.ts";
import type { Finding } from "./zone-nodes.ts";

/** What a DNAME record makes of a name below it (RFC 6672 section 2.2). */
export interface Redirection {
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
