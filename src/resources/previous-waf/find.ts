import { errorCodes } from "../../core/error-codes.ts";
import { invalidIdentifier, invalidRequest } from "../../core/error.ts";
import {
  findWafGroup,
  findWafPackage,
  findWafRule,
  type WafGroup,
  type WafPackage,
  type WafRule,
} from "../../core/previous-waf/catalogue.ts";

/** Errors: 404 code 1002. */
export function findPackage(id: string): WafPackage {
  return findWafPackage(id) ?? unknown("package");
}

/** Errors: 404 code 1002. */
export function findGroup(packageId: string, id: string): WafGroup {
  findPackage(packageId);
  const group = findWafGroup(id);
  return group?.packageId === packageId ? group : unknown("group");
}

/** Errors: 404 code 1002. */
export function findRule(packageId: string, id: string): WafRule {
  findPackage(packageId);
  const rule = findWafRule(id);
  return rule?.packageId === packageId ? rule : unknown("rule");
}

/** Errors: 404 code 1002, 400 code 1027 for a package without scores. */
export function findAnomalyPackage(id: string): WafPackage {
  const found = findPackage(id);
  if (found.detectionMode === "anomaly") return found;
  throw invalidRequest(
    errorCodes.previousWaf.notAnomalyPackage,
    "Only anomaly WAF packages can have their package attributes updated",
  );
}

function unknown(noun: string): never {
  throw invalidIdentifier(`WAF ${noun}`, errorCodes.previousWaf.unknown);
}
