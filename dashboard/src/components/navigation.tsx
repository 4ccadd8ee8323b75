import { BuildingOffice2Icon } from "@heroicons/react/24/outline";
import { NavLink, Stack, Text } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";

import { listAccounts, type Account } from "../api/accounts.ts";
import { useApi } from "../api/query.ts";
import { zoneOf } from "../api/zones.ts";
import {
  accountNavigation,
  homeNavigation,
  profileNavigation,
  zoneNavigation,
  type NavigationItem,
} from "../navigation.ts";
import classes from "./shell.module.css";

/** The links of the navigation: those of everybody, and those of the zone or account of the page at hand. */
export function Navigation() {
  const { zoneId = "", accountId: ownAccountId } = useParams({ strict: false });
  const zone = useApi(zoneOf(zoneId), { enabled: zoneId !== "" }).data?.result;
  const accounts = useApi(listAccounts).data?.result ?? [];
  const [onlyAccount] = accounts.length === 1 ? accounts : [];
  const accountId = ownAccountId ?? zone?.account.id ?? onlyAccount?.id;
  return (
    <Stack gap="lg">
      <Section items={homeNavigation} />
      {zoneId !== "" && (
        <Section title={zone?.name ?? "Zone"} items={zoneNavigation} parameters={{ zoneId }} />
      )}
      {accountId === undefined ? (
        <Accounts accounts={accounts} />
      ) : (
        <Section
          title={accounts.find(({ id }) => id === accountId)?.name ?? zone?.account.name ?? "Account"}
          items={accountNavigation}
          parameters={{ accountId }}
        />
      )}
      <Section title="My profile" items={profileNavigation} />
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
          <NavLink
            key={id}
            label={name}
            className={classes.link}
            leftSection={<BuildingOffice2Icon width={18} aria-hidden />}
            renderRoot={(root) => (
              <Link {...root} to="/accounts/$accountId/members" params={{ accountId: id }} />
            )}
          />
        ))}
        {accounts.length > accountsShown && (
          <NavLink
            label={`All ${accounts.length} accounts`}
            className={classes.link}
            renderRoot={(root) => <Link {...root} to="/profile/memberships" />}
          />
        )}
      </Stack>
    </div>
  );
}

interface SectionProps {
  readonly title?: string;
  readonly items: readonly NavigationItem[];
  readonly parameters?: Readonly<Record<string, string>>;
}

function Section({ title, items, parameters }: SectionProps) {
  if (items.length === 0) return undefined;
  return (
    <div>
      {title !== undefined && (
        <Text size="xs" fw={600} c="dimmed" px="sm" pb={4} truncate title={title}>
          {title}
        </Text>
      )}
      <Stack gap={2}>
        {items.map(({ label, to, icon: Icon, deep = false }) => (
          <NavLink
            key={to}
            label={label}
            className={classes.link}
            leftSection={<Icon width={18} aria-hidden />}
            renderRoot={(root) => (
              <Link
                {...root}
                to={to}
                params={parameters ?? {}}
                activeOptions={{ exact: !deep, includeSearch: false }}
                activeProps={{ "data-active": true, "aria-current": "page" }}
              />
            )}
          />
        ))}
      </Stack>
    </div>
  );
}
