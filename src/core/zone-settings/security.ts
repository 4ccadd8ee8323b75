import { choice, setting, toggle, type Setting } from "./setting.ts";
import { integer, object, trueOrFalse } from "./value-forms.ts";

const challengeSeconds = [
  300, 900, 1_800, 2_700, 3_600, 7_200, 10_800, 14_400, 28_800, 57_600, 86_400, 604_800, 2_592_000, 31_536_000,
]; // prettier-ignore

export const securitySettings: Readonly<Record<string, Setting>> = {
  advanced_ddos: toggle("Protects from denial of service; a part of the plan.", "off", {
    initialOn: { business: "on", enterprise: "on" },
    editableFrom: "no plan",
  }),
  browser_check: toggle("Turns away visitors whose headers are those of bots.", "on"),
  challenge_ttl: choice("Seconds for which a passed challenge counts.", challengeSeconds, 1_800),
  email_obfuscation: toggle("Hides e-mail addresses on pages from bots.", "on"),
  hotlink_protection: toggle("Keeps other sites from showing the zone's images.", "off"),
  privacy_pass: toggle("Takes tokens of Privacy Pass instead of a challenge.", "on"),
  replace_insecure_js: toggle("Replaces JavaScript libraries that are known to be unsafe.", "off"),
  security_header: setting(
    "Sends `Strict-Transport-Security`; `max_age` in seconds.",
    object({
      strict_transport_security: object({
        enabled: trueOrFalse,
        max_age: integer(0, 2_147_483_647),
        include_subdomains: trueOrFalse,
        preload: trueOrFalse,
        nosniff: trueOrFalse,
      }),
    }),
    {
      strict_transport_security: {
        enabled: false,
        max_age: 0,
        include_subdomains: false,
        preload: false,
        nosniff: false,
      },
    },
  ),
  security_level: choice(
    "How little it takes to be challenged.",
    ["off", "essentially_off", "low", "medium", "high", "under_attack"],
    "medium",
    { valuesFrom: { off: "enterprise" } },
  ),
  server_side_exclude: toggle("Hides marked parts of pages from suspicious visitors.", "on"),
  waf: toggle("Applies the previous version of the WAF managed rules.", "off", { editableFrom: "pro" }),
};
