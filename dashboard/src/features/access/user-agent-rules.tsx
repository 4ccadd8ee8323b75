import { Text } from "@mantine/core";

import type { UserAgentRule, UserAgentRuleBody } from "../../../../src/resources/user-agent-rules/schema.ts";
import { call } from "../../api/call.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { choiceField, switchField, textField } from "../../components/resource/field.tsx";
import type { Resource } from "../../components/resource/resource.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { modeTexts } from "./access-rules.tsx";

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

/** The actions of a zone on the requests of user agents. */
export function userAgentRules(zoneId: string): Resource<UserAgentRule, UserAgentRuleDraft> {
  return {
    noun: "rule",
    title: "User agent rules",
    list: ({ page = 1, per_page = 20, search = "" }) =>
      call(
        "listUserAgentRules",
        { zone_id: zoneId },
        { page, per_page, ...(search !== "" && { ua_search: search }) },
      ),
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
    create: (draft) => call("createUserAgentRule", { zone_id: zoneId }, bodyOf(draft)),
    edit: ({ id }, draft) => call("replaceUserAgentRule", { zone_id: zoneId, ua_rule_id: id }, bodyOf(draft)),
    remove: ({ id }) => call("deleteUserAgentRule", { zone_id: zoneId, ua_rule_id: id }),
  };
}
