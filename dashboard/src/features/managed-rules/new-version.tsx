import { PlusIcon } from "@heroicons/react/24/outline";
import { Badge, Group, Stack, Text, Title } from "@mantine/core";

import type { RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { ButtonLink } from "../../components/links.tsx";
import { isManagedRuleset } from "../../rule-phases.ts";
import { useEntryPoint } from "./entry-point.ts";
import { RuleList } from "./rule-list.tsx";
import { executionOf } from "./rule-summary.ts";

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
