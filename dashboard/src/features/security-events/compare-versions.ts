import { outcomeOf } from "../../components/event-buckets.ts";
import type { SecurityEvent } from "./event-queries.ts";

/**
 * The effects of both versions of the managed rules on one request; undefined where a version let it pass unnoted.
 */
export interface ComparedRequest {
  readonly rayName: string;
  readonly new: SecurityEvent | undefined;
  readonly previous: SecurityEvent | undefined;
}

interface Comparison {
  /** The previous version blocks or challenges these, and the new one does neither. */
  readonly passedByNew: readonly ComparedRequest[];
  /** The new version blocks or challenges these, and the previous one does neither. */
  readonly stoppedByNew: readonly ComparedRequest[];
  /** Both block or challenge these. */
  readonly stoppedByBoth: readonly ComparedRequest[];
}

const isStop = (event: SecurityEvent | undefined): boolean =>
  event !== undefined && ["block", "challenge"].includes(outcomeOf(event.action));

/** The requests in which both versions differ or agree, by their events. */
export function compareVersions(events: readonly SecurityEvent[]): Comparison {
  const byRay = Map.groupBy(events, ({ rayName }) => rayName);
  const requests = [...byRay].map(([rayName, own]): ComparedRequest => {
    const by = (source: string): SecurityEvent | undefined => {
      const found = own.filter((event) => event.source === source);
      return found.find(isStop) ?? found[0];
    };
    return { rayName, new: by("firewallManaged"), previous: by("waf") };
  });
  return {
    passedByNew: requests.filter((one) => isStop(one.previous) && !isStop(one.new)),
    stoppedByNew: requests.filter((one) => isStop(one.new) && !isStop(one.previous)),
    stoppedByBoth: requests.filter((one) => isStop(one.new) && isStop(one.previous)),
  };
}
