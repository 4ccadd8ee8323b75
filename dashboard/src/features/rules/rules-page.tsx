import { SimpleGrid, Stack, Text, Title } from "@mantine/core";

import type { Phase } from "../../../../src/core/expression/phases.ts";
import type { RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { CardLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { phaseGroups, phasesOf, phaseTexts } from "../../rule-phases.ts";
import { CustomRulesets } from "./custom-rulesets.tsx";
import { addressOf, useRulesScope, type RulesScope } from "./scope.ts";
import classes from "./rules-page.module.css";

/** All kinds of rules that a zone or account can have, and which of them it has. */
export function RulesPage() {
  const scope = useRulesScope();
  const request = call("listRulesets", scope.owner);
  const { data, error, refetch } = useApi(request);
  const rulesets = data?.result ?? [];
  return (
    <>
      <PageHeader
        title="Rules"
        of={scope.name}
        description={
          scope.level === "zone"
            ? "What happens to a request, by what it is. Each kind runs at its own place on the way."
            : "Rules for the zones of the account that are on an Enterprise plan."
        }
        calls={[{ title: "List the rulesets", call: request }]}
      />
      <ErrorAlert title="The rulesets could not be listed" error={error} onRetry={() => void refetch()} />
      <Stack gap="lg">
        {scope.level === "account" && <CustomRulesets scope={scope} rulesets={rulesets} />}
        {phaseGroups.map((group) => (
          <PhaseGroup key={group} group={group} scope={scope} rulesets={rulesets} />
        ))}
      </Stack>
    </>
  );
}

interface PhaseGroupProps {
  readonly group: (typeof phaseGroups)[number];
  readonly scope: RulesScope;
  readonly rulesets: readonly RulesetHead[];
}

function PhaseGroup({ group, scope, rulesets }: PhaseGroupProps) {
  const phases = phasesOf(scope.level).filter((phase) => phaseTexts[phase].group === group);
  if (phases.length === 0) return undefined;
  return (
    <Stack gap="xs">
      <Title order={2}>{group}</Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {phases.map((phase) => (
          <PhaseCard key={phase} phase={phase} scope={scope} entryPoint={entryPointIn(rulesets, phase)} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function entryPointIn(rulesets: readonly RulesetHead[], phase: Phase): RulesetHead | undefined {
  return rulesets.find((one) => one.phase === phase && (one.kind === "zone" || one.kind === "root"));
}

interface PhaseCardProps {
  readonly phase: Phase;
  readonly scope: RulesScope;
  readonly entryPoint: RulesetHead | undefined;
}

function PhaseCard({ phase, scope, entryPoint }: PhaseCardProps) {
  const { title, purpose } = phaseTexts[phase];
  return (
    <CardLink withBorder padding="md" className={classes.card ?? ""} to={addressOf(scope, phase)}>
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed">
        {purpose}
      </Text>
      <Text size="xs" mt={6} {...(entryPoint === undefined && { c: "dimmed" })}>
        {entryPoint === undefined ? (
          "No rules yet"
        ) : (
          <>
            Version {entryPoint.version}, changed <Timestamp at={entryPoint.last_updated} />
          </>
        )}
      </Text>
    </CardLink>
  );
}
