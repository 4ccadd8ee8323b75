import { Text } from "@mantine/core";

import type { AccessRule } from "../../../../src/resources/access-rules/schema.ts";
import { call } from "../../api/call.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { choiceField, textField } from "../../components/resource/field.tsx";
import type { Resource } from "../../components/resource/resource.ts";
import { Timestamp } from "../../components/timestamp.tsx";

type Mode = AccessRule["mode"];
type Target = AccessRule["configuration"]["target"];

interface AccessRuleDraft {
  readonly target: Target;
  readonly value: string;
  readonly mode: Mode;
  readonly notes: string;
}

/** The action on a request, as people read it. */
export const modeTexts = {
  block: "Block",
  challenge: "Interactive challenge",
  js_challenge: "JavaScript challenge",
  managed_challenge: "Managed challenge",
} as const;

const modes: Readonly<Record<Mode, string>> = { ...modeTexts, whitelist: "Allow" };

const targets: Readonly<Record<Target, string>> = {
  ip: "IPv4 address",
  ip6: "IPv6 address",
  ip_range: "Range of addresses",
  asn: "AS number",
  country: "Country",
};

type AccessRuleOwner =
  | { readonly zone_id: string }
  | { readonly account_id: string }
  | Readonly<Record<string, never>>;

export function accessRules(owner: AccessRuleOwner): Resource<AccessRule, AccessRuleDraft> {
  const level = "zone_id" in owner ? "Zone" : "account_id" in owner ? "Account" : "User";
  return {
    noun: "rule",
    title: "IP access rules",
    list: ({ page = 1, per_page = 20, search = "" }) =>
      call(`list${level}AccessRules`, owner, {
        page,
        per_page,
        ...(search !== "" && { notes: search, "configuration.value": `${search}*`, match: "any" }),
      }),
    search: "Search addresses and notes",
    columns: [
      {
        key: "value",
        header: "Requests from",
        cell: ({ configuration: { target, value } }) => (
          <>
            <Text size="sm" fw={500}>
              {value}
            </Text>
            <Text size="xs" c="dimmed">
              {targets[target]}
            </Text>
          </>
        ),
      },
      { key: "mode", header: "What happens", width: "12rem", cell: ({ mode }) => modes[mode] },
      { key: "notes", header: "Notes", cell: ({ notes }) => notes || "–" },
      {
        key: "modified",
        header: "Changed",
        width: "9rem",
        cell: ({ modified_on }) => <Timestamp at={modified_on} />,
      },
    ],
    nameOf: ({ configuration }) => configuration.value,
    empty: (
      <EmptyList title="No rules">
        Block, challenge or allow requests by their address, network or country.
      </EmptyList>
    ),
    deletion: "Requests from there are judged by the other rules alone, at once.",
    fields: {
      target: choiceField(targets, { label: "By", pointer: "/configuration/target", isFixed: true }),
      value: textField({
        label: "Value",
        description: "192.0.2.1, 2001:db8::1, 192.0.2.0/24, AS64496 or DE",
        pointer: "/configuration/value",
        isFixed: true,
      }),
      mode: choiceField(modes, { label: "What happens", pointer: "/mode" }),
      notes: textField({ label: "Notes", pointer: "/notes", isOptional: true }),
    },
    blank: { target: "ip", value: "", mode: "block", notes: "" },
    draftOf: ({ configuration, mode, notes }) => ({ ...configuration, mode, notes }),
    create: ({ target, value, mode, notes }) =>
      call(`create${level}AccessRule`, owner, {
        mode,
        configuration: { target, value: value.trim() },
        notes,
      }),
    edit: ({ id }, { mode, notes }) =>
      call(`edit${level}AccessRule`, { ...owner, rule_id: id }, { mode, notes }),
    remove: ({ id }) => call(`delete${level}AccessRule`, { ...owner, rule_id: id }),
  };
}
