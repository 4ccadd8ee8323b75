import { encodeText } from "../expression/byte-string.ts";
import { textOf } from "../expression/context.ts";
import type { ProductStage } from "./product.ts";

export type UserAgentMode = "block" | "challenge" | "js_challenge" | "managed_challenge";

export interface UserAgentRule {
  readonly id: string;
  readonly description: string;
  readonly mode: UserAgentMode;
  readonly userAgent: string;
}

/** The active user-agent rules; no two have the same user agent. */
export function userAgentStage(rules: readonly UserAgentRule[]): ProductStage {
  const byUserAgent = new Map(rules.map((rule) => [encodeText(rule.userAgent), rule]));
  return {
    product: "uaBlock",
    judge: (request) => {
      const rule = byUserAgent.get(textOf(request, "http.user_agent"));
      if (rule === undefined) return undefined;
      return { ruleId: rule.id, description: rule.description, action: rule.mode, skips: [] };
    },
  };
}
