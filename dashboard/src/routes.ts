import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  Outlet,
  redirect,
  type AnyRoute,
} from "@tanstack/react-router";

import type { Session } from "../../src/resources/sessions/schema.ts";
import { isSignedOut, sessionQuery } from "./api/session.ts";
import { lazyPage } from "./components/lazy-page.ts";
import { readListSearch, textOf, textsOf } from "./components/list-search.ts";
import { DashboardFailure, PageNotFound } from "./components/page-failure.tsx";
import { Shell } from "./components/shell.tsx";
import { ZoneFrame } from "./components/zone-frame.tsx";
import { readAuditLogSearch } from "./features/account/search.ts";
import { readDnsSearch } from "./features/dns/search.ts";
import { readHomeSearch } from "./features/home/search.ts";
import { readManagedRulesSearch, readNewRuleSearch } from "./features/managed-rules/search.ts";
import { readTracerSearch } from "./features/request-tracer/search.ts";
import { readEventsSearch } from "./features/security-events/search.ts";
import { readNewTokenSearch, readTokensSearch } from "./features/tokens/search.ts";

const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  component: Outlet,
  errorComponent: DashboardFailure,
  notFoundComponent: PageNotFound,
});

/** The only page that is open to a user who has to set up a second factor first. */
const twoFactorPath = "/profile/two-factor";

/** Parent of every page that needs a session; without one it leads to the sign-in page and back. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ context: { queryClient }, location }) => {
    let session: Session;
    try {
      session = await queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      throw redirect({
        to: "/sign-in",
        search: location.href === "/" ? {} : { next: location.href },
      });
    }
    if (session.needs_second_factor && location.pathname !== twoFactorPath)
      throw redirect({ to: twoFactorPath });
  },
});

/** Parent of the pages of one account. */
const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/accounts/$accountId",
});

/** Parent of the pages of one zone. */
const zoneRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/zones/$zoneId",
  component: ZoneFrame,
});

/** Parent of the pages of the user itself. */
const profileRoute = createRoute({ getParentRoute: () => shellRoute, path: "/profile" });

type Load<Name extends string> = Parameters<typeof lazyPage<Name>>[0];
type AddressSearch = Readonly<Record<string, unknown>>;

/** Pages below a route, each loaded when it is first opened; `readSearch` reads what its address says about it. */
const below =
  <Parent extends AnyRoute>(parent: Parent) =>
  <const Path extends string, Name extends string, Search extends object = object>(
    path: Path,
    load: Load<Name>,
    name: Name,
    readSearch?: (search: AddressSearch) => Search,
  ) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      component: lazyPage(load, name),
      // Undefined is as good as none.
      validateSearch: readSearch as (search: AddressSearch) => Search,
    });

const rootPage = below(rootRoute);
const shellPage = below(shellRoute);
const accountPage = below(accountRoute);
const zonePage = below(zoneRoute);
const profilePage = below(profileRoute);

const auditLogPage = () => import("./features/account/audit-log-page.tsx");
const tokensPage = () => import("./features/tokens/tokens-page.tsx");
const newTokenPage = () => import("./features/tokens/new-token-page.tsx");
const permissionGroupsPage = () => import("./features/tokens/permission-groups-page.tsx");
const tokenPage = () => import("./features/tokens/token-page.tsx");
const rulesPage = () => import("./features/rules/rules-page.tsx");
const rulesetPage = () => import("./features/rules/ruleset-page.tsx");
const rulePage = () => import("./features/rules/rule-page.tsx");
const transferPages = () => import("./features/zone-transfers/account-pages.tsx");
const accessPages = () => import("./features/access/access-pages.tsx");
const managedRulePage = () => import("./features/managed-rules/rule-page.tsx");
const firewallRulesPages = () => import("./features/firewall-rules/firewall-rules-pages.tsx");

const rootPages = [
  rootPage("/sign-in", () => import("./features/session/sign-in-page.tsx"), "SignInPage", readSignInSearch),
  rootPage("/first-sign-in", () => import("./features/session/first-sign-in-page.tsx"), "FirstSignInPage"),
  rootPage("/invite", () => import("./features/session/join-page.tsx"), "JoinPage"),
  rootPage("/single-sign-on", () => import("./features/session/single-sign-on-page.tsx"), "SingleSignOnPage"),
] as const;

