import { bodyValidator } from "../http/validation.ts";
import type { ExpressionContext } from "../operation/context.ts";
import { addFirewallRule } from "../resources/firewall-rules/firewall-rules.ts";
import { FirewallRuleFields } from "../resources/firewall-rules/schema.ts";
import { addPageRule } from "../resources/page-rules/page-rules.ts";
import { PageRuleBody } from "../resources/page-rules/schema.ts";
import { addWafOverride } from "../resources/previous-waf/overrides.ts";
import { presetWafPackage } from "../resources/previous-waf/previous-waf.ts";
import { WafOverrideBody, WafPackagePreset } from "../resources/previous-waf/schema.ts";
import type { Db, ZoneRow } from "../storage/tables.ts";
import type { SeedZone } from "./schema.ts";

const readPageRule = bodyValidator(PageRuleBody);
const readFirewallRule = bodyValidator(FirewallRuleFields);
const readWafPackage = bodyValidator(WafPackagePreset);
const readWafOverride = bodyValidator(WafOverrideBody);

/** Creates the page rules, firewall rules and previous WAF of a seeded zone, each through `attempt` with its place. */
export async function seedZoneParts(
  context: ExpressionContext,
  tx: Db,
  zone: ZoneRow,
  seed: SeedZone,
  attempt: (place: string, work: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  const each = async (
    key: "page_rules" | "firewall_rules" | "waf_packages" | "waf_overrides",
    make: (body: unknown) => Promise<unknown>,
  ): Promise<void> => {
    for (const [index, body] of (seed[key] ?? []).entries()) {
      await attempt(`/${key}/${index}`, () => make(body));
    }
  };
  await each("page_rules", async (body) => addPageRule(context, tx, zone, readPageRule(body)));
  await each("firewall_rules", async (body) =>
    addFirewallRule(
      { context, tx, zone, now: context.now(), engine: await context.loadExpressionEngine() },
      readFirewallRule(body),
      "",
    ),
  );
  await each("waf_packages", async (body) => presetWafPackage(tx, zone, readWafPackage(body)));
  await each("waf_overrides", async (body) =>
    addWafOverride({ context, tx, zone, now: context.now() }, readWafOverride(body)),
  );
}
