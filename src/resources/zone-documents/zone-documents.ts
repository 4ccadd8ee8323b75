import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidIdentifier } from "../../core/error.ts";
import type { RequestSource } from "../../core/firewall-products/access-rule.ts";
import type { JudgingZone, RunningRules } from "../../core/judging/judge-request.ts";
import { assembleRules, judgingZoneOf, listNamesOf } from "../../core/judging/zone-rules.ts";
import type { Ruleset } from "../../core/rulesets/ruleset.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { readNamedLists } from "../lists/lists.ts";
import type { RulesetContext } from "../rulesets/rulesets.ts";
import { readAccountDocument, readZoneDocuments } from "./read-documents.ts";
import { RulesCompiler } from "./rules-compiler.ts";

export {
  listAccounts,
  listActiveZones,
  listActiveZonesAfter,
  listZones,
  readAccountDocument,
  readZoneDocuments,
  type ListedZone,
  type NamedZone,
} from "./read-documents.ts";
export { RulesCompiler, type CompiledRules } from "./rules-compiler.ts";

/** Memory that the regular expressions of one zone may take while they are used for a request of the API. */
const zoneOctetsMax = 256 * 1024 * 1024;
/** Expressions that stay compiled for the next request: those of the managed rulesets and of many zones. */
const idle = { sizeMax: 4_000, octetsMax: 128 * 1024 * 1024 };

// An engine belongs to the process, and what it compiled with it.
const compilers = new WeakMap<RulesetContext["loadExpressionEngine"], RulesCompiler>();

function compilerOf({ loadExpressionEngine }: RulesetContext): RulesCompiler {
  const known = compilers.get(loadExpressionEngine);
  if (known !== undefined) return known;
  const made = new RulesCompiler(loadExpressionEngine, { octetsMax: zoneOctetsMax, tooLarge, idle });
  compilers.set(loadExpressionEngine, made);
  return made;
}

function tooLarge(): AppError {
  return new AppError(
    "too-large",
    errorCodes.request.bodyTooLarge,
    `The regular expressions of the zone's rules take more than ${zoneOctetsMax / 1024 / 1024} MiB of memory`,
  );
}

interface Judged {
  readonly zone: Pick<ZoneRow, "id" | "account_id">;
  readonly sources: readonly RequestSource[];
  /** Replaces the entry point of its phase. */
  readonly proposed?: Ruleset | undefined;
}

/** All that judges and changes requests to a zone. */
export interface RulesOfZone {
  readonly rules: RunningRules;
  readonly judging: JudgingZone;
}

/**
 * Calls `use` with what judges requests to a zone, as the store has it. `use` must be synchronous, as what is
 * compiled may be freed afterwards. Errors: 404 code 1001 for a zone that is gone, 413 code 10413 where the
 * regular expressions take too much memory.
 */
export async function withRulesOf<T>(
  context: RulesetContext,
  { zone: { id, account_id }, sources, proposed }: Judged,
  use: (rules: RulesOfZone) => T,
): Promise<T> {
  const { read } = context.db;
  const found = await readZoneDocuments(read, [id], ["facts", "settings", "rules"], sources);
  const zone = found.get(id);
  if (zone === undefined) throw invalidIdentifier("zone");
  const account = await readAccountDocument(read, account_id, sources);
  const lists = await readNamedLists(read, account, listNamesOf(zone.rules, account));
  const assembled = assembleRules([zone, account], lists, proposed);
  const { rules, free } = await compilerOf(context).compile(assembled, context.managed);
  try {
    return use({ rules, judging: judgingZoneOf(zone, context.vendor) });
  } finally {
    free();
  }
}
