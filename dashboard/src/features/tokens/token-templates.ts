import type { TokenPermissionGroup } from "../../../../src/resources/tokens/schema.ts";
import {
  emptyPolicy,
  groupsOfType,
  groupTypeOf,
  withinAccount,
  type Extent,
  type PolicyDraft,
  type TokenDraft,
} from "./token-draft.ts";

export const templateNames = ["edit-dns", "read-all", "waf-migration", "create-tokens", "custom"] as const;
export type TemplateName = (typeof templateNames)[number];

interface Template {
  readonly title: string;
  readonly text: string;
  /** By extent, which permission groups are allowed there. */
  readonly allows: readonly Allowed[];
  /** For a token of an account, where it is not the same. */
  readonly allowsInAccount?: readonly Allowed[];
}

type Allowed = readonly [extent: Extent, includes: (groupName: string) => boolean];

const named =
  (...names: readonly string[]) =>
  (name: string): boolean =>
    names.includes(name);

/** Common purposes of tokens. */
export const tokenTemplates: Readonly<Record<TemplateName, Template>> = {
  "edit-dns": {
    title: "Edit zone DNS",
    text: "Change the DNS records of the zones that you choose, for ACME clients or dynamic DNS.",
    allows: [["zones", named("Zone Read", "DNS Write")]],
  },
  "read-all": {
    title: "Read everything",
    text: "See everything, but change nothing.",
    allows: (["all-accounts", "all-zones", "user"] as const).map((extent) => [
      extent,
      (name) => /\bRead\b/.test(name),
    ]),
  },
  "waf-migration": {
    title: "Migrate the WAF",
    text: "Check zones, propose their configuration, and move them to the new managed rules.",
    allows: [["all-zones", named("Zone Read", "Zone WAF Write", "Firewall Services Write")]],
  },
  "create-tokens": {
    title: "Create additional tokens",
    text: "Create other tokens over the API, and do nothing else.",
    allows: [["user", named("API Tokens Write")]],
    allowsInAccount: [["accounts", named("Account API Tokens Write")]],
  },
  custom: {
    title: "Custom token",
    text: "Start with an empty policy.",
    allows: [],
  },
};

/** The draft that a template begins with; `accountId` is of the account whose token it will be. */
export function draftOfTemplate(
  name: TemplateName,
  groups: readonly TokenPermissionGroup[],
  accountId?: string,
): TokenDraft {
  const {
    title,
    allows,
    allowsInAccount = allows.filter(([extent]) => extent !== "user"),
  } = tokenTemplates[name];
  const allowed = accountId === undefined ? allows : allowsInAccount;
  const policies = allowed.map(([extent, includes]): PolicyDraft => ({
    effect: "allow",
    extent,
    ids: [],
    groupIds: groupsOfType(groups, groupTypeOf[extent])
      .filter((group) => includes(group.name))
      .map(({ id }) => id),
  }));
  return {
    name: name === "custom" ? "" : title,
    policies: (policies.length === 0 ? [emptyPolicy] : policies).map((policy) =>
      withinAccount(policy, accountId),
    ),
    allowFrom: [],
    denyFrom: [],
    notBefore: "",
    expiresOn: "",
  };
}