const shellPages = [
  shellPage("/", () => import("./features/home/home-page.tsx"), "HomePage", readHomeSearch),
  shellPage("/networks", () => import("./features/gateway/gateway-page.tsx"), "GatewayPage"),
  shellPage("/tests", () => import("./features/test-controls/test-controls-page.tsx"), "TestControlsPage"),
] as const;

const accountPages = [
  accountPage("/members", () => import("./features/account/members-page.tsx"), "MembersPage", readListSearch),
  accountPage("/audit-log", auditLogPage, "AuditLogPage", readAuditLogSearch),
  accountPage("/details", () => import("./features/account/details-page.tsx"), "AccountDetailsPage"),
  accountPage(
    "/resource-groups",
    () => import("./features/account/resource-groups-page.tsx"),
    "ResourceGroupsPage",
  ),
  accountPage("/tokens", tokensPage, "TokensPage", readTokensSearch),
  accountPage("/tokens/new", newTokenPage, "NewTokenPage", readNewTokenSearch),
  accountPage("/permission-groups", permissionGroupsPage, "PermissionGroupsPage"),
  accountPage("/tokens/$tokenId", tokenPage, "TokenPage"),
  accountPage("/rules", rulesPage, "RulesPage"),
  accountPage("/rules/$ruleset", rulesetPage, "RulesetPage"),
  accountPage("/rules/$ruleset/new", rulePage, "RulePage", readProposedRule),
  accountPage("/rules/$ruleset/$ruleId", rulePage, "RulePage"),
  accountPage(
    "/dns-settings",
    () => import("./features/dns-settings/account-dns-settings-page.tsx"),
    "AccountDnsSettingsPage",
  ),
  accountPage("/zone-transfers/peers", transferPages, "TransferPeersPage", readListSearch),
  accountPage("/zone-transfers/keys", transferPages, "TsigsPage", readListSearch),
  accountPage("/zone-transfers/acls", transferPages, "TransferAclsPage", readListSearch),
  accountPage("/edges", () => import("./features/edge/edges-page.tsx"), "EdgesPage"),
  accountPage("/rules/lists", () => import("./features/lists/lists-page.tsx"), "ListsPage"),
  accountPage(
    "/rules/lists/$listId",
    () => import("./features/lists/list-page.tsx"),
    "ListPage",
    readListSearch,
  ),
  accountPage("/access-rules", accessPages, "AccountAccessRulesPage", readListSearch),
] as const;

const profilePages = [
  profilePage("/audit-log", auditLogPage, "UserAuditLogPage", readAuditLogSearch),
  profilePage("/tokens", tokensPage, "TokensPage", readTokensSearch),
  profilePage("/tokens/new", newTokenPage, "NewTokenPage", readNewTokenSearch),
  profilePage("/permission-groups", permissionGroupsPage, "PermissionGroupsPage"),
  profilePage("/tokens/$tokenId", tokenPage, "TokenPage"),
  profilePage("/access-rules", accessPages, "UserAccessRulesPage", readListSearch),
  profilePage("/sign-in", () => import("./features/profile/sign-in-settings-page.tsx"), "SignInSettingsPage"),
  profilePage("/memberships", () => import("./features/profile/memberships-page.tsx"), "MembershipsPage"),
  profilePage("/details", () => import("./features/profile/details-page.tsx"), "UserDetailsPage"),
  profilePage("/sessions", () => import("./features/profile/sessions-page.tsx"), "SessionsPage"),
  profilePage("/two-factor", () => import("./features/two-factor/two-factor-page.tsx"), "TwoFactorPage"),
] as const;

