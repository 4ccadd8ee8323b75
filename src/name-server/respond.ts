import type { ZoneIndex } from "../core/dns/served/zone-index.ts";
import { rcodeName, typeName } from "../core/dns/wire/codes.ts";
import type { Respond } from "./listener.ts";
import { OutsideTargets, type LookUpAddresses } from "./outside-addresses.ts";
import type { QueryCounts } from "./query-counts.ts";
import type { Outcome } from "./replies.ts";
import { Responder, type PassOn } from "./responder.ts";
import { ResponseRateLimit } from "./response-rate-limit.ts";
import type { TransferSource } from "./transfers.ts";

/** Writes lines of the log. */
export interface Log {
  readonly info: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

export interface RespondOptions {
  readonly zones: ZoneIndex;
  /** Whether all zones have been loaded. */
  readonly isComplete: () => boolean;
  readonly lookUpAddresses: LookUpAddresses;
  /** Undefined if this server transfers no zones. */
  readonly transfers?: TransferSource;
  readonly passOn?: PassOn;
  /** How many equal responses one network gets in a second over UDP; undefined for no limit. */
  readonly responsesPerSecond: number | undefined;
  /** 16 random octets that DNS cookies are made with. */
  readonly cookieSecret: Uint8Array;
  readonly logsQueries: boolean;
  readonly now: () => Date;
  readonly logger: Log;
  readonly counts: Pick<QueryCounts, "observe">;
}

/** Makes the function that answers messages, counts them and logs errors. */
export function createRespond({
  zones,
  isComplete,
  lookUpAddresses,
  transfers,
  passOn,
  responsesPerSecond,
  cookieSecret,
  logsQueries,
  now,
  logger,
  counts,
}: RespondOptions): Respond {
  const nowMs = (): number => now().getTime();
  const responder = new Responder({
    zones,
    isComplete,
    outside: new OutsideTargets(lookUpAddresses, nowMs),
    transfers,
    passOn,
    cookieSecret,
    rateLimit: responsesPerSecond === undefined ? undefined : new ResponseRateLimit(responsesPerSecond),
    nowMs,
    observe: (outcome) => {
      counts.observe(outcome);
      if (logsQueries) logger.info(logged(outcome), "DNS query");
    },
  });
  const failed = (error: unknown): undefined => {
    logger.error({ err: error }, "a DNS query could not be answered");
  };
  return (query) => {
    try {
      const answer = responder.respond(query);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  };
}

function logged({ address, transport, question, rcode }: Outcome): object {
  const { name, type } = question ?? {};
  return {
    address,
    transport,
    name,
    type: type === undefined ? undefined : typeName(type),
    code: rcodeName(rcode),
  };
}
