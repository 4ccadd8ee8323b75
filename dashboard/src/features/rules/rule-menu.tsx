import {
  ArrowDownIcon,
  ArrowsRightLeftIcon,
  ArrowUpIcon,
  EllipsisHorizontalIcon,
  TrashIcon,
} from "@heroicons/react/24/outline";
import { ActionIcon, Menu } from "@mantine/core";

import type { Phase } from "../../../../src/core/expression/phases.ts";
import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { RuleChanges } from "./rule-changes.ts";
import { actingActions } from "./rule-draft.ts";

interface RuleMenuProps {
  readonly rule: Rule;
  readonly place: number;
  readonly count: number;
  readonly phase: Phase | undefined;
  readonly changes: RuleChanges;
}

/** What can be done with a rule beside editing it. */
export function RuleMenu({ rule, place, count, phase, changes }: RuleMenuProps) {
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
