import { bodyValidator } from "../api/validation.ts";
import type { ExpressionContext } from "../operation/context.ts";
import { addFirewallRule } from "../resources/firewall-rules/firewall-rules.ts";
import { FirewallRuleFields } from "../resources/firewall-rules/schema.ts";
import { addPageRule } from "../resources/page-rules/page-rules.ts";
import { PageRuleBody } from "../resources/page-rules/schema.ts";
import { addWafOverride } from "../resources/previous-waf/overrides.ts";
import { presetWafPackage } from "../resources/previous-waf/previous-waf.ts";
import { WafOverrideBody, WafPackagePreset } from "../resources/previous-waf/schema.ts";
import { UserAgentRuleBody } from "../resources/user-agent-rules/schema.ts";
import { addUserAgentRule } from "../resources/user-agent-rules/user-agent-rules.ts";
import { ZoneLockdownBody } from "../resources/zone-lockdowns/schema.ts";
import { addZoneLockdown } from "../resources/zone-lockdowns/zone-lockdowns.ts";
import type { Db } from "../storage/tables.ts";
import type { ZoneRow } from "../storage/schema/zones.ts";
import type { SeedZone } from "./schema.ts";

const readPageRule = bodyValidator(PageRuleBody);
const readLockdown = bodyValidator(ZoneLockdownBody);
const readUserAgentRule = bodyValidator(UserAgentRuleBody);
const readFirewallRule = bodyValidator(FirewallRuleFields);
const readWafPackage = bodyValidator(WafPackagePreset);
const readWafOverride = bodyValidator(WafOverrideBody);

/**
 * Creates the rules beside rulesets and the previous WAF of a seeded zone, each through `attempt` with its
 * place.
 */
export async function seedZoneParts(
  context: ExpressionContext,
  tx: Db,
  zone: ZoneRow,
  seed: SeedZone,
  attempt: (place: string, work: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  const each = async (
    key:
      | "page_rules"
      | "lockdowns"
      | "user_agent_rules"
      | "firewall_rules"
      | "waf_packages"
      | "waf_overrides",
    make: (body: unknown) => Promise<unknown>,
  ): Promise<void> => {
    for (const [index, body] of (seed[key] ?? []).entries()) {
      await attempt(`/${key}/${index}`, () => make(body));
    }
  };
  const work = { context, tx, zone, now: context.now() };
  await each("page_rules", async (body) => addPageRule(context, tx, zone, readPageRule(body)));
  await each("lockdowns", async (body) => addZoneLockdown(work, readLockdown(body)));
  await each("user_agent_rules", async (body) => addUserAgentRule(work, readUserAgentRule(body)));
  await each("firewall_rules", async (body) =>
    addFirewallRule({ ...work, engine: await context.loadExpressionEngine() }, readFirewallRule(body), ""),
  );
  await each("waf_packages", async (body) => presetWafPackage(tx, zone, readWafPackage(body)));
  await each("waf_overrides", async (body) => addWafOverride(work, readWafOverride(body)));
}
