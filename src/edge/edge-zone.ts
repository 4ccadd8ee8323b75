import type { JudgingZone, RunningRules } from "../core/rulesets/judge-request.ts";
import type { EdgeSettings } from "./edge-settings.ts";
import type { ZoneCertificates } from "./zone-certificates.ts";
import type { ZoneNames } from "./zone-names.ts";

/** What an edge knows of an active zone. It never changes; a change of the zone makes another one. */
export interface EdgeZone {
  readonly id: string;
  readonly accountId: string;
  /** ASCII, lower case. */
  readonly name: string;
  /** Its requests go to the origin without being judged. */
  readonly isPaused: boolean;
  readonly settings: EdgeSettings;
  readonly names: ZoneNames;
  readonly certificates: ZoneCertificates;
  readonly judging: JudgingZone;
  readonly rules: RunningRules;
  /** Whether any rule reads the body of a request. */
  readonly readsBodies: boolean;
}

/** The zones that are served. */
export interface EdgeZones {
  /** The zone that most closely encloses a name. */
  readonly enclosing: (hostname: string) => EdgeZone | undefined;
  /** Keeps the rules of a zone ready while a request needs them; the result must be called once. */
  readonly hold: (zone: EdgeZone) => () => void;
}
