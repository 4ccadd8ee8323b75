import {
  PencilSquareIcon,
  ArrowDownIcon,
  ArrowsRightLeftIcon,
  ArrowUpIcon,
  EllipsisHorizontalIcon,
  TrashIcon,
} from "@heroicons/react/24/outline";
import { Badge, Group, ActionIcon, Menu } from "@mantine/core";
import type { ReactNode } from "react";

import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, type Column } from "../../components/data-table.tsx";
import { ActionIconLink } from "../../components/links.tsx";
import { RowHandle } from "../../components/row-handle.tsx";
import { executionOf } from "../managed-rules/rule-summary.ts";
import { EnabledSwitch } from "./enabled-switch.tsx";
import { placedRules, type PlacedRule } from "./placed-rules.ts";
import type { RuleChanges } from "./rule-changes.ts";
import { RuleLines } from "./rule-lines.tsx";
import { actionName, describeParameters } from "./rule-summary.ts";
import { useRulesScope, type RulesPlace } from "./scope.ts";
import type { Phase } from "../../../../src/core/expression/phases.ts";
import { actingActions } from "./rule-draft.ts";

interface RuleTableProps {
  readonly label: string;
  readonly place: RulesPlace;
  readonly changes: RuleChanges;
  readonly empty: ReactNode;
}

/** Rules in the order in which they run. */
export function RuleTable({ label, place, changes, empty }: RuleTableProps) {
  const rules = place.ruleset?.rules ?? [];
  return (
    <DataTable
      label={label}
      query={placedRules(rules, place)}
      columns={columns(rules.length, place, changes)}
      rowId={({ rule }) => rule.id}
      empty={empty}
    />
  );
}

function columns(count: number, { phase }: RulesPlace, changes: RuleChanges): readonly Column<PlacedRule>[] {
  const { isPending, onChange, editAddress } = changes;
  return [
    {
      key: "order",
      header: "Order",
      width: "5rem",
      cell: ({ rule, place }) => (
        <Group gap={4} wrap="nowrap">
          <RowHandle
            name={`rule ${place}`}
            place={place}
            count={count}
            isDisabled={isPending}
            onMove={(to) => onChange(rule, { position: { index: to } })}
          />
          {place}
        </Group>
      ),
    },
    { key: "rule", header: "Rule", cell: ({ rule }) => <RuleText rule={rule} /> },
    {
      key: "action",
      header: "Action",
      width: "12rem",
      cell: ({ rule }) => (
        <Badge variant="light" color="gray" tt="none" fw={600}>
          {actionName(rule.action)}
        </Badge>
      ),
    },
    {
      key: "enabled",
      header: "Enabled",
      width: "6rem",
      cell: ({ rule, place }) => (
        <EnabledSwitch
          rule={rule}
          place={place}
          isDisabled={isPending}
          onChange={(definition) => onChange(rule, definition)}
        />
      ),
    },
    {
      key: "actions",
      header: "Actions",
      width: "6rem",
      isActions: true,
      cell: ({ rule, place }) => (
        <Group gap={2} justify="flex-end" wrap="nowrap">
          <ActionIconLink
            variant="subtle"
            color="gray"
            aria-label={`Edit rule ${place}`}
            to={editAddress(rule)}
          >
            <PencilSquareIcon width={18} aria-hidden />
          </ActionIconLink>
          <RuleMenu rule={rule} place={place} count={count} phase={phase} changes={changes} />
        </Group>
      ),
    },
  ];
}

/** A rule with the parameters of its action. */
export function RuleText({ rule }: { readonly rule: Rule }) {
  const { owner } = useRulesScope();
  const executed = executionOf(rule);
  const rulesets = useApi(call("listRulesets", owner), { enabled: executed !== undefined }).data?.result;
  const name = executed && (rulesets?.find(({ id }) => id === executed.id)?.name ?? executed.id);
  return (
    <RuleLines
      title={rule.description || actionName(rule.action)}
      {...(name !== undefined && { summary: `Ruleset: ${name}` })}
      expression={rule.expression}
      parameters={describeParameters(rule)}
    />
  );
}

interface RuleMenuProps {
  readonly rule: Rule;
  readonly place: number;
  readonly count: number;
  readonly phase: Phase | undefined;
  readonly changes: RuleChanges;
}

/** Actions on a rule beside editing it. */
function RuleMenu({ rule, place, count, phase, changes }: RuleMenuProps) {
  const acting = phase === undefined ? [] : actingActions(phase);
  const isSwitched = acting.length > 0 && (rule.action === "log" || acting.includes(rule.action));
  const moves = [
    { label: "Move to the top", to: 1, Icon: ArrowUpIcon },
    { label: "Move up", to: place - 1, Icon: ArrowUpIcon },
    { label: "Move down", to: place + 1, Icon: ArrowDownIcon },
    { label: "Move to the bottom", to: count, Icon: ArrowDownIcon },
  ];
  return (
    <Menu position="bottom-end" portalProps={{ target: "#page" }}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for rule ${place}`}>
          <EllipsisHorizontalIcon width={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {moves.map(({ label, to, Icon }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon width={18} aria-hidden />}
            disabled={to < 1 || to > count || to === place || changes.isPending}
            onClick={() => changes.onChange(rule, { position: { index: to } })}
          >
            {label}
          </Menu.Item>
        ))}
        {isSwitched && (
          <Menu.Item
            leftSection={<ArrowsRightLeftIcon width={18} aria-hidden />}
            onClick={() => changes.onSwitch(rule)}
          >
            {rule.action === "log" ? "Act instead of logging…" : "Only log…"}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<TrashIcon width={18} aria-hidden />}
          onClick={() => changes.onDelete(rule)}
        >
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
