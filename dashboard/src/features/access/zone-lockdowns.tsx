import { Stack, Text } from "@mantine/core";

import type { ZoneLockdown, ZoneLockdownBody } from "../../../../src/resources/zone-lockdowns/schema.ts";
import { call } from "../../api/call.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { switchField, textField, textsField } from "../../components/resource/field.tsx";
import type { Resource } from "../../components/resource/resource.ts";
import { StatusBadge } from "../../components/status-badge.tsx";

interface ZoneLockdownDraft {
  readonly urls: readonly string[];
  readonly addresses: readonly string[];
  readonly description: string;
  readonly priority: string;
  readonly isOn: boolean;
}

const bodyOf = ({ urls, addresses, description, priority, isOn }: ZoneLockdownDraft): ZoneLockdownBody => ({
  urls: [...urls],
  configurations: addresses.map((value) => ({ target: value.includes("/") ? "ip_range" : "ip", value })),
  description,
  paused: !isOn,
  priority: priority.trim() === "" ? null : Number(priority),
});

/** URLs of a zone that only some addresses may ask for. */
export function zoneLockdowns(zoneId: string): Resource<ZoneLockdown, ZoneLockdownDraft> {
  return {
    noun: "lockdown",
    title: "Zone lockdowns",
    list: ({ page = 1, per_page = 20, search = "" }) =>
      call(
        "listZoneLockdowns",
        { zone_id: zoneId },
        { page, per_page, ...(search !== "" && { uri_search: search }) },
      ),
    search: "Search URLs",
    columns: [
      {
        key: "urls",
        header: "URLs",
        cell: ({ urls, description }) => (
          <Stack gap={0}>
            {urls.map((url) => (
              <Text key={url} size="sm" fw={500}>
                {url}
              </Text>
            ))}
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          </Stack>
        ),
      },
      {
        key: "addresses",
        header: "Only for",
        cell: ({ configurations }) => configurations.map(({ value }) => value).join(", "),
      },
      { key: "priority", header: "Priority", width: "6rem", cell: ({ priority }) => priority ?? "–" },
      {
        key: "status",
        header: "Status",
        width: "7rem",
        cell: ({ paused }) => <StatusBadge status={paused ? "paused" : "active"} />,
      },
    ],
    nameOf: ({ urls }) => urls.join(", "),
    empty: (
      <EmptyList title="No lockdowns">
        Let only the addresses that you know ask for a part of the zone, such as its administration.
      </EmptyList>
    ),
    deletion: "The URLs can be asked for from everywhere, at once.",
    fields: {
      urls: textsField({
        label: "URLs",
        description: "Patterns; up to four asterisks stand for any characters",
        placeholder: "shop.example.com/admin/*",
        pointer: "/urls",
      }),
      addresses: textsField({
        label: "Only for",
        description: "Addresses, and ranges of /16 or /24 (IPv4), /32, /48 or /64 (IPv6)",
        placeholder: "192.0.2.0/24",
        pointer: "/configurations",
      }),
      description: textField({ label: "Description", pointer: "/description", isOptional: true }),
      priority: textField({
        label: "Priority",
        description: "A number; of those that match, the lowest one decides",
        pointer: "/priority",
        isOptional: true,
      }),
      isOn: switchField({ label: "In force" }),
    },
    blank: { urls: [], addresses: [], description: "", priority: "", isOn: true },
    draftOf: ({ urls, configurations, description = "", priority, paused }) => ({
      urls,
      addresses: configurations.map(({ value }) => value),
      description,
      priority: priority === undefined ? "" : String(priority),
      isOn: !paused,
    }),
    create: (draft) => call("createZoneLockdown", { zone_id: zoneId }, bodyOf(draft)),
    edit: ({ id }, draft) => call("replaceZoneLockdown", { zone_id: zoneId, lockdown_id: id }, bodyOf(draft)),
    remove: ({ id }) => call("deleteZoneLockdown", { zone_id: zoneId, lockdown_id: id }),
  };
}
