import { PlusIcon } from "@heroicons/react/24/outline";
import { Badge, Button, Stack, Text, NativeSelect } from "@mantine/core";
import { Navigate, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { notifications } from "@mantine/notifications";

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
import { newDraft, toBody, actingActions, onlyLogging } from "./rule-draft.ts";
import { RuleTable, RuleText } from "./rule-table.tsx";
import { addressOf, callOf, useRulesPlace, useRulesScope, type RulesScope } from "./scope.ts";
import type { Ruleset } from "../../../../src/core/rulesets/ruleset.ts";
import { ConfirmCall } from "../../components/confirm-modal.tsx";
import type { Phase } from "../../../../src/core/expression/phases.ts";
import { definitionOf } from "./rule-definition.ts";
import { actionName } from "./rule-summary.ts";

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

interface DeleteRulesetProps {
  readonly scope: RulesScope;
  readonly ruleset: Ruleset;
  readonly onClose: () => void;
}

/** Asks before a ruleset goes with all of its versions. */
function DeleteRuleset({ scope, ruleset, onClose }: DeleteRulesetProps) {
  const navigate = useNavigate();
  return (
    <ConfirmCall
      call={call("deleteRuleset", { ...scope.owner, ruleset_id: ruleset.id })}
      removes={[call("getRuleset", { ...scope.owner, ruleset_id: ruleset.id })]}
      onSuccess={() => {
        notifications.show({ message: `The ruleset ${ruleset.name} was deleted.` });
        return navigate({ to: addressOf(scope) });
      }}
      onClose={onClose}
      title="Delete the ruleset"
      action="Delete"
      typed={ruleset.name}
    >
      {ruleset.name} goes with its rules and all of its versions.
    </ConfirmCall>
  );
}

interface SwitchActionProps {
  readonly scope: RulesScope;
  readonly rulesetId: string;
  readonly phase: Phase;
  readonly rule: Rule;
  readonly onDone: () => void;
}

/** Has a rule that only logs act, or one that acts only log. */
function SwitchAction({ scope, rulesetId, phase, rule, onDone }: SwitchActionProps) {
  const acting = actingActions(phase);
  const [chosen, setChosen] = useState(acting[0]);
  const isLogging = rule.action === "log";
  const definition = definitionOf(rule);
  const body = isLogging ? { ...definition, action: chosen ?? "block" } : onlyLogging(definition);
  return (
    <ConfirmCall
      call={call("editRule", { ...scope.owner, ruleset_id: rulesetId, rule_id: rule.id }, body)}
      onSuccess={() => {
        notifications.show({
          message: isLogging ? `The rule now acts: ${actionName(body.action)}.` : "The rule now only logs.",
        });
        onDone();
      }}
      onClose={onDone}
      title={isLogging ? "Act instead of logging" : "Only log"}
      action={isLogging ? "Act" : "Only log"}
      color="harbor"
    >
      <Stack gap="sm">
        <Text size="sm">
          {isLogging
            ? "Look at what the rule has logged before it acts on requests."
            : "Requests that the rule matches pass it, and are logged as security events."}
        </Text>
        {isLogging && (
          <NativeSelect
            label="Action"
            data={acting.map((action) => ({ value: action, label: actionName(action) }))}
            value={chosen ?? ""}
            onChange={(event) => setChosen(acting.find((action) => action === event.currentTarget.value))}
          />
        )}
      </Stack>
    </ConfirmCall>
  );
}
