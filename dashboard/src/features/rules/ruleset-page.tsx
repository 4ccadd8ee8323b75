import { PlusIcon } from "@heroicons/react/24/outline";
import { Badge, Button, Stack, Text } from "@mantine/core";
import { Navigate } from "@tanstack/react-router";
import { useState } from "react";

import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { DeleteRule } from "../../components/delete-rule.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { ButtonLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { managedPhase, phaseTexts, type RuleBody, type RulePosition } from "../../rule-phases.ts";
import { DeleteRuleset } from "./delete-ruleset.tsx";
import { newDraft, toBody } from "./rule-draft.ts";
import { RuleTable, RuleText } from "./rule-table.tsx";
import { addressOf, callOf, useRulesPlace, useRulesScope } from "./scope.ts";
import { SwitchAction } from "./switch-action.tsx";

/** The rules of one phase of a zone or account, or of one ruleset of an account. */
export function RulesetPage() {
  const scope = useRulesScope();
  const place = useRulesPlace(scope);
  const { key, phase, ruleset } = place;
  const [deleted, setDeleted] = useState<Rule>();
  const [switched, setSwitched] = useState<Rule>();
  const [isDeleting, setDeleting] = useState(false);
  const edit = useApiMutation(
    ({ rule, change }: { readonly rule: Rule; readonly change: RuleBody | RulePosition }) =>
      call("editRule", { ...scope.owner, ruleset_id: ruleset?.id ?? "", rule_id: rule.id }, change),
  );
  if (scope.level === "zone" && phase === managedPhase)
    return <Navigate to="/zones/$zoneId/security/waf/managed-rules" params={{ zoneId: scope.id }} replace />;
  const texts = phase && phaseTexts[phase];
  const isCustom = ruleset?.kind === "custom";
  const title = isCustom ? ruleset.name : (texts?.title ?? "Rules");
  return (
    <>
      <PageHeader
        title={title}
        of={scope.name && `${scope.name} › Rules`}
        aside={
          ruleset !== undefined && (
            <>
              <Badge variant="light" color="gray" tt="none">
                Version {ruleset.version}
              </Badge>
              <Text size="sm" c="dimmed">
                changed <Timestamp at={ruleset.last_updated} />
              </Text>
            </>
          )
        }
        description={isCustom ? ruleset.description || texts?.title : texts?.purpose}
        calls={[
          { title: "Get the rules", call: callOf(scope, key) },
          ...(ruleset === undefined || phase === undefined
            ? []
            : [
                {
                  title: "Add a rule",
                  call: call(
                    "createRule",
                    { ...scope.owner, ruleset_id: ruleset.id },
                    toBody({ ...newDraft({ phase, level: scope.level }), expression: "true" }, phase),
                  ),
                },
              ]),
        ]}
      >
        {isCustom && (
          <Button variant="default" color="red" onClick={() => setDeleting(true)}>
            Delete the ruleset
          </Button>
        )}
        <ButtonLink
          leftSection={<PlusIcon width={18} aria-hidden />}
          data-shortcut="n"
          to={addressOf(scope, key, "new")}
        >
          Add a rule
        </ButtonLink>
      </PageHeader>
      <Stack gap="xs">
        <ErrorAlert title="The rule was not changed" error={edit.error} />
        <RuleTable
          label={title}
          place={place}
          changes={{
            isPending: edit.isPending,
            onChange: (rule, change) => edit.mutate({ rule, change }),
            onDelete: setDeleted,
            onSwitch: setSwitched,
            editAddress: ({ id }) => addressOf(scope, key, id),
          }}
          empty={<EmptyList title="No rules yet">{texts?.purpose}</EmptyList>}
        />
      </Stack>
      {deleted !== undefined && ruleset !== undefined && (
        <DeleteRule owner={scope.owner} ruleset={ruleset} rule={deleted} onDone={() => setDeleted(undefined)}>
          <RuleText rule={deleted} />
        </DeleteRule>
      )}
      {switched !== undefined && ruleset !== undefined && (
        <SwitchAction
          scope={scope}
          rulesetId={ruleset.id}
          phase={ruleset.phase}
          rule={switched}
          onDone={() => setSwitched(undefined)}
        />
      )}
      {isDeleting && ruleset !== undefined && (
        <DeleteRuleset scope={scope} ruleset={ruleset} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}
