import { type Variable, parseTarget, type Target } from "../parse/targets.ts";
import { type Operator, type Macro, compileMacro } from "../operators/operator.ts";
import type { LiteralGroup } from "../operators/literal-filter.ts";
import type { Chain } from "../transform/chain.ts";
import { lowerAscii } from "../../expression/byte-string.ts";
import { SecLangError, type Location } from "../parse/directives.ts";

/** The entries of a collection that a rule inspects. */
export interface CompiledTarget {
  /** Equal targets of different rules share one index. */
  readonly index: number;
  readonly variable: Variable;
  readonly name: string | undefined;
  readonly isSelected: ((name: string) => boolean) | undefined;
  /** Whether an entry is excluded; undefined if none is. */
  readonly isExcluded: ((name: string) => boolean) | undefined;
  /** `&`: the number of entries is inspected instead of the entries. */
  readonly isCount: boolean;
}

export interface CompiledTargets {
  readonly text: string;
  /** Equal target lists of different rules share one index. */
  readonly index: number;
  /** Whether the selected entries change only when the request or the response is set. */
  readonly isFixed: boolean;
  /** Whether the selected entries change only when a rule stores a value. */
  readonly isStored: boolean;
  readonly included: readonly CompiledTarget[];
}

/** One rule of a chain; most chains have only one. */
export interface Link {
  readonly test: Test | undefined;
  readonly setVariables: readonly SetVariable[];
  readonly controls: readonly Control[];
}

export interface Test {
  readonly targets: CompiledTargets;
  /**
   * The transformations after which the operator runs: one chain, or with `multiMatch` also every prefix of
   * it.
   */
  readonly chains: readonly Chain[];
  readonly operator: Operator;
  /** Literals at least one of which a value must contain to match. */
  readonly literals: LiteralGroup | undefined;
  /**
   * Shared by tests with the same targets and transformations whose literals are in the same filter.
   * Undefined if the absence of literals does not rule out a match.
   */
  readonly sharedIndex: number | undefined;
  readonly isNegated: boolean;
  /** Whether `TX:0` to `TX:9` are set to the operator's captures. */
  readonly captures: boolean;
}

export type Phase = 1 | 2 | 3 | 4 | 5;

/** A rule: its first link and those chained to it. */
export interface Rule {
  readonly id: number;
  readonly phase: Phase;
  readonly message: string;
  readonly tags: readonly string[];
  readonly severity: Severity | undefined;
  readonly isLogged: boolean;
  readonly describe: Macro;
  readonly links: readonly Link[];
  readonly skipAfter: string | undefined;
  readonly skip: number;
  readonly position: number;
}

export interface RuleSet {
  /** The component signature of the rules: `OWASP_CRS/3.3.4`. */
  readonly version: string | undefined;
  readonly rules: readonly Rule[];
  readonly phases: Readonly<Record<Phase, readonly Rule[]>>;
  readonly markers: ReadonlyMap<string, number>;
}

export const severities = [
  "EMERGENCY",
  "ALERT",
  "CRITICAL",
  "ERROR",
  "WARNING",
  "NOTICE",
  "INFO",
  "DEBUG",
] as const;

export type Severity = (typeof severities)[number];

const scores: Readonly<Partial<Record<Severity, number>>> = { CRITICAL: 5, ERROR: 4, WARNING: 3, NOTICE: 2 };

export function scoreOf(severity: Severity | undefined): number {
  return (severity && scores[severity]) ?? 0;
}

const names = ["TX", "IP", "GLOBAL", "SESSION", "USER"] as const;

const known: ReadonlySet<string> = new Set(names);

/** A collection that rules write. All of them last for one request. */
export type StoredCollection = (typeof names)[number];

export function isStoredCollection(name: string): name is StoredCollection {
  return known.has(name);
}

/** The names of the variable before release 4.0 and since. */
const scoreName = /^(?:inbound_)?anomaly_score_pl[1-4]$/i;

export interface SetVariable {
  readonly collection: StoredCollection;
  readonly name: Macro;
  /** Whether it is the score of a request at a paranoia level. */
  readonly isScore: boolean;
  readonly change: "set" | "add" | "subtract" | "remove";
  readonly value: Macro;
}

/** Parses `tx.name=value`, `tx.name=+5`, `tx.name=-5`, `!tx.name` and `tx.name`, which sets 1. */
export function parseSetVariable(location: Location, text: string): SetVariable {
  const [, sign = "", written = "", name = "", value] = /^(!?)(\w+)\.([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  const collection = written.toUpperCase();
  if (!isStoredCollection(collection)) throw new SecLangError(location, `"setvar:${text}" is not supported`);
  const [, step = "", amount = ""] = /^([+-]?)(.*)$/s.exec(value ?? "1") ?? [];
  const changes = { "": "set", "+": "add", "-": "subtract" } as const;
  return {
    collection,
    name: compileMacro(lowerAscii(name.trim())),
    isScore: collection === "TX" && scoreName.test(name),
    change: sign === "!" ? "remove" : changes[step as keyof typeof changes],
    value: compileMacro(amount),
  };
}

/** A selection of rules: those with ids in a range, or with a tag that contains the text. */
export type Rules =
  | { readonly kind: "ids"; readonly first: number; readonly last: number }
  | { readonly kind: "tag"; readonly tag: string };

/** A change that a `ctl` action makes for the rest of a request. */
export type Control =
  | { readonly kind: "remove-rules"; readonly rules: Rules }
  | { readonly kind: "remove-target"; readonly rules: Rules; readonly target: Target }
  | { readonly kind: "body-processor"; readonly processor: string }
  | { readonly kind: "force-body"; readonly isForced: boolean }
  | { readonly kind: "engine"; readonly isOff: boolean };

/**
 * Parses `name=value`. Undefined for options of audit logs, which are ignored. Throws SecLangError for an
 * unsupported option.
 */
export function parseControl(location: Location, text: string): Control | undefined {
  const [, name = "", value = ""] = /^(\w+)\s*=\s*(.*)$/s.exec(text) ?? [];
  const [rules = "", target = ""] = value.split(/;(.*)/s);
  switch (name.toLowerCase()) {
    case "ruleremovebyid":
      return { kind: "remove-rules", rules: parseIds(location, rules) };
    case "ruleremovebytag":
      return { kind: "remove-rules", rules: { kind: "tag", tag: rules } };
    case "ruleremovetargetbyid":
      return {
        kind: "remove-target",
        rules: parseIds(location, rules),
        target: parseTarget(location, target),
      };
    case "ruleremovetargetbytag":
      return {
        kind: "remove-target",
        rules: { kind: "tag", tag: rules },
        target: parseTarget(location, target),
      };
    case "requestbodyprocessor":
      return { kind: "body-processor", processor: value.toUpperCase() };
    case "forcerequestbodyvariable":
      return { kind: "force-body", isForced: value.toLowerCase() === "on" };
    case "ruleengine":
      return { kind: "engine", isOff: value.toLowerCase() === "off" };
    case "auditengine":
    case "auditlogparts":
      return undefined;
    default:
      throw new SecLangError(location, `"ctl:${text}" is not supported`);
  }
}

/** Parses `942100` or `942100-942199`. */
export function parseIds(location: Location, text: string): Rules & { readonly kind: "ids" } {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(text.trim()) ?? [];
  if (first === undefined)
    throw new SecLangError(location, `"${text}" is neither the id of a rule nor a range of them`);
  return { kind: "ids", first: Number(first), last: Number(last) };
}
