import { deviceOf } from "./device-cookies.ts";
import type { KnownClient } from "./password-guard.ts";
import type { Browser, SessionContext } from "./session.ts";

/** A browser in which the user signed in before. */
export function knownByDevice(
  context: SessionContext,
  { deviceCookie }: Browser,
  userId: string,
): KnownClient | undefined {
  const device = deviceOf(context, userId, deviceCookie);
  return device === undefined ? undefined : { userId, proof: `device ${device}` };
}
