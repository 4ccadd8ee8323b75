import { planOrder, type Plan as PlanName } from "../../core/expression/phases.ts";
import type { Zone } from "./schema.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import { updateRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { Context } from "../../operation/context.ts";

export type { PlanName };

interface Plan {
  readonly id: string;
  readonly name: string;
  readonly price: number;
  readonly pageRuleQuota: number;
  readonly zoneLockdownQuota: number;
  readonly userAgentRuleQuota: number;
  readonly customCertificateQuota: number;
  readonly web3HostnameQuota: number;
  /** Seconds; 1 (automatic) is allowed on every plan. */
  readonly ttlMin: number;
  readonly commentLengthMax: number;
  readonly tagsMax: number;
  /** Operations in one batch of DNS records. */
  readonly batchMax: number;
}

/** By name, which is also accepted as an id. The ids are the public ones (docs/decisions/0005-plans.md). */
export const plans: Readonly<Record<PlanName, Plan>> = {
  free: {
    id: "0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
    name: "Free Website",
    price: 0,
    pageRuleQuota: 3,
    zoneLockdownQuota: 0,
    userAgentRuleQuota: 10,
    customCertificateQuota: 0,
    web3HostnameQuota: 15,
    ttlMin: 60,
    commentLengthMax: 100,
    tagsMax: 0,
    batchMax: 200,
  },
  pro: {
    id: "a577b510288e82b26486fd1df47000ec",
    name: "Pro Website",
    price: 20,
    pageRuleQuota: 20,
    zoneLockdownQuota: 3,
    userAgentRuleQuota: 50,
    customCertificateQuota: 0,
    web3HostnameQuota: 15,
    ttlMin: 60,
    commentLengthMax: 500,
    tagsMax: 20,
    batchMax: 3_500,
  },
  business: {
    id: "1ac039f6c29b691475c3d74fe588d1ae",
    name: "Business Website",
    price: 200,
    pageRuleQuota: 50,
    zoneLockdownQuota: 10,
    userAgentRuleQuota: 250,
    customCertificateQuota: 1,
    web3HostnameQuota: 15,
    ttlMin: 60,
    commentLengthMax: 500,
    tagsMax: 20,
    batchMax: 3_500,
  },
  enterprise: {
    id: "94f3b7b768b0458b56d2cac4fe5ec0f9",
    name: "Enterprise Website",
    price: 0,
    pageRuleQuota: 125,
    zoneLockdownQuota: 200,
    userAgentRuleQuota: 1_000,
    customCertificateQuota: 1,
    web3HostnameQuota: 1_000,
    ttlMin: 30,
    commentLengthMax: 500,
    tagsMax: 20,
    batchMax: 3_500,
  },
};

export const planNames = planOrder;

export function findPlan(idOrName: string): PlanName | undefined {
  return planNames.find((name) => name === idOrName || plans[name].id === idOrName);
}

/** The `plan` of a zone in answers. */
export function planOfZone(plan: PlanName): Zone["plan"] {
  const { id, name, price } = plans[plan];
  return {
    id,
    name,
    price,
    currency: "USD",
    frequency: price === 0 ? "" : "monthly",
    is_subscribed: true,
    can_subscribe: true,
    legacy_id: plan,
    legacy_discount: false,
    externally_managed: false,
  };
}

/**
 * Changes the plan of a zone in the caller's transaction, for every way to ask for it; nothing else changes.
 * Returns the changed zone. Errors: 400 code 1089 while the zone validates the new WAF, which needs
 * Enterprise.
 */
export async function changePlan<Row extends ZoneRow>(
  { now }: Pick<Context, "now">,
  tx: Db,
  zone: Row,
  plan: PlanName,
): Promise<Row> {
  if (plan === zone.plan) return zone;
  if (zone.waf === "validation") {
    throw invalidRequest(
      errorCodes.zones.planDuringValidation,
      "The plan cannot be changed while the WAF migration is in validation; complete the migration first",
    );
  }
  const change = { plan, modified_on: toTimestamp(now()) };
  await updateRow(tx, "zones", zone.id, change);
  return { ...zone, ...change };
}
