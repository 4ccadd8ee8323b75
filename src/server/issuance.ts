import type { Logger } from "pino";

import { zoneSettingsOf } from "../planes/dns/open-name-server.ts";
import { secretKeySourceOf } from "../process/open-store.ts";
import { createAcmeIssuer } from "../resources/certificate-packs/acme-issuer.ts";
import {
  advanceCertificatePacks,
  nextIssuanceStep,
  type TakeIssuanceStep,
} from "../resources/certificate-packs/renewal.ts";
import { type AuthorityContext, createLocalIssuer } from "../resources/certificate-packs/local-issuer.ts";
import { issuingForOwnHosts } from "../resources/certificate-packs/hosts.ts";
import { followTotalTls } from "../resources/certificate-packs/total-tls.ts";
import type { DnsContext } from "../resources/dns-records/dns-records.ts";
import { createSecretBox, type SecretBox } from "../secrets/secret-box.ts";
import { createKeyPair, reuseRsaKeys } from "../tls/local-ca.ts";
import { issuanceDelayMsOf, type Config } from "../config/settings.ts";
import type { Timer, Timers } from "../process/timer.ts";

/** Issues certificates outside of requests, and encrypts their stored keys. */
export interface Issuance {
  readonly secretBox: SecretBox;
  readonly timer: Timer;
}

/** With the test controls, whose clock may pass years of renewals. */
const testKeysMax = 8;

interface IssuanceTiming {
  readonly logger: Logger;
  readonly timers: Timers;
  readonly roundMs: number;
}

/** Starts issuing as the settings say, a round every `roundMs`. */
export function startIssuance(
  context: DnsContext,
  config: Config,
  { logger, timers, roundMs }: IssuanceTiming,
): Issuance {
  const source = secretKeySourceOf(config);
  if (source.kind === "none") {
    logger.warn("no certificate can be issued or stored: beside PostgreSQL `secret_key_file` has to be set");
  }
  const secretBox = createSecretBox(source);
  const settings = zoneSettingsOf(config);
  const issuance = {
    ...context,
    settings,
    secretBox,
    createKeyPair: config.test_controls ? reuseRsaKeys(testKeysMax) : createKeyPair,
    takeIssuanceStep: issuingForOwnHosts(
      { ...context, settings },
      createIssuer({ ...context, secretBox }, config),
    ),
  };
  const round = () =>
    context.db.runAlone("issuance", async () => {
      try {
        await followTotalTls({ ...context, settings, issuanceDelayMs: issuanceDelayMsOf(config) });
      } finally {
        await advanceCertificatePacks(issuance);
      }
    });
  const nextDue = () => nextIssuanceStep(context);
  return { secretBox, timer: timers.repeat("issuance", roundMs, round, nextDue) };
}

function createIssuer(context: AuthorityContext & DnsContext, config: Config): TakeIssuanceStep {
  if (config.certificate_issuer === "local") return createLocalIssuer(context);
  return createAcmeIssuer({
    ...context,
    acme: {
      directoryUrl: config.acme_directory ?? "",
      email: config.acme_email,
      propagationMs: config.acme_propagation_seconds * 1_000,
    },
  });
}
