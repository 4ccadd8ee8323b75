import type { ZoneIndex } from "../../src/core/dns/served/zone-index.ts";
import type { Respond } from "../../src/name-server/listeners.ts";
import { createRespond, type RespondOptions } from "../../src/name-server/responder.ts";

/** Answers from these zones; unless told otherwise, it looks nothing up, and limits, counts and logs nothing. */
export function respondFrom(zones: ZoneIndex, options: Partial<RespondOptions> = {}): Respond {
  return createRespond({
    zones,
    isComplete: () => true,
    lookUpAddresses: async () => undefined,
    responsesPerSecond: undefined,
    cookieSecret: new Uint8Array(16),
    logsQueries: false,
    now: () => new Date(),
    logger: { info: () => undefined, error: () => undefined },
    counts: { observe: () => undefined },
    ...options,
  });
}
