import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { useEffect } from "react";

import { listsId } from "../theme.ts";
import { ColorSchemeToggle } from "./color-scheme-toggle.tsx";
import { LeaveGuard } from "./drafts.tsx";
import { Navigation } from "./navigation.tsx";
import classes from "./shell.module.css";
import { OfflineNotice } from "./offline-notice.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { TestControlsNotice } from "./test-controls-notice.tsx";
import { UserMenu } from "./user-menu.tsx";

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
