import "@mantine/spotlight/styles.css";
import { AdjustmentsHorizontalIcon, MagnifyingGlassIcon } from "@heroicons/react/24/outline";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight, type SpotlightActionData } from "@mantine/spotlight";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";

import { call, wholeList } from "../api/call.ts";
import { useApi } from "../api/query.ts";
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

/** Items that the server finds. */
const foundMax = 8;
const searchAfterMs = 150;

/** Finds pages, zones, the records of the current zone and actions, by a few letters. Opens when it is mounted. */
export function Palette() {
  const [query, setQuery] = useState("");
  const [sought] = useDebouncedValue(query.trim().toLowerCase(), searchAfterMs);
  const actions = useActions(sought)
    .map(({ group, actions: all }) => ({ group, actions: all.filter((action) => isMeant(action, query)) }))
    .filter((group) => group.actions.length > 0);
  useEffect(() => spotlight.open(), []);
  useEffect(chooseFirst);
  return (
    <Spotlight
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      actions={actions}
      filter={(_, filtered) => filtered}
      nothingFound="Nothing found"
      // Of the chosen action it would be hard to read.
      styles={{ actionDescription: { opacity: 1 } }}
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

/**
 * Whether an action's label and keywords hold all words of a text. Results of the server for fewer letters may have
 * others.
 */
function isMeant({ label = "", keywords = "" }: SpotlightActionData, text: string): boolean {
  const names = `${label} ${String(keywords)}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => names.includes(word));
}

/** Lets Enter do the first action, also where it came from the server: Spotlight chooses one with each key only. */
function chooseFirst(): void {
  const { listId } = store.getState();
  const list = document.getElementById(listId);
  if (list === null || list.querySelector("[data-selected]") !== null) return;
  list.querySelector("[data-action]")?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: 0 }));
}

/** A page of its own for the rules of each phase. */
const rulePages = (level: "zone" | "account"): NavigationItem[] =>
  phasesOf(level).map((phase) => ({
    label: phaseTexts[phase].title,
    to: `/${level}s/$${level}Id/rules/${phase}`,
    icon: AdjustmentsHorizontalIcon,
  }));

function useActions(
  sought: string,
): readonly { readonly group: string; readonly actions: SpotlightActionData[] }[] {
  const navigate = useNavigate();
  const { zoneId = "", accountId: ownAccountId } = useParams({ strict: false });
  const zone = useApi(call("getZone", { zone_id: zoneId }), { enabled: zoneId !== "" }).data?.result;
  const accounts = useApi(call("listAccounts", {}, wholeList)).data?.result ?? [];
  const accountId = ownAccountId ?? zone?.account.id ?? accounts[0]?.id;
  const zones = useApi(
    call(
      "listZones",
      {},
      {
        page: 1,
        per_page: foundMax,
        order: "name",
        ...(sought !== "" && { name: `contains:${sought}` }),
      },
    ),
  ).data?.result;
  const records = useApi(
    call("listDnsRecords", { zone_id: zoneId }, { page: 1, per_page: foundMax, search: sought }),
    {
      enabled: zoneId !== "" && sought !== "",
    },
  ).data?.result;

  const pages = (
    items: readonly NavigationItem[],
    params: Readonly<Record<string, string>>,
    of?: string,
  ): SpotlightActionData[] =>
    items.map(({ label, keywords = "", to, icon: Icon }) => ({
      id: to,
      label,
      keywords,
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
        onClick: () => void navigate({ to: "/zones/$zoneId", params: { zoneId: id } }),
      })),
    },
    {
      group: "Records",
      actions: (records ?? []).map(({ id, type, name, content, comment, tags }) => ({
        id,
        label: `${type} ${name}`,
        description: content,
        keywords: [content, comment, ...tags].join(" "),
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
