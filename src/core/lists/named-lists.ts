import { listsNamedIn, type NamedList } from "../expression/named-lists.ts";
import type { ExpressionLimits } from "../expression/limits.ts";
import { includesPlan, type Phase, type Plan } from "../expression/phases.ts";
import type { ScalarType } from "../expression/value-type.ts";
import type { ListKind } from "./kinds.ts";

/** The lists that expressions of a phase may name. */
export interface NamedLists {
  /** Returns undefined for a list that the account does not have. */
  readonly kindOf: (name: string) => ListKind | undefined;
  readonly phase: Phase;
  /** The plan that limits the kinds of lists; undefined for none. */
  readonly plan: Plan | undefined;
}

/** The lists of expressions outside of any account: none. */
export const noLists = (phase: Phase): NamedLists => ({ kindOf: () => undefined, phase, plan: undefined });

/** Lists that the service manages, with their prefix. */
const managedLists: ReadonlySet<string> = new Set(
  ["anonymizer", "botnetcc", "malware", "open_proxies", "vpn"].map((name) => `cf.${name}`),
);

/** The only phase whose rules use lists of redirects. */
const redirectPhase: Phase = "http_request_redirect";

const kindsOfTypes: Readonly<Record<ScalarType, readonly ListKind[]>> = {
  Ip: ["ip"],
  Int: ["asn"],
  Bytes: ["hostname", "redirect"],
  Bool: [],
};

/** The error in the lists that an expression names; undefined if there is none. */
export function listIssue(source: string, lists: NamedLists, limits?: ExpressionLimits): string | undefined {
  for (const named of listsNamedIn(source, limits)) {
    const issue = named.name.includes(".") ? managedIssue(named, lists) : ownIssue(named, lists);
    if (issue !== undefined) return issue;
  }
  return undefined;
}

function managedIssue({ name, type }: NamedList, { plan }: NamedLists): string | undefined {
  if (!managedLists.has(name)) return `there is no managed list $${name}`;
  if (type !== "Ip") return wrongType(name, "ip", type);
  if (plan === undefined || includesPlan(plan, "enterprise")) return undefined;
  return `not entitled: the use of list $${name} is not allowed, an Enterprise plan is required`;
}

function ownIssue({ name, type }: NamedList, { kindOf, phase }: NamedLists): string | undefined {
  const kind = kindOf(name);
  if (kind === undefined) return `the account has no list $${name}`;
  if (!kindsOfTypes[type].includes(kind)) return wrongType(name, kind, type);
  if (kind !== "redirect" || phase === redirectPhase) return undefined;
  return `the list $${name} holds redirects, which only rules of the phase ${redirectPhase} can name`;
}

function wrongType(name: string, kind: ListKind, type: ScalarType): string {
  return `the list $${name} is of kind ${kind}, and cannot hold a value of type ${type}`;
}
