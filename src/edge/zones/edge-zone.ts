import type { ActiveZone } from "../../core/dns/names/name-authority.ts";
import type { JudgingZone, RunningRules } from "../../core/judging/judge-request.ts";
import type { EdgeSettings } from "./edge-settings.ts";
import type { ZoneCertificates } from "./zone-certificates.ts";
import type { ZoneNames } from "./zone-names.ts";

/** What an edge knows of an active zone. Immutable: a change of the zone makes a new one. */
export interface EdgeZone extends ActiveZone {
  /** Whether its requests go to the origin without any rule being evaluated. */
  readonly isPaused: boolean;
  readonly settings: EdgeSettings;
  readonly names: ZoneNames;
  readonly certificates: ZoneCertificates;
  readonly judging: JudgingZone;
  /** Whether any rule reads the body of a request. */
  readonly readsBodies: boolean;
  /** Whether any rule reads it again once the origin has answered. */
  readonly readsBodiesAgain: boolean;
}

/** A zone whose rules are ready to run. */
export interface ReadyZone extends EdgeZone {
  readonly rules: RunningRules;
}

/** A zone that stays ready until `release`, which each holder must call once. */
export interface HeldZone {
  readonly zone: ReadyZone;
  readonly release: () => void;
}

/** The zones that are served. */
export interface EdgeZones {
  /**
   * The zone that answers for a name: the one that most closely encloses it, unless a zone of another account above has it. Undefined
   * too while one of these is unread.
   */
  readonly enclosing: (hostname: string) => EdgeZone | undefined;
  /** The zone that answers for a name, also an unread one. */
  readonly named: (hostname: string) => Pick<EdgeZone, "id" | "accountId"> | undefined;
  /** Zones that are known by their names alone, as an edge that has many listens before it has read all of them. */
  readonly unreadSize: number;
  /** Whether a zone is unread that may answer for a name. */
  readonly isUnread: (hostname: string) => boolean;
  /** Reads that zone, if it is. Resolves to whether it could be read; never rejects. */
  readonly readUnread: (hostname: string) => Promise<boolean> | undefined;
  /**
   * Keeps the rules of a zone ready for a request. Returns a promise if they have to be made ready first; where that is not
   * possible, their evaluation fails.
   */
  readonly hold: (zone: EdgeZone) => HeldZone | Promise<HeldZone>;
}
