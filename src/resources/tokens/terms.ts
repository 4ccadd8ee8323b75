import {
  compileAddressCondition,
  parseTimeWindow,
  windowPhase,
  type AddressCondition,
  type TimeWindow,
} from "../../core/policy/conditions.ts";
import { fromJson } from "../../storage/columns.ts";
import type { TokenRow } from "../../storage/schema/accounts.ts";

export interface TokenTerms {
  readonly status: TokenRow["status"];
  readonly window: TimeWindow;
  readonly allowsAddress: (address: string) => boolean;
}

/** The terms of a stored token. */
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

/** Whether the token is usable at this time, regardless of the address. */
export function isInForce({ status, window }: TokenTerms, now: Date): boolean {
  return status === "active" && windowPhase(window, now.getTime()) === "open";
}