const zonePages = [
  zonePage("/", () => import("./features/zone-overview/zone-overview-page.tsx"), "ZoneOverviewPage"),
  zonePage("/rules", rulesPage, "RulesPage"),
  zonePage("/rules/$ruleset", rulesetPage, "RulesetPage"),
  zonePage("/rules/$ruleset/new", rulePage, "RulePage", readProposedRule),
  zonePage("/rules/$ruleset/$ruleId", rulePage, "RulePage"),
  zonePage(
    "/dns/settings",
    () => import("./features/dns-settings/zone-dns-settings-page.tsx"),
    "ZoneDnsSettingsPage",
  ),
  zonePage(
    "/dns/transfers",
    () => import("./features/zone-transfers/zone-transfers-page.tsx"),
    "ZoneTransfersPage",
  ),
  zonePage("/edge", () => import("./features/edge/zone-edge-page.tsx"), "ZoneEdgePage"),
  zonePage("/security/access-rules", accessPages, "ZoneAccessRulesPage", readListSearch),
  zonePage("/security/user-agents", accessPages, "UserAgentRulesPage", readListSearch),
  zonePage("/security/lockdowns", accessPages, "ZoneLockdownsPage", readListSearch),
  zonePage("/dns", () => import("./features/dns/dns-page.tsx"), "DnsPage", readDnsSearch),
  zonePage("/dns/dnssec", () => import("./features/dnssec/dnssec-page.tsx"), "DnssecPage"),
  zonePage("/ssl", () => import("./features/ssl/ssl-page.tsx"), "SslPage"),
  zonePage(
    "/security/waf/managed-rules",
    () => import("./features/managed-rules/managed-rules-page.tsx"),
    "ManagedRulesPage",
    readManagedRulesSearch,
  ),
  zonePage("/security/waf/managed-rules/new", managedRulePage, "NewRulePage", readNewRuleSearch),
  zonePage("/security/waf/managed-rules/rules/$ruleId", managedRulePage, "EditRulePage"),
  zonePage("/security/firewall-rules", firewallRulesPages, "FirewallRulesPage", readListSearch),
  zonePage("/security/filters", firewallRulesPages, "FiltersPage", readListSearch),
  zonePage(
    "/trace",
    () => import("./features/request-tracer/tracer-page.tsx"),
    "TracerPage",
    readTracerSearch,
  ),
  zonePage(
    "/security/events",
    () => import("./features/security-events/events-page.tsx"),
    "EventsPage",
    readEventsSearch,
  ),
  zonePage(
    "/security/events/replay",
    () => import("./features/security-events/replay-page.tsx"),
    "ReplayPage",
  ),
  zonePage("/dns/batch", () => import("./features/dns-batch/dns-batch-page.tsx"), "DnsBatchPage"),
  zonePage("/cache", () => import("./features/cache/purge-page.tsx"), "PurgePage"),
  zonePage(
    "/url-and-headers",
    () => import("./features/traffic-transforms/traffic-transforms-page.tsx"),
    "TrafficTransformsPage",
  ),
  zonePage("/plan", () => import("./features/zone-plan/zone-plan-page.tsx"), "ZonePlanPage"),
  zonePage("/page-rules", () => import("./features/page-rules/page-rules-page.tsx"), "PageRulesPage"),
  zonePage("/web3", () => import("./features/web3-hostnames/web3-hostnames-page.tsx"), "Web3HostnamesPage"),
  zonePage(
    "/web3/$hostnameId",
    () => import("./features/web3-hostnames/content-list-page.tsx"),
    "ContentListPage",
  ),
  zonePage(
    "/settings",
    () => import("./features/zone-settings/zone-settings-page.tsx"),
    "ZoneSettingsPage",
    readListSearch,
  ),
] as const;

export const routeTree = rootRoute.addChildren([
  ...rootPages,
  shellRoute.addChildren([
    ...shellPages,
    accountRoute.addChildren(accountPages),
    profileRoute.addChildren(profilePages),
    zoneRoute.addChildren(zonePages),
  ]),
]);

/** Proposed by another page for a new rule; an exception comes first. */
function readProposedRule(search: AddressSearch): {
  readonly action?: "skip" | undefined;
  readonly expression?: string | undefined;
  readonly description?: string | undefined;
} {
  return {
    ...(search["action"] === "skip" && { action: "skip" }),
    ...textsOf(search, ["expression", "description"]),
  };
}

/** The path of this origin to go on at: a link to this page must not lead elsewhere. */
function readSignInSearch(search: AddressSearch): { readonly next?: string } {
  const next = textOf(search["next"]);
  return next !== undefined && /^\/(?![/\\])/.test(next) ? { next } : {};
}
