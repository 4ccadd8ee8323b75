import { BuildingOffice2Icon } from "@heroicons/react/24/outline";
import { NavLink, Stack, Text } from "@mantine/core";
import { useLocation, useMatchRoute, useParams } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

import type { Account } from "../../../src/resources/accounts/schema.ts";
import { call, wholeList } from "../api/call.ts";
import { useApi } from "../api/query.ts";
import {
  accountNavigation,
  homeNavigation,
  profileNavigation,
  zoneNavigation,
  type NavigationEntry,
  type NavigationGroup,
  type NavigationItem,
} from "../navigation.ts";
import { NavigationLink } from "./links.tsx";
import classes from "./shell.module.css";

export function Navigation() {
  const { zoneId = "", accountId: ownAccountId } = useParams({ strict: false });
  const isOfZone = zoneId !== "";
  const zone = useApi(call("getZone", { zone_id: zoneId }), { enabled: isOfZone }).data?.result;
  const accounts = useApi(call("listAccounts", {}, wholeList), { enabled: !isOfZone }).data?.result ?? [];
  const [onlyAccount] = accounts.length === 1 ? accounts : [];
  const accountId = ownAccountId ?? zone?.account.id ?? onlyAccount?.id;
  const { pathname } = useLocation();
  const links = useRef<HTMLDivElement>(null);
  useEffect(() => {
    links.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest" });
    // The page decides which link is current. The links of an account come later, and move those below them.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [pathname, accountId]);
  return (
    <Stack gap="lg" ref={links}>
      <Section entries={homeNavigation} />
      {isOfZone && <Section title={zone?.name ?? "Zone"} entries={zoneNavigation} parameters={{ zoneId }} />}
      {accountId === undefined ? (
        !isOfZone && <Accounts accounts={accounts} />
      ) : (
        <Section
          title={accounts.find(({ id }) => id === accountId)?.name ?? zone?.account.name ?? "Account"}
          entries={accountNavigation}
          parameters={{ accountId }}
        />
      )}
      <Section title="My profile" entries={profileNavigation} />
    </Stack>
  );
}

const accountsShown = 12;

/** The way to each account, on pages that are of none. */
function Accounts({ accounts }: { readonly accounts: readonly Account[] }) {
  if (accounts.length === 0) return undefined;
  return (
    <div>
      <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
        Accounts
      </Text>
      <Stack gap={2}>
        {accounts.slice(0, accountsShown).map(({ id, name }) => (
          <NavigationLink
            key={id}
            label={name}
            className={classes.link}
            leftSection={<BuildingOffice2Icon width={18} aria-hidden />}
            to="/accounts/$accountId/members"
            params={{ accountId: id }}
          />
        ))}
        {accounts.length > accountsShown && (
          <NavigationLink
            label={`All ${accounts.length} accounts`}
            className={classes.link}
            to="/profile/memberships"
          />
        )}
      </Stack>
    </div>
  );
}

type Parameters = Readonly<Record<string, string>>;

interface SectionProps {
  readonly title?: string;
  readonly entries: readonly NavigationEntry[];
  readonly parameters?: Parameters;
}

const noParameters: Parameters = {};

function Section({ title, entries, parameters = noParameters }: SectionProps) {
  return (
    <div>
      {title !== undefined && (
        <Text size="xs" fw={600} c="dimmed" px="sm" pb={4} truncate title={title}>
          {title}
        </Text>
      )}
      <Stack gap={2}>
        {entries.map((entry) =>
          "links" in entry ? (
            <FoldedLinks key={entry.label} group={entry} parameters={parameters} />
          ) : (
            <PageLink key={entry.to} item={entry} parameters={parameters} />
          ),
        )}
      </Stack>
    </div>
  );
}

interface PageLinkProps {
  readonly item: Omit<NavigationItem, "icon"> & Partial<Pick<NavigationItem, "icon">>;
  readonly parameters: Parameters;
}

function PageLink({ item: { label, to, icon: Icon, deep = false }, parameters }: PageLinkProps) {
  return (
    <NavigationLink
      label={label}
      className={classes.link}
      leftSection={Icon && <Icon width={18} aria-hidden />}
      to={to}
      params={parameters}
      activeOptions={{ exact: !deep, includeSearch: false }}
      activeProps={{ "data-active": true, "aria-current": "page" }}
    />
  );
}

interface FoldedLinksProps {
  readonly group: NavigationGroup;
  readonly parameters: Parameters;
}

/** A heading that folds its links; those of the page at hand are open. */
function FoldedLinks({ group: { label, icon: Icon, links }, parameters }: FoldedLinksProps) {
  const matches = useMatchRoute();
  // Asks again at each navigation.
  useLocation();
  const isCurrent = links.some(
    ({ to, deep = false }) => matches({ to, params: parameters, fuzzy: deep }) !== false,
  );
  const [chosen, setChosen] = useState<{ readonly opened: boolean; readonly isCurrent: boolean }>();
  const opened = chosen?.isCurrent === isCurrent ? chosen.opened : isCurrent;
  return (
    <NavLink
      label={label}
      className={classes.link}
      leftSection={<Icon width={18} aria-hidden />}
      childrenOffset={30}
      opened={opened}
      onChange={(next) => setChosen({ opened: next, isCurrent })}
      renderRoot={(root) => <button {...root} type="button" aria-expanded={opened} />}
    >
      {links.map((link) => (
        <PageLink key={link.to} item={link} parameters={parameters} />
      ))}
    </NavLink>
  );
}
