import { NavLink, Stack, Text } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";

import { accountOf } from "../api/accounts.ts";
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
  const accountId = ownAccountId ?? (zoneId === "" ? "" : (zone?.account.id ?? ""));
  const account = useApi(accountOf(accountId), { enabled: accountId !== "" }).data?.result;
  return (
    <Stack gap="lg">
      <Section items={homeNavigation} />
      {zoneId !== "" && (
        <Section title={zone?.name ?? "Zone"} items={zoneNavigation} parameters={{ zoneId }} />
      )}
      {accountId !== "" && (
        <Section title={account?.name ?? "Account"} items={accountNavigation} parameters={{ accountId }} />
      )}
      <Section title="My profile" items={profileNavigation} />
    </Stack>
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
