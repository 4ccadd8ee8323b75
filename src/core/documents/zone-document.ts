import type { SubdomainConsent } from "../dns/names/name-authority.ts";
import type { Plan } from "../expression/phases.ts";
import type { AccessRule } from "../firewall-products/access-rule.ts";
import type { FirewallRule } from "../firewall-products/firewall-rules.ts";
import type { LockdownText } from "../firewall-products/zone-lockdown.ts";
import type { UserAgentRule } from "../firewall-products/user-agent-rule.ts";
import type { ListItemValue } from "../lists/items.ts";
import type { ListKind } from "../lists/kinds.ts";
import type { PageRuleText } from "../page-rules/page-rule.ts";
import type { PreviousWafChoices } from "../previous-waf/previous-waf.ts";
import type { Ruleset } from "../rulesets/ruleset.ts";
import type { UrlNormalization } from "../transforms/url-normalization.ts";

/** The parts of a zone that are read, and change, apart from each other. Its records are read by name. */
export const documentParts = ["facts", "settings", "rules", "certificates"] as const;
export type DocumentPart = (typeof documentParts)[number];

/**
 * A zone as the planes need it: plain JSON, which can be kept, compared and compiled. Nothing in it depends
 * on the time.
 */
export interface ZoneDocument {
  readonly facts: ZoneFacts;
  /** The settings that were changed, by their names. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly rules: ZoneRules;
  readonly certificates: readonly SealedCertificate[];
}

export interface ZoneFacts {
  readonly id: string;
  /** ASCII, lower case. */
  readonly name: string;
  readonly accountId: string;
  readonly status: "initializing" | "pending" | "active" | "moved";
  readonly plan: Plan;
  readonly isPaused: boolean;
  /** The version of the managed rules that is in force; `validation` is both. */
  readonly waf: "previous" | "validation" | "new";
  /** Its place among all zones by the time of their first activation; null where that is not known. */
  readonly activationOrder: number | null;
  /** The number of the set of name servers that it has chosen; null for the standard ones. */
  readonly nameServerSet: number | null;
  readonly vanityNameServers: readonly string[];
  readonly consents: readonly SubdomainConsent[];
}

/** All that judges and changes the requests of a zone, but for what its account has for all of its zones. */
export interface ZoneRules {
  /** Its own, one for each phase that has rules. */
  readonly entryPoints: readonly Ruleset[];
  /** In the order of their creation. */
  readonly firewallRules: readonly FirewallRule[];
  readonly accessRules: readonly AccessRule[];
  /** By creation. */
  readonly lockdowns: readonly LockdownText[];
  /** Without those that are paused. */
  readonly userAgentRules: readonly UserAgentRule[];
  /** In the order in which they apply. */
  readonly pageRules: readonly PageRuleText[];
  readonly managedTransforms: readonly string[];
  readonly urlNormalization: UrlNormalization;
  readonly previousWaf: PreviousWafChoices;
}

/** A certificate, or those of a pack, one for each type of key. */
export interface SealedCertificate {
  /** ASCII, lower case; `*.` covers names with one more label. */
  readonly hosts: readonly string[];
  /** The highest one for a host is used: first custom certificates, then advanced packs. */
  readonly rank: number;
  readonly chains: readonly {
    /** Another one where the certificate or its key is another one. */
    readonly id: string;
    /** PEM: the certificate, followed by those of its issuers. */
    readonly chain: string;
    /** Encrypted, as it is stored at `place`. */
    readonly privateKey: string;
    readonly place: string;
    /** A time that sorts as text. */
    readonly expiresOn: string;
  }[];
}

/** The rules and lists that an account has for all of its zones. */
export interface AccountDocument {
  readonly id: string;
  /** One for each phase that has rules. */
  readonly entryPoints: readonly Ruleset[];
  /** Executed by its entry points. */
  readonly custom: readonly Ruleset[];
  /** First of the account, then of its super administrators. */
  readonly accessRules: readonly AccessRule[];
  /** The lists that any rule of the account or of its zones names. */
  readonly lists: readonly ListReference[];
}

/** A list as rules find it. */
export interface ListReference {
  readonly id: string;
  readonly name: string;
  readonly kind: ListKind;
  /** Goes up with every change of the items. */
  readonly version: number;
  readonly itemCount: number;
}

/** The items of a list in the order of their keys. */
export interface ListDocument extends Pick<ListReference, "id" | "kind" | "version"> {
  readonly items: readonly ListItemValue[];
}
