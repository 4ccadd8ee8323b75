import {
  compileAddressCondition,
  parseTimeWindow,
  windowPhase,
  type AddressCondition,
  type TimeWindow,
} from "../../core/policy/conditions.ts";
import { fromJson } from "../../storage/columns.ts";
import type { TokenRow } from "../../storage/tables.ts";

/** When and from where a token may be used. */
export interface TokenTerms {
  readonly status: TokenRow["status"];
  readonly window: TimeWindow;
  readonly allowsAddress: (address: string) => boolean;
}

/** When, and from where, a stored token may be used. */
export function termsOf(row: TokenRow): TokenTerms {
  const condition: AddressCondition = row.condition === null ? {} : fromJson(row.condition);
  return {
    status: row.status,
    window: timeWindowOf(row),
    allowsAddress: compileAddressCondition(condition, ["condition", "request.ip"]),
  };
}

export function timeWindowOf(row: Pick<TokenRow, "not_before" | "expires_on">): TimeWindow {
  return parseTimeWindow(row);
}

/** Whether the token may be used now, from anywhere at all. */
export function isInForce({ status, window }: TokenTerms, now: Date): boolean {
  return status === "active" && windowPhase(window, now.getTime()) === "open";
}
