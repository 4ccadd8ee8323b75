import { PencilSquareIcon, TrashIcon } from "@heroicons/react/24/outline";
import { Group, Stack } from "@mantine/core";
import { useState } from "react";

import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { DeleteRule } from "../../components/delete-rule.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { ActionIconLink } from "../../components/links.tsx";
import { MoveButtons } from "../../components/move-buttons.tsx";
import type { RuleBody, RulePosition } from "../../rule-phases.ts";
import { EnabledSwitch } from "../rules/enabled-switch.tsx";
import { placedRules, type PlacedRule } from "../rules/placed-rules.ts";
import { useEntryPoint } from "./entry-point.ts";
import { RuleText } from "./rule-text.tsx";

/** The rules of the new version in the order in which they run. */
export function RuleList({ zoneId }: { readonly zoneId: string }) {
  const { ruleset, rules, isLoading, error, refetch } = useEntryPoint(zoneId);
  const rulesets = useApi(call("listRulesets", { zone_id: zoneId })).data?.result ?? [];
  const [deleted, setDeleted] = useState<Rule>();
  const edit = useApiMutation(
    ({ id, change }: { readonly id: string; readonly change: RuleBody | RulePosition }) =>
      call("editRule", { zone_id: zoneId, ruleset_id: ruleset?.id ?? "", rule_id: id }, change),
  );
  return (
    <Stack gap="xs">
      <ErrorAlert title="The rule was not changed" error={edit.error} />
      <DataTable
        label="Rules of the new version"
        query={placedRules(rules, { isLoading, error, refetch })}
        columns={ruleColumns({
          zoneId,
          rulesets,
          count: rules.length,
          isPending: edit.isPending,
          onChange: (id, change) => edit.mutate({ id, change }),
          onDelete: setDeleted,
        })}
        rowId={({ rule }) => rule.id}
        empty={
          <EmptyList title="No managed ruleset is executed">
            Requests reach the origin without passing managed rules. Deploy a managed ruleset to check them.
          </EmptyList>
        }
      />
      {deleted !== undefined && ruleset !== undefined && (
        <DeleteRule
          owner={{ zone_id: zoneId }}
          ruleset={ruleset}
          rule={deleted}
          onDone={() => setDeleted(undefined)}
        >
          <RuleText rule={deleted} rulesets={rulesets} />
        </DeleteRule>
      )}
    </Stack>
  );
}

interface RuleColumns {
  readonly zoneId: string;
  readonly rulesets: readonly RulesetHead[];
  readonly count: number;
  readonly isPending: boolean;
  readonly onChange: (id: string, change: RuleBody | RulePosition) => void;
  readonly onDelete: (rule: Rule) => void;
}

function ruleColumns({
  zoneId,
  rulesets,
  count,
  isPending,
  onChange,
  onDelete,
}: RuleColumns): readonly Column<PlacedRule>[] {
  return [
    { key: "place", header: "Order", width: "4.5rem", cell: ({ place }) => place },
    { key: "rule", header: "Rule", cell: ({ rule }) => <RuleText rule={rule} rulesets={rulesets} /> },
    {
      key: "enabled",
      header: "Enabled",
      width: "6rem",
      cell: ({ rule, place }) => (
        <EnabledSwitch
          rule={rule}
          place={place}
          isDisabled={isPending}
          onChange={(definition) => onChange(rule.id, definition)}
        />
      ),
    },
    {
      key: "actions",
      header: "Actions",
      width: "10.5rem",
      isActions: true,
      cell: ({ rule, place }) => (
        <Group gap={2} justify="flex-end" wrap="nowrap">
          <MoveButtons
            name={`rule ${place}`}
            place={place - 1}
            count={count}
            disabled={isPending}
            onMove={(to) => onChange(rule.id, { position: { index: to + 1 } })}
          />
          <ActionIconLink
            variant="subtle"
            color="gray"
            aria-label={`Edit rule ${place}`}
            to="/zones/$zoneId/security/waf/managed-rules/rules/$ruleId"
            params={{ zoneId, ruleId: rule.id }}
          >
            <PencilSquareIcon width={18} aria-hidden />
          </ActionIconLink>
          <IconButton
            Icon={TrashIcon}
            color="red"
            label={`Delete rule ${place}`}
            onClick={() => onDelete(rule)}
          />
        </Group>
      ),
    },
  ];
}
