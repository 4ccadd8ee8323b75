import type { Rule } from "../rulesets/rule.ts";
import type { Ruleset } from "../rulesets/ruleset.ts";

/**
 * The id that stands for the firewall rules of a zone in traces, where rulesets have their ids. Of these
 * rules, [a challenge that was
 * passed](https://developers.cloudflare.com/firewall/cf-firewall-rules/actions/#notes-about-challenge-actions)
 * is the last.
 */
export const firewallRulesetId = "firewall_rules";

/** The order of rules without a priority, by their actions. */
const actionsInOrder = [
  "log",
  "bypass",
  "allow",
  "challenge",
  "managed_challenge",
  "js_challenge",
  "block",
] as const;

export interface FirewallRule {
  readonly id: string;
  readonly description: string;
  readonly action: (typeof actionsInOrder)[number];
  readonly products: readonly string[];
  /** Whether the rule or its filter is paused. */
  readonly isPaused: boolean;
  /** Undefined if its filter was deleted. */
  readonly expression: string | undefined;
  /** The lowest number comes first, null last. */
  readonly priority: number | null;
  readonly modifiedOn: string;
}

/**
 * The firewall rules of a zone as a ruleset ahead of its custom rules, in [their
 * order](https://developers.cloudflare.com/firewall/cf-firewall-rules/order-priority/); undefined where none
 * can act. One that allows ends this ruleset, and one that bypasses products skips them.
 */
export function firewallRuleset(rules: readonly FirewallRule[]): Ruleset | undefined {
  const active = rules
    .toSorted((one, other) => placeOf(one) - placeOf(other) || orderOf(one) - orderOf(other))
    .flatMap((rule) => ruleOf(rule) ?? []);
  if (active.length === 0) return undefined;
  return {
    id: firewallRulesetId,
    name: "Firewall rules",
    description: "",
    kind: "zone",
    version: "1",
    last_updated:
      active
        .map(({ last_updated }) => last_updated)
        .toSorted()
        .at(-1) ?? "",
    phase: "http_request_firewall_custom",
    rules: active,
  };
}

const placeOf = ({ priority }: FirewallRule): number => priority ?? Number.MAX_SAFE_INTEGER;
const orderOf = ({ action }: FirewallRule): number => actionsInOrder.indexOf(action);

/**
 * The rule of a ruleset; undefined for a firewall rule that is paused, or whose filter is paused or deleted.
 */
function ruleOf({
  id,
  description,
  isPaused,
  expression,
  modifiedOn,
  ...rule
}: FirewallRule): Rule | undefined {
  if (isPaused || expression === undefined) return undefined;
  return {
    id,
    version: "1",
    ref: id,
    last_updated: modifiedOn,
    description,
    expression,
    enabled: true,
    ...effectOf(rule),
  };
}

function effectOf({
  action,
  products,
}: Pick<FirewallRule, "action" | "products">): Pick<Rule, "action" | "action_parameters"> {
  if (action === "allow") return { action: "skip", action_parameters: { ruleset: "current" } };
  return action === "bypass" ? { action: "skip", action_parameters: { products } } : { action };
}
