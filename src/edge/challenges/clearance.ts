import { hash } from "node:crypto";

import { clientNetwork } from "../../core/net/client-network.ts";
import type { Solved } from "../../core/judging/evaluation.ts";
import type { ChallengeAction } from "../../core/rulesets/phases.ts";
import { valuesOf, type Header } from "../../core/transforms/request-headers.ts";
import type { Visited } from "../request/visited.ts";
import type { VisitorRequest } from "../request/visitor-request.ts";
import type { Seals } from "./seals.ts";

/** Who passed a challenge, and where: it counts neither for another visitor nor for another host. */
export interface Asker {
  readonly zoneId: string;
  readonly host: string;
  /** A digest of its network and user agent. */
  readonly visitor: string;
}

interface Clearance extends Asker {
  readonly action: ChallengeAction;
  /** Milliseconds since 1970. */
  readonly passedAt: number;
}

const cookieName = "cf_clearance";
const purpose = "clearance";

/** The weakest first: a visitor who passed one has also passed those before it. */
const byStrength: readonly ChallengeAction[] = ["js_challenge", "managed_challenge", "challenge"];
const none: Solved = new Map();

/** An IPv6 address counts as its network: the visitor may choose any address in it. */
export function askerOf({ visitor, zone, address }: Visited): Asker {
  const userAgent = visitor.headers.find(([name]) => name === "user-agent")?.[1] ?? "";
  const mark = hash("sha256", `${clientNetwork(address)} ${userAgent}`, "base64url");
  return { zoneId: zone.id, host: visitor.hostname, visitor: mark };
}

export function isSameAsker(one: Asker, other: Asker): boolean {
  return one.zoneId === other.zoneId && one.host === other.host && one.visitor === other.visitor;
}

/** The cookie of a visitor that passed a challenge. */
export function clearanceCookie(
  seals: Seals,
  visited: Visited,
  { action, passedAt }: Pick<Clearance, "action" | "passedAt">,
): Header {
  const clearance: Clearance = { ...askerOf(visited), action, passedAt };
  const { visitor, zone } = visited;
  // Without `Partitioned`, browsers keep no cookie of a page that another site shows within its own.
  const sameSite = visitor.isSecure ? `${sameSiteOf(visitor)}; Partitioned` : sameSiteOf(visitor);
  const seconds = Math.floor(zone.settings.challengeMs / 1_000);
  return [
    "set-cookie",
    `${cookieName}=${seals.seal(clearance, purpose)}; Path=/; Max-Age=${seconds}; HttpOnly; ${sameSite}`,
  ];
}

/**
 * The challenges that a visitor need not pass, because of one that it passed and that has not expired, and when it
 * passed that.
 */
export function clearedBy(seals: Seals, visited: Visited, now: () => Date): Solved {
  const sealed = cookiesOf(visited, cookieName);
  if (sealed.length === 0) return none;
  const asker = askerOf(visited);
  const { challengeMs } = visited.zone.settings;
  const nowMs = now().getTime();
  const solved = new Map<ChallengeAction, number>();
  for (const text of sealed) {
    const clearance = seals.open(text, purpose) as Clearance | undefined;
    if (clearance === undefined || !isSameAsker(clearance, asker)) continue;
    const { action, passedAt } = clearance;
    if (nowMs >= passedAt + challengeMs) continue;
    for (const weaker of byStrength.slice(0, byStrength.indexOf(action) + 1))
      solved.set(weaker, Math.max(passedAt, solved.get(weaker) ?? 0));
  }
  return solved;
}

const cookiesMax = 4;

/** The attributes with which a page of another site can show one of the zone within it, as far as the scheme allows. */
export function sameSiteOf({ isSecure }: Pick<VisitorRequest, "isSecure">): string {
  return isSecure ? "SameSite=None; Secure" : "SameSite=Lax";
}

/** The values of the first cookies with a name. */
export function cookiesOf({ visitor }: Visited, name: string): string[] {
  const cookies = valuesOf(visitor.headers, "cookie").filter((value) => value.includes(name));
  if (cookies.length === 0) return [];
  return cookies
    .flatMap((value) => value.split(";"))
    .flatMap((pair) => {
      const cookie = pair.trim();
      return cookie.startsWith(`${name}=`) ? [cookie.slice(name.length + 1)] : [];
    })
    .slice(0, cookiesMax);
}
