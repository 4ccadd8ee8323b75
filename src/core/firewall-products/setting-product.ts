import { type RequestContext, textOf } from "../expression/context.ts";
import { type ProductVerdict, addressOf } from "./product.ts";
import type { SettingProduct } from "../rulesets/phases.ts";
import { parseIpRange, isInRange } from "../net/ip-range.ts";

/** The settings that page rules and `set_config` rules change for a request. */
type Configuration = Readonly<Record<string, unknown>>;

/**
 * A product that a setting of the zone turns on, which page rules and `set_config` rules override for a
 * request.
 */
export interface SettingStage {
  readonly settingProduct: SettingProduct;
  /**
   * Returns undefined where the product is off, or lets the request pass. With `hasAllHeaders`, a missing
   * header was not sent.
   */
  readonly judge: (
    request: RequestContext,
    configuration: Configuration,
    hasAllHeaders: boolean,
  ) => ProductVerdict | undefined;
}

/** The products that the settings of a zone turn on; `setting` finds the value of a setting by its id. */
export function settingStages(setting: (id: string) => unknown, zoneName: string): SettingStage[] {
  const checksBrowser = setting("browser_check") === "on";
  const zoneLevel = String(setting("security_level"));
  const protectsImages = setting("hotlink_protection") === "on";
  return [
    {
      settingProduct: "bic",
      // The setting is called `bic` in a rule and `browser_check` in a page rule.
      judge: (request, { bic, browser_check }, hasAllHeaders) => {
        const isOn = bic ?? (browser_check === undefined ? checksBrowser : browser_check === "on");
        return isOn === true ? checkBrowser(request, hasAllHeaders) : undefined;
      },
    },
    {
      settingProduct: "securityLevel",
      // The other levels depend on the reputation of addresses, which is unknown here.
      judge: (_request, { security_level: level = zoneLevel }) =>
        level === "under_attack"
          ? { ruleId: level, description: "Under attack", action: "js_challenge", skips: [] }
          : undefined,
    },
    {
      settingProduct: "hot",
      judge: (request, { hotlink_protection: isOn = protectsImages }) =>
        isOn === true ? checkHotlink(request, zoneName) : undefined,
    },
  ];
}

/** The beginnings of user agents of programs that collect addresses or post advertisements. */
const spammers = [
  "atomic_email_hunter",
  "cherrypicker",
  "contactbot",
  "ecollector",
  "email extractor",
  "emailcollector",
  "emailsiphon",
  "emailwolf",
  "extractorpro",
  "missigua",
  "mozilla/3.0 (compatible; indy library)",
  "psycheclone",
  "webbandit",
  "webemailextrac",
  "xrumer",
];

const ofSpammer = new RegExp(`^(?:${spammers.map((name) => RegExp.escape(name)).join("|")})`, "i");

/** The addresses of the machine itself, from which it is checked and tried out. */
const ownMachine = ["127.0.0.0/8", "::1"].flatMap((range) => parseIpRange(range) ?? []);

/**
 * The Browser Integrity Check: blocks a request without a `User-Agent`, or with one that no browser and no
 * honest program sends. A missing header counts only if `hasAllHeaders`. Requests of the machine itself pass.
 */
function checkBrowser(request: RequestContext, hasAllHeaders: boolean): ProductVerdict | undefined {
  const issue = issueIn(textOf(request, "http.user_agent").trim(), hasAllHeaders);
  if (issue === undefined) return undefined;
  const address = addressOf(request);
  if (address !== undefined && ownMachine.some((range) => isInRange(address, range))) return undefined;
  return { ruleId: "bic", description: `Browser Integrity Check: ${issue}`, action: "block", skips: [] };
}

function issueIn(userAgent: string, hasAllHeaders: boolean): string | undefined {
  if (userAgent === "") return hasAllHeaders ? "no User-Agent" : undefined;
  if (!/[a-z]/i.test(userAgent)) return "a User-Agent without a name";
  if (/^user-agent:/i.test(userAgent)) return "a User-Agent that repeats the name of the header";
  if (/<a\b|\[url\b/i.test(userAgent)) return "a link in the User-Agent";
  return ofSpammer.test(userAgent) ? "the User-Agent of a spammer" : undefined;
}

/**
 * Hotlink protection: blocks a request for an image that a page of another site shows, as its `Referer` says.
 * One without a `Referer` passes, and so does one below a directory `hotlink-ok`.
 */
function checkHotlink(request: RequestContext, zoneName: string): ProductVerdict | undefined {
  const path = textOf(request, "http.request.uri.path");
  if (!/\.(?:gif|ico|jpe?g|png)$/i.test(path) || path.includes("/hotlink-ok/")) return undefined;
  const referrer = textOf(request, "http.referer").trim();
  if (referrer === "" || isOfZone(hostOf(referrer), zoneName)) return undefined;
  return { ruleId: "hot", description: "Hotlink protection", action: "block", skips: [] };
}

function hostOf(url: string): string {
  const [, host = ""] = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:@]*)/i.exec(url) ?? [];
  return host.toLowerCase().replace(/\.$/, "");
}

function isOfZone(host: string, zoneName: string): boolean {
  return host === zoneName || host.endsWith(`.${zoneName}`);
}
