import { ArrowDownIcon, ArrowUpIcon, PencilSquareIcon, TrashIcon } from "@heroicons/react/24/outline";
import { ActionIcon, Group, Stack } from "@mantine/core";
import { useState } from "react";

import { useApi, useApiMutation } from "../../api/query.ts";
import {
  editRule,
  listRulesets,
  rulesetsPath,
  type Rule,
  type RuleBody,
  type RulePosition,
  type RulesetHead,
} from "../../api/rulesets.ts";
import { zonePath } from "../../api/zones.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { DeleteRule } from "../../components/delete-rule.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { ActionIconLink } from "../../components/links.tsx";
import { useEntryPoint } from "./entry-point.ts";
import { EnabledSwitch } from "../rules/enabled-switch.tsx";
import { RuleText } from "./rule-text.tsx";

interface PlacedRule {
  readonly rule: Rule;
  /** From 1 on. */
  readonly place: number;
}

/** The rules of the new version in the order in which they run. */
export function RuleList({ zoneId }: { readonly zoneId: string }) {
  const { ruleset, rules, isLoading, error, refetch } = useEntryPoint(zoneId);
  const rulesets = useApi(listRulesets(zonePath(zoneId))).data?.result ?? [];
  const [deleted, setDeleted] = useState<Rule>();
  const edit = useApiMutation(
    ({ id, change }: { readonly id: string; readonly change: RuleBody | RulePosition }) =>
      editRule(zonePath(zoneId), ruleset?.id ?? "", id, change),
    { invalidates: [rulesetsPath(zonePath(zoneId))] },
  );
  return (
    <Stack gap="xs">
      <ErrorAlert title="The rule was not changed" error={edit.error} />
      <DataTable
        label="Rules of the new version"
        query={{
          data:
            isLoading || error !== null
              ? undefined
              : { result: rules.map((rule, index) => ({ rule, place: index + 1 })), messages: [] },
          error,
          isPlaceholderData: false,
          refetch,
        }}
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
          owner={zonePath(zoneId)}
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
          {(["up", "down"] as const).map((direction) => {
            const next = place + (direction === "up" ? -1 : 1);
            const Icon = direction === "up" ? ArrowUpIcon : ArrowDownIcon;
            return (
              <ActionIcon
                key={direction}
                variant="subtle"
                color="gray"
                aria-label={`Move rule ${place} ${direction}`}
                disabled={next < 1 || next > count || isPending}
                onClick={() => onChange(rule.id, { position: { index: next } })}
              >
                <Icon width={18} aria-hidden />
              </ActionIcon>
            );
          })}
          <ActionIconLink
            variant="subtle"
            color="gray"
            aria-label={`Edit rule ${place}`}
            to="/zones/$zoneId/security/waf/managed-rules/rules/$ruleId"
            params={{ zoneId, ruleId: rule.id }}
          >
            <PencilSquareIcon width={18} aria-hidden />
          </ActionIconLink>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`Delete rule ${place}`}
            onClick={() => onDelete(rule)}
          >
            <TrashIcon width={18} aria-hidden />
          </ActionIcon>
        </Group>
      ),
    },
  ];
}
