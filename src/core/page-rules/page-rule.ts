import type { PageRuleAction } from "./actions.ts";
import {
  parseAnyUrlPattern,
  type UrlPattern,
  requestUrlOf,
  asteriskParts,
  matchesUrl,
  type RequestUrl,
} from "./url-pattern.ts";
import type { RequestContext } from "../expression/context.ts";

export interface PageRuleText {
  readonly id: string;
  readonly isActive: boolean;
  readonly url: string;
  readonly actions: readonly PageRuleAction[];
}

/** A page rule with the pattern of its URL. */
export interface ParsedPageRule extends PageRuleText {
  readonly pattern: UrlPattern;
}

/** Leaves out what has no valid pattern, as rules of earlier versions may. */
export function parsePageRules(rules: readonly PageRuleText[]): ParsedPageRule[] {
  return rules.flatMap((rule) => {
    const pattern = parseAnyUrlPattern(rule.url);
    return pattern instanceof Error ? [] : [{ ...rule, pattern }];
  });
}

/** Whether a page rule turns the managed rules of the previous WAF on or off. */
export function managedRulesOf({ actions }: Pick<PageRuleText, "actions">): "on" | "off" | undefined {
  if (actions.some(({ id }) => id === "disable_security")) return "off";
  const waf = actions.find(({ id }) => id === "waf")?.value;
  return waf === "on" || waf === "off" ? waf : undefined;
}

/** The page rules of a zone as a stage of the evaluation. */
export interface PageRuleStage {
  /** Chooses the page rule of a request that no rule has rewritten yet; undefined if none matches. */
  readonly choosePageRule: (request: RequestContext) => PageRuleVerdict | undefined;
}

export interface PageRuleVerdict {
  readonly ruleId: string;
  readonly url: string;
  readonly redirect: { readonly status: number; readonly location: string } | undefined;
  readonly route: { readonly host_header?: string; readonly origin?: { readonly host: string } };
  /** Settings of the zone that the rule overrides for the request. */
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly skips: readonly string[];
}

/** Zone settings that an action can override for a request. */
const settings: ReadonlySet<string> = new Set([
  "browser_check",
  "ssl",
  "ip_geolocation",
  "security_level",
  "true_client_ip_header",
]);

/**
 * Compiles rules in the order of precedence: only the first that matches applies. Undefined without active
 * rules.
 */
export function pageRuleStage(rules: readonly ParsedPageRule[]): PageRuleStage | undefined {
  const active = rules.filter(({ isActive }) => isActive);
  if (active.length === 0) return undefined;
  return {
    choosePageRule: (request) => {
      const url = requestUrlOf(request);
      const rule = active.find(({ pattern }) => matchesUrl(pattern, url));
      return rule && verdictOf(rule, url);
    },
  };
}

function verdictOf(rule: ParsedPageRule, url: RequestUrl): PageRuleVerdict {
  const values = new Map(rule.actions.map(({ id, value }) => [id, value]));
  const hostHeader = values.get("host_header_override") as string | undefined;
  const originHost = values.get("resolve_override") as string | undefined;
  // The previous version of the managed rules looks for this action itself.
  const isUnprotected = values.has("disable_security");
  return {
    ruleId: rule.id,
    url: rule.url,
    redirect: values.has("always_use_https")
      ? toHttps(url)
      : forwarded(rule, values.get("forwarding_url"), url),
    route: {
      ...(hostHeader !== undefined && { host_header: hostHeader }),
      ...(originHost !== undefined && { origin: { host: originHost } }),
    },
    configuration: {
      ...Object.fromEntries([...values].filter(([id]) => settings.has(id))),
      ...(isUnprotected && { hotlink_protection: false }),
    },
    skips: isUnprotected ? ["zoneLockdown"] : [],
  };
}

/** Redirects to HTTPS, except for certificate authorities, which validate over HTTP. */
function toHttps({ scheme, host, path, query }: RequestUrl): PageRuleVerdict["redirect"] {
  if (scheme === "https" || path.startsWith("/.well-known/acme-challenge/")) return undefined;
  return { status: 301, location: `https://${host}${path}${query === "" ? "" : `?${query}`}` };
}

/** Builds the target of a redirect: `$1` to `$9` stand for the texts that the pattern's asterisks matched. */
function forwarded(
  { pattern }: ParsedPageRule,
  value: unknown,
  url: RequestUrl,
): PageRuleVerdict["redirect"] {
  if (value === undefined) return undefined;
  const { url: target, status_code } = value as { readonly url: string; readonly status_code: number };
  const parts = asteriskParts(pattern, url);
  const location = target.replaceAll(/\$([1-9])/g, (_, number) => parts[Number(number) - 1] ?? "");
  return { status: status_code, location };
}
