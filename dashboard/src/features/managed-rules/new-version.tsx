import { PlusIcon, PencilSquareIcon } from "@heroicons/react/24/outline";
import { Badge, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";

import type { RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { ButtonLink, ActionIconLink } from "../../components/links.tsx";
import { isManagedRuleset, type RuleBody, type RulePosition } from "../../rule-phases.ts";
import { useEntryPoint } from "./entry-point.ts";
import { executionOf } from "./rule-summary.ts";
import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import { DeleteRule } from "../../components/delete-rule.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { RemoveButton } from "../../components/icon-button.tsx";
import { MoveButtons } from "../../components/move-buttons.tsx";
import { EnabledSwitch } from "../rules/enabled-switch.tsx";
import { placedRules, type PlacedRule } from "../rules/placed-rules.ts";
import { RuleText } from "./rule-text.tsx";

/** The new version: the rules that execute managed rulesets or let requests past them, and the rulesets there are. */
export function NewVersion({ zoneId }: { readonly zoneId: string }) {
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Group justify="space-between" gap="sm">
          <div>
            <Title order={2}>Rules</Title>
            <Text size="sm" c="dimmed">
              They run in this order. An exception skips rules after it.
            </Text>
          </div>
          <ButtonLink
            variant="default"
            leftSection={<PlusIcon width={18} aria-hidden />}
            to="/zones/$zoneId/security/waf/managed-rules/new"
            params={{ zoneId }}
            search={{ action: "skip" }}
          >
            Add an exception
          </ButtonLink>
        </Group>
        <RuleList zoneId={zoneId} />
      </Stack>
      <ManagedRulesets zoneId={zoneId} />
    </Stack>
  );
}

function ManagedRulesets({ zoneId }: { readonly zoneId: string }) {
  const { data, ...query } = useApi(call("listRulesets", { zone_id: zoneId }));
  const { rules } = useEntryPoint(zoneId);
  const executed = new Set(rules.flatMap((rule) => executionOf(rule)?.id ?? []));
  return (
    <Stack gap="xs">
      <Title order={2}>Managed rulesets</Title>
      <DataTable
        label="Managed rulesets"
        query={{ ...query, data: data && { ...data, result: data.result.filter(isManagedRuleset) } }}
        rowId={({ id }) => id}
        columns={rulesetColumns(zoneId, executed)}
        empty={<EmptyList title="There are no managed rulesets" />}
      />
    </Stack>
  );
}

function rulesetColumns(zoneId: string, executed: ReadonlySet<string>): readonly Column<RulesetHead>[] {
  return [
    {
      key: "name",
      header: "Ruleset",
      cell: ({ name, description }) => (
        <>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        </>
      ),
    },
    { key: "version", header: "Version", width: "6rem", cell: ({ version }) => version },
    {
      key: "status",
      header: "Status",
      width: "9rem",
      cell: ({ id, name }) =>
        executed.has(id) ? (
          <Badge variant="light" color="green" tt="none">
            Deployed
          </Badge>
        ) : (
          <ButtonLink
            size="xs"
            variant="default"
            aria-label={`Deploy ${name}`}
            to="/zones/$zoneId/security/waf/managed-rules/new"
            params={{ zoneId }}
            search={{ action: "execute", ruleset: id }}
          >
            Deploy
          </ButtonLink>
        ),
    },
  ];
}

/** The rules of the new version in the order in which they run. */
function RuleList({ zoneId }: { readonly zoneId: string }) {
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
          <RemoveButton label={`Delete rule ${place}`} onClick={() => onDelete(rule)} />
        </Group>
      ),
    },
  ];
}
