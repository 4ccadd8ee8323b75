import { invalidBody } from "../../core/error.ts";
import type { WafRule } from "../../core/previous-waf/catalogue.ts";
import type { WafRuleRow } from "../../storage/schema/previous-waf.ts";
import type { Chosen } from "./chosen.ts";

type Mode = WafRuleRow["mode"];

export function modeOf(rule: WafRule, chosen: Chosen["rules"]): Mode {
  return chosen.get(rule.id) ?? untouchedMode(rule);
}

/** The mode of an unchanged rule. */
export function untouchedMode({ defaultMode }: WafRule): Mode {
  return defaultMode === undefined ? "on" : "default";
}

/** Rules that only add to a score are on or off; the others have an action. */
export function allowedModes({ defaultMode }: WafRule): readonly Mode[] {
  return defaultMode === undefined ? ["on", "off"] : ["default", "disable", "simulate", "block", "challenge"];
}

/** Errors: 400 code 1003 for a mode that the rule does not have. */
export function parseMode(rule: WafRule, text: string): Mode {
  const modes = allowedModes(rule);
  const mode = modes.find((allowed) => allowed === text);
  if (mode !== undefined) return mode;
  throw invalidBody("/mode", `must be one of: ${modes.join(", ")}`);
}
