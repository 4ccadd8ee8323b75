import {
  BookOpenIcon,
  BuildingOffice2Icon,
  AdjustmentsHorizontalIcon,
  ClipboardDocumentListIcon,
  Cog6ToothIcon,
  FireIcon,
  GlobeAltIcon,
  HomeIcon,
  KeyIcon,
  MagnifyingGlassCircleIcon,
  NoSymbolIcon,
  QueueListIcon,
  ServerStackIcon,
  ShieldCheckIcon,
  ShieldExclamationIcon,
  UserCircleIcon,
  UsersIcon,
} from "@heroicons/react/24/outline";
import type { ComponentType, SVGProps } from "react";

type Icon = ComponentType<SVGProps<SVGSVGElement>>;

/** A link to a page; `to` may hold the `$zoneId` or `$accountId` of the page at hand. */
interface NavigationLink {
  readonly label: string;
  /** Other words by which somebody may look for it. */
  readonly keywords?: string;
  readonly to: string;
  /** Whether pages below it mark it as the current one too. */
  readonly deep?: boolean;
}

export interface NavigationItem extends NavigationLink {
  readonly icon: Icon;
}

/** Links that belong together, folded beneath one heading. */
export interface NavigationGroup {
  readonly label: string;
  readonly icon: Icon;
  readonly links: readonly NavigationLink[];
}

export type NavigationEntry = NavigationItem | NavigationGroup;

/** All links of a navigation, those of its groups too. */
export function linksOf(entries: readonly NavigationEntry[]): readonly NavigationItem[] {
  return entries.flatMap((entry) =>
    "links" in entry ? entry.links.map((link) => ({ ...link, icon: entry.icon })) : [entry],
  );
}

export const homeNavigation: readonly NavigationEntry[] = [
  { label: "Home", keywords: "zones", to: "/", icon: HomeIcon },
  { label: "Gateway", to: "/networks", icon: ServerStackIcon },
];

export const zoneNavigation: readonly NavigationEntry[] = [
  { label: "Overview", to: "/zones/$zoneId", icon: GlobeAltIcon },
  { label: "DNS", keywords: "records", to: "/zones/$zoneId/dns", icon: QueueListIcon },
  {
    label: "DNS service",
    icon: BookOpenIcon,
    links: [
      { label: "DNS settings", to: "/zones/$zoneId/dns/settings" },
      { label: "DNSSEC", to: "/zones/$zoneId/dns/dnssec" },
      { label: "Zone transfers", to: "/zones/$zoneId/dns/transfers" },
      { label: "DNS scan and batch", to: "/zones/$zoneId/dns/batch" },
    ],
  },
  { label: "Certificates", to: "/zones/$zoneId/ssl", icon: ShieldCheckIcon, deep: true },
  {
    label: "WAF",
    keywords: "managed rules",
    to: "/zones/$zoneId/security/waf/managed-rules",
    icon: FireIcon,
    deep: true,
  },
  { label: "Rules", to: "/zones/$zoneId/rules", icon: AdjustmentsHorizontalIcon, deep: true },
  { label: "Request tracer", to: "/zones/$zoneId/trace", icon: MagnifyingGlassCircleIcon },
  {
    label: "Security events",
    to: "/zones/$zoneId/security/events",
    icon: ShieldExclamationIcon,
    deep: true,
  },
  {
    label: "Access",
    icon: NoSymbolIcon,
    links: [
      { label: "IP access rules", to: "/zones/$zoneId/security/access-rules" },
      { label: "User agent rules", to: "/zones/$zoneId/security/user-agents" },
      { label: "Zone lockdowns", to: "/zones/$zoneId/security/lockdowns" },
      { label: "Firewall rules", to: "/zones/$zoneId/security/firewall-rules" },
      { label: "Filters", to: "/zones/$zoneId/security/filters" },
    ],
  },
  {
    label: "Zone",
    icon: Cog6ToothIcon,
    links: [
      { label: "Edge", to: "/zones/$zoneId/edge" },
      { label: "Zone settings", to: "/zones/$zoneId/settings" },
      { label: "Plan and hold", to: "/zones/$zoneId/plan" },
      { label: "Purge the cache", to: "/zones/$zoneId/cache" },
      { label: "URLs and headers", to: "/zones/$zoneId/url-and-headers" },
      { label: "Page rules", to: "/zones/$zoneId/page-rules" },
      { label: "Web3 hostnames", to: "/zones/$zoneId/web3", deep: true },
    ],
  },
];

export const accountNavigation: readonly NavigationEntry[] = [
  { label: "Members", to: "/accounts/$accountId/members", icon: UsersIcon },
  {
    label: "Account rules",
    icon: AdjustmentsHorizontalIcon,
    links: [
      { label: "Rules of the account", to: "/accounts/$accountId/rules" },
      { label: "Lists", to: "/accounts/$accountId/rules/lists", deep: true },
    ],
  },
  {
    label: "Account DNS",
    icon: BookOpenIcon,
    links: [
      { label: "DNS defaults", to: "/accounts/$accountId/dns-settings" },
      { label: "Transfer peers", to: "/accounts/$accountId/zone-transfers/peers" },
      { label: "TSIG keys", to: "/accounts/$accountId/zone-transfers/keys" },
      { label: "Transfer ACLs", to: "/accounts/$accountId/zone-transfers/acls" },
    ],
  },
  { label: "Audit log", to: "/accounts/$accountId/audit-log", icon: ClipboardDocumentListIcon },
  {
    label: "Account",
    icon: BuildingOffice2Icon,
    links: [
      { label: "Edges", to: "/accounts/$accountId/edges" },
      { label: "Account details", to: "/accounts/$accountId/details" },
      { label: "Account tokens", to: "/accounts/$accountId/tokens", deep: true },
      { label: "Resource groups", to: "/accounts/$accountId/resource-groups" },
      { label: "IP access rules of the account", to: "/accounts/$accountId/access-rules" },
    ],
  },
];

export const profileNavigation: readonly NavigationEntry[] = [
  { label: "API tokens", to: "/profile/tokens", icon: KeyIcon, deep: true },
  {
    label: "User",
    icon: UserCircleIcon,
    links: [
      { label: "My details", to: "/profile/details" },
      { label: "Memberships", to: "/profile/memberships" },
      { label: "Sign-in and key", to: "/profile/sign-in" },
      { label: "Two-factor sign-in", to: "/profile/two-factor" },
      { label: "Sessions", to: "/profile/sessions" },
      { label: "My audit log", to: "/profile/audit-log" },
      { label: "Permission groups", to: "/profile/permission-groups" },
      { label: "My IP access rules", to: "/profile/access-rules" },
    ],
  },
];
