import { parseTarget, type Target } from "../parse/targets.ts";
import { SecLangError, type Location } from "../parse/seclang-error.ts";

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
