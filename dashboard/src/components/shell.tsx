import { AppShell, Burger, Group, Alert, ActionIcon, Menu, Text } from "@mantine/core";
import { useDisclosure, useNetwork } from "@mantine/hooks";
import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import {
  SignalSlashIcon,
  BeakerIcon,
  ArrowRightStartOnRectangleIcon,
  BookOpenIcon,
  UserCircleIcon,
} from "@heroicons/react/24/outline";
import { useQuery, useQueryClient } from "@tanstack/react-query";

import { listsId } from "../theme.ts";
import { ColorSchemeToggle } from "./color-scheme-toggle.tsx";
import { LeaveGuard } from "./drafts.tsx";
import { Navigation } from "./navigation.tsx";
import classes from "./shell.module.css";
import { Shortcuts } from "./shortcuts.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { testControls, send } from "../api/send.ts";
import { AnchorLink } from "./links.tsx";
import { call } from "../api/call.ts";
import { sessionQuery } from "../api/session.ts";

/** The sign of Zoneward; in the page, as a file of its own would be one more to ask for. */
function Mark() {
  return (
    <svg viewBox="0 0 32 32" width={26} height={26} aria-hidden>
      <rect width="32" height="32" rx="8" fill="#2b5797" />
      <path
        d="M9 10h14L9 22h14"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** The frame of every page behind the sign-in: header, navigation, page. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a className={classes.skip} href="#page">
        Skip to the page
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? "Close the navigation" : "Open the navigation"}
              aria-expanded={opened}
            />
            <Link to="/" className={classes.brand}>
              <Mark />
              Zoneward
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Shortcuts />
            <ColorSchemeToggle />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Main" style={{ overflowY: "auto" }}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main className={classes.main}>
        <TestControlsNotice />
        <OfflineNotice />
        <div id="page" tabIndex={-1} className={classes.page}>
          <LeaveGuard>
            <Outlet />
            <SignInAgain />
          </LeaveGuard>
        </div>
        <div id={listsId} />
      </AppShell.Main>
    </AppShell>
  );
}

function OfflineNotice() {
  const { online } = useNetwork();
  if (online) return undefined;
  return (
    <Alert color="yellow" role="status" mb="md" icon={<SignalSlashIcon width={20} aria-hidden />}>
      You are offline. What is shown may be out of date, and changes fail until the connection is back.
    </Alert>
  );
}

/** Says that tests may reset and change the server at any time, while it lets them. */
function TestControlsNotice() {
  const areOn = useSyncExternalStore(testControls.subscribe, testControls.areOn);
  if (!areOn) return undefined;
  return (
    <Alert color="orange" role="status" mb="md" icon={<BeakerIcon width={20} aria-hidden />}>
      The test controls are on: tests may reset this server, move its clock and make it fail.{" "}
      <AnchorLink underline="always" inherit to="/tests">
        Faults and requests
      </AnchorLink>
    </Alert>
  );
}

/** Names the user, and links to the API's reference and the sign-out. */
function UserMenu() {
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
  const leave = async (): Promise<void> => {
    // A session that is gone already is what was asked for.
    await send(call("signOut", {})).catch(() => undefined);
    client.clear();
    await navigate({ to: "/sign-in" });
  };
  return (
    <Menu position="bottom-end" width={240} withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Account of the signed-in user">
          <UserCircleIcon width={22} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          Signed in as
          <Text component="span" display="block" size="sm" fw={500} truncate>
            {session?.user.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component="a" href="/docs" leftSection={<BookOpenIcon width={18} aria-hidden />}>
          API reference
        </Menu.Item>
        <Menu.Item
          leftSection={<ArrowRightStartOnRectangleIcon width={18} aria-hidden />}
          onClick={() => void leave()}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
