import type { DnsResolver } from "../network/dns-resolver.ts";
import { pruneAuditLogs } from "../resources/audit-logs/audit-logs.ts";
import { advanceDnssec } from "../resources/dnssec/renewal.ts";
import { pruneSecurityEvents } from "../resources/security-events/retention.ts";
import { saveTokenUse, type TokenUse } from "../resources/tokens/tokens.ts";
import { advanceZones, nextActivationCheck } from "../resources/zones/activation.ts";
import type { ZoneContext } from "../resources/zones/zones.ts";
import type { Config } from "../config/settings.ts";
import type { NextDue, Timer, Timers } from "../process/timer.ts";

const tokenUseRoundMs = 10_000;

interface TimedWork {
  readonly config: Config;
  readonly timers: Timers;
  readonly roundsMs: {
    readonly activationRoundMs: number;
    readonly dnssecRoundMs: number;
    readonly auditLogRoundMs: number;
    readonly securityEventRoundMs: number;
  };
  /** Its look-ups are cut short when the timer that makes them stops. */
  readonly resolver: Pick<DnsResolver, "close">;
  readonly tokenUse: TokenUse;
}

/** Starts the timers of zones, tokens and logs; all of them stop with `opened`. */
export function startTimers(
  opened: AsyncDisposableStack,
  context: ZoneContext,
  { config, timers, roundsMs, resolver, tokenUse }: TimedWork,
): void {
  const { activationRoundMs, dnssecRoundMs, auditLogRoundMs, securityEventRoundMs } = roundsMs;
  const onOneInstance = (task: string, ms: number, round: () => Promise<void>, nextDue?: NextDue): Timer =>
    timers.repeat(task, ms, () => context.db.runAlone(task, round), nextDue);

  const activationTimer = onOneInstance(
    "activation",
    activationRoundMs,
    () => advanceZones(context),
    () => nextActivationCheck(context),
  );
  opened.defer(() => {
    const stopped = activationTimer.stop();
    resolver.close();
    return stopped;
  });
  const dnssecTimer = onOneInstance("DNSSEC", dnssecRoundMs, () => advanceDnssec(context));
  opened.defer(dnssecTimer.stop);
  const tokenUseTimer = timers.repeat("token use", tokenUseRoundMs, () => saveTokenUse(context, tokenUse));
  opened.defer(async () => {
    await tokenUseTimer.stop();
    await saveTokenUse(context, tokenUse);
  });
  const auditLogTimer = onOneInstance("audit log", auditLogRoundMs, () =>
    pruneAuditLogs(context, config.audit_log_days),
  );
  opened.defer(auditLogTimer.stop);
  const retention = { days: config.security_event_days, eventsMax: config.security_events_max };
  const securityEventTimer = onOneInstance("security events", securityEventRoundMs, () =>
    pruneSecurityEvents(context, retention),
  );
  opened.defer(securityEventTimer.stop);
}
