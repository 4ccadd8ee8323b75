import { isJsonObject } from "../json.ts";
import { integerBetween, oneOf, textOf, type Rule } from "../validate/rules.ts";

export interface PageRuleAction {
  readonly id: string;
  readonly value?: unknown;
}

type JsonObject = Readonly<Record<string, unknown>>;

const onOff = oneOf("on", "off");
const seconds = (max: number): Rule<number> => ({
  ...integerBetween(0, max),
  rule: `must be a number of seconds from 0 to ${max}`,
});
const text = textOf(/^[^\p{Cc}\p{Cs}]{1,255}$/u, "must be a text of 1 to 255 characters");
const objectLengthMax = 4_096;
const object: Rule<JsonObject> = {
  rule: `must be an object of at most ${objectLengthMax} characters of JSON`,
  accepts: (value): value is JsonObject =>
    isJsonObject(value) && JSON.stringify(value).length <= objectLengthMax,
};
const filledObject: Rule<JsonObject> = {
  rule: `${object.rule}, and not empty`,
  accepts: (value): value is JsonObject => object.accepts(value) && Object.keys(value).length > 0,
};
const minify: Rule<JsonObject> = {
  rule: "must say on or off for html, css and js",
  accepts: (value): value is JsonObject =>
    isJsonObject(value) &&
    Object.entries(value).every(
      ([key, mode]) => ["html", "css", "js"].includes(key) && (mode === "on" || mode === "off"),
    ),
};
/** Maximum length in characters, the same as for the URL pattern of a rule. */
const urlLengthMax = 2_048;
const forwarding: Rule<JsonObject> = {
  rule: `must hold a url of at most ${urlLengthMax} characters and a status_code of 301 or 302`,
  accepts: (value): value is JsonObject =>
    isJsonObject(value) &&
    typeof value["url"] === "string" &&
    value["url"].length <= urlLengthMax &&
    /^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/u.test(value["url"]) &&
    (value["status_code"] === 301 || value["status_code"] === 302),
};
const host = textOf(/^(?=.{1,253}$)([a-z0-9_-]+\.)+[a-z0-9-]+$/i, "must be a host name");
const none = undefined;

/** The form of each action's value; undefined for actions without one. */
export const actionValues: Readonly<Record<string, Rule<unknown> | undefined>> = {
  always_online: onOff,
  always_use_https: none,
  automatic_https_rewrites: onOff,
  browser_cache_ttl: seconds(31_536_000),
  browser_check: onOff,
  bypass_cache_on_cookie: text,
  cache_by_device_type: onOff,
  cache_deception_armor: onOff,
  cache_key_fields: object,
  cache_level: oneOf("bypass", "basic", "simplified", "aggressive", "cache_everything"),
  cache_on_cookie: text,
  cache_ttl_by_status: filledObject,
  disable_apps: none,
  disable_performance: none,
  disable_railgun: none,
  disable_security: none,
  disable_zaraz: none,
  edge_cache_ttl: seconds(31_536_000),
  email_obfuscation: onOff,
  explicit_cache_control: onOff,
  forwarding_url: forwarding,
  host_header_override: host,
  ip_geolocation: onOff,
  minify,
  mirage: onOff,
  opportunistic_encryption: onOff,
  origin_error_page_pass_thru: onOff,
  polish: oneOf("off", "lossless", "lossy"),
  resolve_override: host,
  respect_strong_etag: onOff,
  response_buffering: onOff,
  rocket_loader: onOff,
  security_level: oneOf("off", "essentially_off", "low", "medium", "high", "under_attack"),
  server_side_exclude: onOff,
  sort_query_string_for_cache: onOff,
  ssl: oneOf("off", "flexible", "full", "strict", "origin_pull"),
  true_client_ip_header: onOff,
  waf: onOff,
};

/** Actions that answer the request exclude all others. */
const standingAlone = new Set(["forwarding_url", "always_use_https"]);

export interface ActionIssue {
  readonly pointer: string;
  readonly message: string;
}

export function actionIssues(actions: readonly PageRuleAction[]): ActionIssue[] {
  const seen = new Set<string>();
  return actions.flatMap(({ id, value }, index): ActionIssue[] => {
    const issue = (message: string, field = "id"): ActionIssue[] => [
      { pointer: `/actions/${index}/${field}`, message },
    ];
    if (!Object.hasOwn(actionValues, id)) return issue("there is no such action");
    if (seen.has(id)) return issue("is there twice");
    seen.add(id);
    if (standingAlone.has(id) && actions.length > 1)
      return issue(`"${id}" may not be used with "any setting"`);
    const values = actionValues[id];
    return values === undefined || values.accepts(value) ? [] : issue(values.rule, "value");
  });
}
