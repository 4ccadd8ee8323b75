import type { Phase } from "../../core/expression/phases.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import { hidesVisitors } from "../../core/transforms/managed-transforms.ts";
import { edgeSettingsOf } from "../../edge/zones/edge-settings.ts";
import type { EdgeZone } from "../../edge/zones/edge-zone.ts";
import { ZoneCertificates } from "../../edge/zones/zone-certificates.ts";
import type { ZoneNames } from "../../edge/zones/zone-names.ts";
import type { StoredEdgeAccount, StoredEdgeZone } from "../../resources/edge-zones/edge-zones.ts";
import type { RulesetContext, StoredRules } from "../../resources/rulesets/rulesets.ts";
import { ownerOf, type ZoneSettings } from "../../resources/zones/zones.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

/** A zone as it is stored. */
interface ReadZone {
  readonly row: ZoneRow;
  readonly stored: StoredEdgeZone;
  readonly names: ZoneNames;
  readonly account: StoredEdgeAccount;
}

/** A zone as an edge serves it; its rules (`rulesOf`) are compiled separately. */
export function makeEdgeZone(
  { vendor, settings }: Pick<RulesetContext, "vendor"> & { readonly settings: ZoneSettings },
  { row, stored, names, account }: ReadZone,
): EdgeZone {
  const isPaused = row.paused === 1;
  const previous = isPaused ? undefined : stored.previous;
  const { urlNormalization } = stored;
  const zone: EdgeZone = {
    ...ownerOf(row, settings),
    delegationOf: (name) => names.delegationOf(name),
    isPaused,
    settings: edgeSettingsOf(stored.setting, hidesVisitors(stored.rules.products.transforms)),
    names,
    certificates: new ZoneCertificates(stored.certificates),
    judging: { zone: { name: row.name, plan: row.plan }, vendor, urlNormalization, previous },
    readsBodies: false,
    readsBodiesAgain: false,
  };
  return withAccount(zone, stored, account);
}

/** The same zone where only its account has changed. */
export function withAccount(zone: EdgeZone, stored: StoredEdgeZone, account: StoredEdgeAccount): EdgeZone {
  const isPreviousOn = zone.judging.previous?.isOn === true;
  const rules = rulesOf(zone, stored, account);
  return {
    ...zone,
    readsBodies: isPreviousOn || readsBodies(rules),
    readsBodiesAgain: readsBodiesAgain(rules),
  };
}

/** What judges the requests of a zone; nothing while it is paused. */
export function rulesOf(
  { isPaused }: Pick<EdgeZone, "isPaused">,
  { rules }: Pick<StoredEdgeZone, "rules">,
  account: StoredEdgeAccount,
): StoredRules {
  if (isPaused) return unjudged;
  return {
    ...account,
    entryPoints: [...account.entryPoints, ...rules.entryPoints],
    products: rules.products,
  };
}

const unjudged: StoredRules = {
  entryPoints: [],
  custom: [],
  lists: new Map(),
  products: { products: [], transforms: undefined },
};

/** Whether a rule may read the body of a request; managed rulesets do. */
function readsBodies(stored: StoredRules): boolean {
  return enabledRules(stored).some(
    ({ rule: { action, expression, action_parameters, ratelimit } }) =>
      action === "execute" || [expression, action_parameters, ratelimit].some(namesBody),
  );
}

/** Whether a rule that looks at the response may read the body of the request too. */
function readsBodiesAgain(stored: StoredRules): boolean {
  return enabledRules(stored).some(({ phase, rule: { expression, ratelimit } }) =>
    namesBody(phase === "http_custom_errors" ? expression : ratelimit?.counting_expression),
  );
}

function enabledRules({
  entryPoints,
  custom,
}: StoredRules): { readonly phase: Phase; readonly rule: Rule }[] {
  return [...entryPoints, ...custom].flatMap(({ phase, rules }) =>
    rules.filter(({ enabled }) => enabled).map((rule) => ({ phase, rule })),
  );
}

function namesBody(part: unknown): boolean {
  const text = typeof part === "string" ? part : (JSON.stringify(part) ?? "");
  return text.includes("http.request.body");
}
