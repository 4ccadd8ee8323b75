import { Skeleton } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";

import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { isManagedRuleset, managedPhase } from "../../rule-phases.ts";
import { useEntryPoint } from "./entry-point.ts";
import { ManagedRuleEditor } from "./managed-rule-editor.tsx";
import { exceptionDraft, newDraft, toDraft, type RuleDraft } from "./rule-draft.ts";

const newRoute = getRouteApi("/shell/zones/$zoneId/security/waf/managed-rules/new");
const editRoute = getRouteApi("/shell/zones/$zoneId/security/waf/managed-rules/rules/$ruleId");

/** A new rule that executes a managed ruleset, or lets requests past them. */
export function NewRulePage() {
  const { action = "execute", ruleset, expression, description = "", rules } = newRoute.useSearch();
  const proposed =
    expression === undefined || rules === undefined
      ? undefined
      : exceptionDraft(expression, description, rules);
  return (
    <RulePage
      title={action === "execute" ? "Deploy a managed ruleset" : "Add an exception"}
      action={action}
      rulesetId={ruleset}
      proposed={proposed}
    />
  );
}

export function EditRulePage() {
  const { ruleId } = editRoute.useParams();
  return <RulePage title="Edit the rule" ruleId={ruleId} />;
}

interface RulePageProps {
  readonly title: string;
  readonly ruleId?: string;
  readonly action?: "execute" | "skip";
  /** The ruleset that a new rule executes. */
  readonly rulesetId?: string | undefined;
  /** Proposed by events for a new rule. */
  readonly proposed?: RuleDraft | undefined;
}

function RulePage({ title, ruleId, action = "execute", rulesetId, proposed }: RulePageProps) {
  const { zoneId, zone } = useZoneOfPage();
  const entryPoint = useEntryPoint(zoneId);
  const rulesets = useApi(call("listRulesets", { zone_id: zoneId }));
  const managed = rulesets.data?.result.filter(isManagedRuleset);
  const rule = entryPoint.rules.find(({ id }) => id === ruleId);
  const error = entryPoint.error ?? rulesets.error;
  const isLoading = zone === undefined || managed === undefined || entryPoint.isLoading;
  return (
    <>
      <PageHeader
        title={title}
        of={zone && `${zone.name} › Security › WAF managed rules`}
        calls={[
          {
            title: "Get the rules of the new version",
            call: call("getEntryPoint", { zone_id: zoneId, ruleset_phase: managedPhase }),
          },
          { title: "List the managed rulesets", call: call("listRulesets", { zone_id: zoneId }) },
        ]}
      />
      {error !== null ? (
        <ErrorAlert
          title="The rule could not be shown"
          error={error}
          onRetry={() => {
            void entryPoint.refetch();
            void rulesets.refetch();
          }}
        />
      ) : isLoading ? (
        <Skeleton height={360} radius="md" />
      ) : ruleId !== undefined && rule === undefined ? (
        <EmptyList title="There is no such rule">It was deleted or never existed.</EmptyList>
      ) : (
        <ManagedRuleEditor
          key={ruleId ?? action}
          zone={zone}
          ruleset={entryPoint.ruleset}
          rulesets={managed}
          rule={rule}
          initial={
            rule === undefined ? (proposed ?? newDraft(action, rulesetId ?? managed[0]?.id)) : toDraft(rule)
          }
        />
      )}
    </>
  );
}
