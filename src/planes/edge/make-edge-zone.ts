import type { Phase } from "../../core/expression/phases.ts";
import { assembleRules, judgingZoneOf, noRules, type AssembledRules } from "../../core/judging/zone-rules.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import { hidesVisitors, transformsOf } from "../../core/transforms/managed-transforms.ts";
import type { SealedCertificate, ZoneDocument } from "../../core/documents/zone-document.ts";
import { settingValues } from "../../core/zone-settings/catalogue.ts";
import {
  edgeSettingsOf,
  ZoneCertificates,
  type EdgeCertificate,
  type EdgeZone,
} from "../../edge/zones/edge-zone.ts";
import type { ZoneNames } from "../../edge/zones/zone-names.ts";
import { ownerOfFacts, type ZoneSettings } from "../../resources/zones/zones.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Sealed } from "../../storage/schema/table.ts";
import type { EdgeAccount } from "./edge-accounts.ts";

interface MakingContext {
  readonly vendor: string;
  readonly settings: ZoneSettings;
  readonly secretBox: SecretBox;
  readonly now: () => Date;
}

/** A zone as an edge serves it; its rules (`rulesOf`) are compiled separately. */
export function makeEdgeZone(
  { vendor, settings, secretBox, now }: MakingContext,
  document: ZoneDocument,
  names: ZoneNames,
  account: EdgeAccount,
): EdgeZone {
  const { facts, rules } = document;
  const { isPaused, plan } = facts;
  const judging = judgingZoneOf(document, vendor);
  const isHidden = hidesVisitors(transformsOf(rules.managedTransforms, plan).transforms);
  const zone: EdgeZone = {
    ...ownerOfFacts(facts, settings),
    delegationOf: (name) => names.delegationOf(name),
    isPaused,
    settings: edgeSettingsOf(settingValues(document.settings, plan), isHidden),
    names,
    certificates: new ZoneCertificates(certificatesAt(document, secretBox, toTimestamp(now()))),
    judging: isPaused ? { ...judging, previous: undefined } : judging,
    readsBodies: false,
    readsBodiesAgain: false,
  };
  return withAccount(zone, document, account);
}

/** The same zone where only its account has changed. */
export function withAccount(zone: EdgeZone, document: ZoneDocument, account: EdgeAccount): EdgeZone {
  const isPreviousOn = zone.judging.previous?.isOn === true;
  const rules = rulesOf(document, account);
  return {
    ...zone,
    readsBodies: isPreviousOn || readsBodies(rules),
    readsBodiesAgain: readsBodiesAgain(rules),
  };
}

/** The rules for the requests of a zone; none while it is paused. */
export function rulesOf(document: ZoneDocument, { document: account, lists }: EdgeAccount): AssembledRules {
  return document.facts.isPaused ? noRules : assembleRules([document, account], lists);
}

/** The certificates of a zone that have not expired. Their keys are opened when they are asked for. */
function certificatesAt(
  { certificates }: Pick<ZoneDocument, "certificates">,
  secretBox: SecretBox,
  now: string,
): EdgeCertificate[] {
  const open = ({ privateKey, place }: SealedCertificate["chains"][number]): string =>
    secretBox.open(privateKey as Sealed, place);
  return certificates.flatMap(({ hosts, rank, chains }) => {
    const inForce = chains.filter(({ expiresOn }) => expiresOn > now);
    if (inForce.length === 0) return [];
    return {
      id: inForce.map(({ id }) => id).join(" "),
      hosts,
      rank,
      open: () => ({ chains: inForce.map(({ chain }) => chain), privateKeys: inForce.map(open) }),
    };
  });
}

/** Whether a rule may read the body of a request; managed rulesets do. */
function readsBodies(rules: AssembledRules): boolean {
  return enabledRules(rules).some(
    ({ rule: { action, expression, action_parameters, ratelimit } }) =>
      action === "execute" || [expression, action_parameters, ratelimit].some(namesBody),
  );
}

/** Whether a rule that looks at the response may read the body of the request too. */
function readsBodiesAgain(rules: AssembledRules): boolean {
  return enabledRules(rules).some(({ phase, rule: { expression, ratelimit } }) =>
    namesBody(phase === "http_custom_errors" ? expression : ratelimit?.counting_expression),
  );
}

function enabledRules({
  entryPoints,
  custom,
}: AssembledRules): { readonly phase: Phase; readonly rule: Rule }[] {
  return [...entryPoints, ...custom].flatMap(({ phase, rules }) =>
    rules.filter(({ enabled }) => enabled).map((rule) => ({ phase, rule })),
  );
}

function namesBody(part: unknown): boolean {
  const text = typeof part === "string" ? part : (JSON.stringify(part) ?? "");
  return text.includes("http.request.body");
}
