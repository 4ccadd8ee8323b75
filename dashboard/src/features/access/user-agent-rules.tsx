import { Text } from "@mantine/core";

import type { UserAgentRule, UserAgentRuleBody } from "../../../../src/resources/user-agent-rules/schema.ts";
import { path } from "../../api/call.ts";
import { collectionAt } from "../../api/collection.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { choiceField, switchField, textField } from "../../components/resource/field.tsx";
import type { Resource } from "../../components/resource/resource.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { modeTexts } from "./modes.ts";

interface UserAgentRuleDraft {
  readonly value: string;
  readonly mode: UserAgentRule["mode"];
  readonly description: string;
  readonly isOn: boolean;
}

const bodyOf = ({ value, mode, description, isOn }: UserAgentRuleDraft): UserAgentRuleBody => ({
  mode,
  configuration: { target: "ua", value },
  description,
  paused: !isOn,
});

/** What a zone does with the requests of user agents. */
export function userAgentRules(zoneId: string): Resource<UserAgentRule, UserAgentRuleDraft> {
  const rules = collectionAt<UserAgentRule, UserAgentRuleBody>(
    path`/zones/${zoneId}/firewall/ua_rules`,
    "PUT",
  );
  return {
    noun: "rule",
    title: "User agent rules",
    path: rules.path,
    list: ({ page = 1, per_page = 20, search = "" }) =>
      rules.list({ page, per_page, ...(search !== "" && { ua_search: search }) }),
    search: "Search user agents",
    columns: [
      {
        key: "value",
        header: "User agent",
        cell: ({ configuration, description }) => (
          <>
            <Text size="sm" fw={500}>
              {configuration.value}
            </Text>
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          </>
        ),
      },
      { key: "mode", header: "What happens", width: "12rem", cell: ({ mode }) => modeTexts[mode] },
      {
        key: "status",
        header: "Status",
        width: "8rem",
        cell: ({ paused }) => <StatusBadge status={paused ? "paused" : "active"} />,
      },
    ],
    nameOf: ({ configuration }) => configuration.value,
    empty: <EmptyList title="No rules">Block or challenge the requests of one user agent.</EmptyList>,
    deletion: "Requests of this user agent pass as all others, at once.",
    fields: {
      value: textField({
        label: "User agent",
        description: "The whole value of the header; no character stands for others",
        pointer: "/configuration/value",
      }),
      mode: choiceField(modeTexts, { label: "What happens", pointer: "/mode" }),
      description: textField({ label: "Description", pointer: "/description", isOptional: true }),
      isOn: switchField({ label: "In force" }),
    },
    blank: { value: "", mode: "block", description: "", isOn: true },
    draftOf: ({ configuration: { value }, mode, description = "", paused }) => ({
      value,
      mode,
      description,
      isOn: !paused,
    }),
    create: (draft) => rules.create(bodyOf(draft)),
    edit: ({ id }, draft) => rules.edit(id, bodyOf(draft)),
    remove: ({ id }) => rules.remove(id),
  };
}
