import {
  FireIcon,
  GlobeAltIcon,
  ClipboardDocumentListIcon,
  HomeIcon,
  LockClosedIcon,
  UserGroupIcon,
  UsersIcon,
  KeyIcon,
  QueueListIcon,
  ServerStackIcon,
  ShieldCheckIcon,
  ShieldExclamationIcon,
} from "@heroicons/react/24/outline";
import type { ComponentType, SVGProps } from "react";

/** One link of the navigation; `to` may hold the `$zoneId` or `$accountId` of the page at hand. */
export interface NavigationItem {
  readonly label: string;
  readonly to: string;
  readonly icon: ComponentType<SVGProps<SVGSVGElement>>;
  /** Whether pages below it mark it as the current one too. */
  readonly deep?: boolean;
}

export const homeNavigation: readonly NavigationItem[] = [
  { label: "Home", to: "/", icon: HomeIcon },
  { label: "Gateway", to: "/networks", icon: ServerStackIcon },
];

export const zoneNavigation: readonly NavigationItem[] = [
  { label: "Overview", to: "/zones/$zoneId", icon: GlobeAltIcon },
  { label: "DNS", to: "/zones/$zoneId/dns", icon: QueueListIcon, deep: true },
  { label: "Certificates", to: "/zones/$zoneId/ssl", icon: ShieldCheckIcon, deep: true },
  {
    label: "WAF",
    to: "/zones/$zoneId/security/waf/managed-rules",
    icon: FireIcon,
    deep: true,
  },
  {
    label: "Security events",
    to: "/zones/$zoneId/security/events",
    icon: ShieldExclamationIcon,
    deep: true,
  },
];

export const accountNavigation: readonly NavigationItem[] = [
  { label: "Members", to: "/accounts/$accountId/members", icon: UsersIcon },
  { label: "Audit log", to: "/accounts/$accountId/audit-log", icon: ClipboardDocumentListIcon },
];

export const profileNavigation: readonly NavigationItem[] = [
  { label: "API tokens", to: "/profile/tokens", icon: KeyIcon, deep: true },
  { label: "Memberships", to: "/profile/memberships", icon: UserGroupIcon },
  { label: "Sign-in and key", to: "/profile/sign-in", icon: LockClosedIcon },
];
