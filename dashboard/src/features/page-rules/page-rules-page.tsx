import { useMemo } from "react";
import { Stack, Text } from "@mantine/core";

import type { PageRule, PageRuleBody } from "../../../../src/resources/page-rules/schema.ts";
import { call } from "../../api/call.ts";
import { useApiCalls } from "../../api/query.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { MoveButtons } from "../../components/move-buttons.tsx";
import { movedPriorities } from "../../components/priorities.ts";
import { ResourcePage } from "../../components/resource/resource-page.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import type { PageRuleAction } from "../../../../src/core/page-rules/actions.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { switchField, textField } from "../../components/resource/field.tsx";
import type { Resource } from "../../components/resource/resource.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { ActionFields } from "./action-fields.tsx";
import { actionTitle, actionValueText } from "./action-words.ts";

/** Settings for the URLs of a zone that match a pattern, in the order in which they are tried. */
export function PageRulesPage() {
  const { zoneId, zone } = useZoneOfPage();
  const resource = useMemo(() => pageRules(zoneId), [zoneId]);
  const { mutate, isPending, error } = useApiCalls(
    ({ rules, id, to }: { readonly rules: readonly PageRule[]; readonly id: string; readonly to: number }) =>
      movedPriorities(rules, id, to).map((moved) =>
        call("editPageRule", { zone_id: zoneId, pagerule_id: moved.id }, { priority: moved.priority }),
      ),
  );
  return (
    <>
      <ErrorAlert title="The order was not changed" error={error} />
      <ResourcePage
        resource={resource}
        of={zone?.name}
        description="Other settings for some URLs. Of the rules that match a URL only the first one holds."
        renderActions={(rule, rules) => (
          <MoveButtons
            name={`the page rule ${resource.nameOf(rule)}`}
            place={rules.indexOf(rule)}
            count={rules.length}
            disabled={isPending}
            onMove={(to) => mutate({ rules, id: rule.id, to })}
          />
        )}
      />
    </>
  );
}

interface PageRuleDraft {
  readonly url: string;
  readonly actions: readonly PageRuleAction[];
  readonly isActive: boolean;
}

const bodyOf = ({ url, actions, isActive }: PageRuleDraft): PageRuleBody => ({
  targets: [{ target: "url", constraint: { operator: "matches", value: url.trim() } }],
  actions: [...actions],
  status: isActive ? "active" : "disabled",
});

const urlOf = ({ targets }: PageRule): string => targets[0]?.constraint.value ?? "";

/** The page rules of a zone, the one that goes first where several match first. */
function pageRules(zoneId: string): Resource<PageRule, PageRuleDraft> {
  return {
    noun: "page rule",
    title: "Page rules",
    list: () => call("listPageRules", { zone_id: zoneId }, { order: "priority", direction: "desc" }),
    columns: [
      {
        key: "url",
        header: "URLs",
        cell: (rule) => (
          <Text size="sm" fw={500}>
            {urlOf(rule)}
          </Text>
        ),
      },
      {
        key: "actions",
        header: "Settings",
        cell: ({ actions }) => (
          <Stack gap={0}>
            {actions.map(({ id, value }) => (
              <Text key={id} size="sm">
                {actionTitle(id)}
                {value !== undefined && `: ${actionValueText(value)}`}
              </Text>
            ))}
          </Stack>
        ),
      },
      {
        key: "status",
        header: "Status",
        width: "7rem",
        cell: ({ status }) => <StatusBadge status={status} />,
      },
    ],
    nameOf: urlOf,
    empty: <EmptyList title="No page rules">Other settings for the URLs that match a pattern.</EmptyList>,
    deletion: "Its URLs have the settings of the zone, or of the next rule that matches, at once.",
    fields: {
      url: textField({
        label: "URLs",
        description: "A pattern; up to four asterisks stand for any characters",
        placeholder: "*example.com/images/*",
        pointer: "/targets",
      }),
      actions: { label: "Settings", pointer: "/actions", control: ActionFields },
      isActive: switchField({ label: "In force" }),
    },
    blank: { url: "", actions: [], isActive: true },
    draftOf: (rule) => ({ url: urlOf(rule), actions: rule.actions, isActive: rule.status === "active" }),
    create: (draft) => call("createPageRule", { zone_id: zoneId }, bodyOf(draft)),
    edit: ({ id }, draft) => call("editPageRule", { zone_id: zoneId, pagerule_id: id }, bodyOf(draft)),
    remove: ({ id }) => call("deletePageRule", { zone_id: zoneId, pagerule_id: id }),
  };
}
