import type { Context } from "../operation/context.ts";
import {
  createPasswordGuard,
  pruneSessions,
  saveSessionUse,
  type SessionContext,
} from "../resources/sessions/sessions.ts";
import { wrongPasswordLimitOf } from "../config/limit-settings.ts";
import { passkeySiteOf } from "../config/passkey-site.ts";
import { type Config } from "../config/settings.ts";
import type { Timers } from "../process/timer.ts";

type Sessions = Pick<SessionContext, "passwordGuard" | "sessionTerms" | "sessionUse" | "twoFactor">;

export interface BrowserSessions {
  readonly sessions: Sessions;
  /** Stores when sessions were last used. */
  readonly save: () => Promise<void>;
  /** Ends the timer and stores once more when sessions were last used. */
  readonly stop: () => Promise<void>;
}

/** Starts the timer of browser sessions, a round every `roundMs`. */
export function startBrowserSessions(
  context: Context,
  config: Config,
  timers: Timers,
  roundMs: number,
): BrowserSessions {
  const sessions: Sessions = {
    passwordGuard: createPasswordGuard(wrongPasswordLimitOf(config), context.now),
    sessionTerms: {
      idleMs: config.session_idle_minutes * 60_000,
      lifetimeMs: config.session_hours * 3_600_000,
    },
    sessionUse: new Map(),
    twoFactor: { isRequired: config.two_factor === "required", passkeySite: passkeySiteOf(config) },
  };
  const save = () => saveSessionUse(context, sessions.sessionUse);
  const prune = () => pruneSessions(context, sessions.sessionTerms);
  const round = async (): Promise<void> => {
    await save();
    await context.db.runAlone("sessions", prune);
  };
  const timer = timers.repeat("sessions", roundMs, round);
  return {
    sessions,
    save,
    stop: async () => {
      await timer.stop();
      await save();
    },
  };
}
