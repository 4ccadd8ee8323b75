import "@mantine/spotlight/styles.css";

import { AdjustmentsHorizontalIcon, MagnifyingGlassIcon } from "@heroicons/react/24/outline";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight, type SpotlightActionData } from "@mantine/spotlight";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";

import { listAccounts } from "../api/accounts.ts";
import { listDnsRecords } from "../api/dns-records.ts";
import { useApi } from "../api/query.ts";
import { listZones, zoneOf } from "../api/zones.ts";
import {
  accountNavigation,
  homeNavigation,
  linksOf,
  profileNavigation,
  zoneNavigation,
  type NavigationItem,
} from "../navigation.ts";
import { phasesOf, phaseTexts } from "../rule-phases.ts";

const [store, spotlight] = createSpotlight();

/** Of what the server finds. */
const foundMax = 8;
const searchAfterMs = 150;

/** Finds pages, zones, the records of the zone at hand and what can be done, by a few letters. Opens when it is mounted. */
export function Palette() {
  const [query, setQuery] = useState("");
  const [sought] = useDebouncedValue(query.trim().toLowerCase(), searchAfterMs);
  const actions = useActions(sought);
  useEffect(() => spotlight.open(), []);
  return (
    <Spotlight
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      actions={actions}
      // The server has filtered what it found.
      filter={(text, groups) =>
        groups
          .map((group) =>
            "actions" in group
              ? {
                  ...group,
                  actions: group.actions.filter(
                    ({ keywords, label = "" }) =>
                      keywords === "found" || label.toLowerCase().includes(text.trim().toLowerCase()),
                  ),
                }
              : group,
          )
          .filter((group) => !("actions" in group) || group.actions.length > 0)
      }
      nothingFound="Nothing found"
      attributes={{ content: { "aria-label": "Find anything" } }}
      scrollable
      maxHeight="60vh"
      searchProps={{
        "aria-label": "Search zones, records, pages and actions",
        placeholder: "Zones, records, pages, actions…",
        leftSection: <MagnifyingGlassIcon width={20} aria-hidden />,
      }}
    />
  );
}

/** A page of its own for the rules of each phase. */
const rulePages = (level: "zone" | "account"): NavigationItem[] =>
  phasesOf(level).map((phase) => ({
    label: phaseTexts[phase].title,
    to: `/${level}s/$${level}Id/rules/${phase}`,
    icon: AdjustmentsHorizontalIcon,
  }));

function useActions(sought: string) {
  const navigate = useNavigate();
  const { zoneId = "", accountId: ownAccountId } = useParams({ strict: false });
  const zone = useApi(zoneOf(zoneId), { enabled: zoneId !== "" }).data?.result;
  const accounts = useApi(listAccounts).data?.result ?? [];
  const accountId = ownAccountId ?? zone?.account.id ?? accounts[0]?.id;
  const zones = useApi(
    listZones({
      page: 1,
      per_page: foundMax,
      order: "name",
      ...(sought !== "" && { name: `contains:${sought}` }),
    }),
  ).data?.result;
  const records = useApi(listDnsRecords(zoneId, { page: 1, per_page: foundMax, search: sought }), {
    enabled: zoneId !== "" && sought !== "",
  }).data?.result;

  const pages = (
    items: readonly NavigationItem[],
    params: Readonly<Record<string, string>>,
    of?: string,
  ): SpotlightActionData[] =>
    items.map(({ label, to, icon: Icon }) => ({
      id: to,
      label,
      ...(of !== undefined && { description: of }),
      leftSection: <Icon width={20} aria-hidden />,
      onClick: () => void navigate({ to, params }),
    }));
  return [
    {
      group: "Actions",
      actions: [
        {
          id: "add-zone",
          label: "Add a zone",
          onClick: () => void navigate({ to: "/", search: { add: true } }),
        },
        ...(zoneId === ""
          ? []
          : [
              {
                id: "add-record",
                label: "Add a record",
                ...(zone !== undefined && { description: zone.name }),
                onClick: () =>
                  void navigate({ to: "/zones/$zoneId/dns", params: { zoneId }, search: { add: true } }),
              },
            ]),
        {
          id: "create-token",
          label: "Create an API token",
          onClick: () => void navigate({ to: "/profile/tokens/new" }),
        },
      ],
    },
    {
      group: "Zones",
      actions: (zones ?? []).map(({ id, name, account }) => ({
        id,
        label: name,
        description: account.name,
        keywords: "found",
        onClick: () => void navigate({ to: "/zones/$zoneId", params: { zoneId: id } }),
      })),
    },
    {
      group: "Records",
      actions: (records ?? []).map(({ id, type, name, content }) => ({
        id,
        label: `${type} ${name}`,
        description: content,
        keywords: "found",
        onClick: () =>
          void navigate({ to: "/zones/$zoneId/dns", params: { zoneId }, search: { search: name } }),
      })),
    },
    {
      group: "Pages",
      actions: [
        ...(zoneId === ""
          ? []
          : [
              ...pages(linksOf(zoneNavigation), { zoneId }, zone?.name),
              ...pages(rulePages("zone"), { zoneId }, zone?.name),
            ]),
        ...pages(linksOf(homeNavigation), {}),
        ...(accountId === undefined
          ? []
          : [
              ...pages(linksOf(accountNavigation), { accountId }),
              ...pages(rulePages("account"), { accountId }, "Account rules"),
            ]),
        ...pages(linksOf(profileNavigation), {}),
      ],
    },
  ];
}
