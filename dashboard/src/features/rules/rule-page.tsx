import { Skeleton } from "@mantine/core";
import { useParams, useSearch } from "@tanstack/react-router";

import { EmptyList } from "../../components/data-table.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { phaseTexts } from "../../rule-phases.ts";
import { newDraft, toDraft } from "./rule-draft.ts";
import { RuleEditor } from "./rule-editor.tsx";
import { callOf, useRulesPlace, useRulesScope } from "./scope.ts";

/** A new rule, or one that is there already. */
export function RulePage() {
  const scope = useRulesScope();
  const place = useRulesPlace(scope);
  const { ruleId } = useParams({ strict: false });
  const { action, expression, description } = useSearch({ strict: false });
  const { key, phase, ruleset } = place;
  const rule = ruleset?.rules.find(({ id }) => id === ruleId);
  const of = phase && phaseTexts[phase].title;
  return (
    <>
      <PageHeader
        title={ruleId === undefined ? "Add a rule" : "Edit the rule"}
        of={scope.name && `${scope.name} › Rules${of === undefined ? "" : ` › ${of}`}`}
        calls={[{ title: "Get the rules", call: callOf(scope, key) }]}
      />
      {place.error !== null ? (
        <ErrorAlert
          title="The rule could not be shown"
          error={place.error}
          onRetry={() => void place.refetch()}
        />
      ) : place.isLoading || phase === undefined || scope.name === undefined ? (
        <Skeleton height={360} radius="md" />
      ) : ruleId !== undefined && rule === undefined ? (
        <EmptyList title="There is no such rule">It was deleted or never existed.</EmptyList>
      ) : (
        <RuleEditor
          key={ruleId ?? key}
          scope={scope}
          phase={phase}
          placeKey={key}
          ruleset={ruleset}
          rule={rule}
          initial={rule === undefined ? newDraft({ phase, level: scope.level }) : toDraft(rule)}
          prefilled={rule === undefined ? { expression, description } : {}}
          isException={rule === undefined && action === "skip"}
        />
      )}
    </>
  );
}
