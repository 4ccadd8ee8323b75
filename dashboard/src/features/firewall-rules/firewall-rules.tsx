import { Text } from "@mantine/core";

import type { Plan } from "../../../../src/core/expression/phases.ts";
import type { FirewallRule, FirewallRuleFields } from "../../../../src/resources/firewall-rules/schema.ts";
import { call } from "../../api/call.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { choiceField, choicesField, switchField, textField } from "../../components/resource/field.tsx";
import type { Resource } from "../../components/resource/resource.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { expressionField } from "./filters.tsx";

interface FirewallRuleDraft {
  readonly description: string;
  readonly expression: string;
  readonly action: FirewallRule["action"];
  readonly products: readonly string[];
  /** A number, or empty for none. */
  readonly priority: string;
  readonly isOn: boolean;
}

const actions: Readonly<Record<FirewallRule["action"], string>> = {
  block: "Block",
  challenge: "Interactive challenge",
  js_challenge: "JavaScript challenge",
  managed_challenge: "Managed challenge",
  allow: "Allow",
  log: "Log",
  bypass: "Bypass products",
};

const products: Readonly<Record<NonNullable<FirewallRuleFields["products"]>[number], string>> = {
  zoneLockdown: "Zone lockdowns",
  uaBlock: "User agent rules",
  bic: "Browser integrity check",
  hot: "Hotlink protection",
  securityLevel: "Security level",
  rateLimit: "Rate limiting",
  waf: "Managed rules",
};

/** Errors of the server stand at their fields, also for a priority that is no number. */
function bodyOf({ description, expression, action, products: bypassed, priority, isOn }: FirewallRuleDraft) {
  return {
    action,
    description,
    filter: { expression },
    paused: !isOn,
    priority: priority === "" ? null : Number(priority),
    ...(action === "bypass" && { products: bypassed as NonNullable<FirewallRuleFields["products"]> }),
  } satisfies FirewallRuleFields;
}

/** The firewall rules of a zone of the previous kind. */
export function firewallRules(
  zoneId: string,
  plan: Plan | undefined,
): Resource<FirewallRule, FirewallRuleDraft> {
  return {
    noun: "firewall rule",
    title: "Firewall rules",
    list: ({ page = 1, per_page = 20, search = "" }) =>
      call(
        "listFirewallRules",
        { zone_id: zoneId },
        { page, per_page, ...(search !== "" && { description: search }) },
      ),
    search: "Search descriptions",
    columns: [
      {
        key: "rule",
        header: "Rule",
        cell: ({ description, filter }) => (
          <>
            <Text size="sm" fw={500}>
              {description || "–"}
            </Text>
            <Text size="sm" c="dimmed" className="monospace" lang="zxx" lineClamp={3}>
              {"deleted" in filter ? "its filter was deleted" : filter.expression}
            </Text>
          </>
        ),
      },
      {
        key: "action",
        header: "Action",
        width: "12rem",
        cell: ({ action, products: bypassed = [] }) =>
          bypassed.length === 0
            ? actions[action]
            : `${actions[action]}: ${bypassed.map((one) => products[one]).join(", ")}`,
      },
      { key: "priority", header: "Priority", width: "6rem", cell: ({ priority }) => priority ?? "–" },
      {
        key: "status",
        header: "Status",
        width: "7rem",
        cell: ({ paused }) => <StatusBadge status={paused ? "paused" : "active"} />,
      },
    ],
    nameOf: ({ description, id }) => description || id,
    empty: (
      <EmptyList title="No firewall rules">
        New rules belong among the custom rules; those of the previous kind are kept here.
      </EmptyList>
    ),
    deletion: "Its filter goes as well.",
    fields: {
      description: textField({ label: "Description", pointer: "/description", isOptional: true }),
      expression: expressionField(plan, {
        label: "Expression",
        pointer: "/filter/expression",
      }),
      action: choiceField(actions, { label: "Action", pointer: "/action" }),
      products: choicesField(products, {
        label: "Products to bypass",
        description: "For the action Bypass products alone",
        pointer: "/products",
        isOptional: true,
      }),
      priority: textField({
        label: "Priority",
        description: "Lower numbers come first; rules without one come last",
        pointer: "/priority",
        isOptional: true,
      }),
      isOn: switchField({ label: "In force" }),
    },
    blank: { description: "", expression: "", action: "block", products: [], priority: "", isOn: true },
    draftOf: ({ description, filter, action, products: bypassed = [], priority, paused }) => ({
      description,
      expression: "deleted" in filter ? "" : filter.expression,
      action,
      products: bypassed,
      priority: priority === null ? "" : String(priority),
      isOn: !paused,
    }),
    create: (draft) => call("createFirewallRules", { zone_id: zoneId }, [bodyOf(draft)]),
    createdAt: "/0",
    edit: ({ id }, draft) => call("editFirewallRule", { zone_id: zoneId, rule_id: id }, bodyOf(draft)),
    remove: ({ id }) =>
      call("deleteFirewallRule", { zone_id: zoneId, rule_id: id }, { delete_filter_if_unused: true }),
  };
}
