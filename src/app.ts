import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { join } from "node:path";

import type { Logger } from "pino";

import { AppError } from "./core/error.ts";
import { createDnsResolver } from "./dns-resolver.ts";
import { prepareStore } from "./first-run.ts";
import { trackConnections } from "./http/connections.ts";
import { createServer } from "./http/server.ts";
import { newId, newUuidV7 } from "./ids.ts";

import { createAuthenticator } from "./resources/authentication/authentication.ts";
import { createAuthorizer } from "./resources/authorization/authorization.ts";
import { createAcmeIssuer } from "./resources/certificate-packs/acme-issuer.ts";
import { advanceCertificatePacks, type IssuanceContext } from "./resources/certificate-packs/advance.ts";
import { addUniversalPack } from "./resources/certificate-packs/certificate-packs.ts";
import type { AuthorityContext } from "./resources/certificate-packs/authority.ts";
import type { TakeIssuanceStep } from "./resources/certificate-packs/issuer.ts";
import { createLocalIssuer } from "./resources/certificate-packs/local-issuer.ts";
import type { Context } from "./resources/context.ts";
import { saveTokenUse, type TokenContext } from "./resources/tokens/tokens.ts";
import type { Owner } from "./resources/users/users.ts";
import { refuseHeldName } from "./resources/zone-holds/zone-holds.ts";
import { advanceZones } from "./resources/zones/activation.ts";
import type { ZoneContext } from "./resources/zones/zones.ts";
import { mountedRoutes } from "./routes.ts";
import { createSecretBox, SecretKeyError, secretKeyNotice, type SecretKeySource } from "./secret-box.ts";
import type { Config } from "./settings.ts";
import { openDatabase, type DatabaseLocation } from "./storage/database.ts";
import { asUnavailable } from "./storage/errors.ts";
import { openTlsIdentity } from "./tls/identity.ts";
import { repeat } from "./timer.ts";
import { version } from "./version.ts";

/** A running server. */
export interface App {
  /** Base URL of the API, `http://127.0.0.1:8787/client/v4`. */
  readonly baseUrl: string;
  readonly owner: Owner;
  /** Path of the certificate that clients have to trust; undefined without a local CA. */
  readonly authorityFile: string | undefined;
  /** Finishes the requests in flight, makes them durable and stops. */
  readonly close: () => Promise<void>;
}

/** What a test fixes. */
export interface Environment {
  readonly logger: Logger;
  readonly now?: () => Date;
  readonly newId?: () => string;
  /** How long a write waits for another process that holds the SQLite file. */
  readonly lockWaitMs?: number;
  /** Between two rounds of looking up who serves the zones. */
  readonly activationRoundMs?: number;
  /** Between two rounds of issuing certificates. */
  readonly issuanceRoundMs?: number;
}

const basePath = "/client/v4";
const activationRoundMsDefault = 5_000;
const issuanceRoundMsDefault = 5_000;
const tokenUseRoundMs = 10_000;

/** Opens the store, mounts the rooms and listens. The only place where they are put together. */
export async function startApp(config: Config, environment: Environment): Promise<App> {
  const {
    logger,
    now = () => new Date(),
    activationRoundMs = activationRoundMsDefault,
    issuanceRoundMs = issuanceRoundMsDefault,
  } = environment;
  const opened = new AsyncDisposableStack();
  try {
    const tls = await openTlsIdentity(config, now());
    opened.defer(() => tls?.discard());
    const location = locationOf(config);
    const db = await orSay(`opening ${nameOf(location)}`, async () => {
      const store = await openDatabase(location, environment.lockWaitMs);
      opened.defer(() => store.close());
      await store.migrate();
      return store;
    });
    const context: Context = {
      db,
      now,
      newId: environment.newId ?? (() => newId(now())),
      newAuditLogId: () => newUuidV7(now()),
    };
    const secretKeySource = secretKeySourceOf(config);
    if (secretKeySource.kind === "none") {
      logger.warn(
        "no certificate can be issued or stored: beside PostgreSQL `secret_key_file` has to be set",
      );
    }
    const secretBox = createSecretBox(secretKeySource);
    const issuance: IssuanceContext = {
      ...context,
      secretBox,
      takeIssuanceStep: createIssuer({ ...context, secretBox }, config),
    };
    const issuanceTimer = repeat(issuanceRoundMs, () => advanceCertificatePacks(issuance), logger);
    opened.defer(issuanceTimer.stop);
    const resolver = createDnsResolver(config.resolvers);
    const zoneContext: ZoneContext = {
      ...context,
      settings: {
        vendor: config.vendor,
        nameServers: config.name_servers,
        defaultPlan: config.default_plan,
        activation: config.activation,
      },
      delegation: resolver.delegation,
      refuseHeldName: (tx, name, accountId) => refuseHeldName(context, tx, name, accountId),
      zoneActivated: (tx, zone) => addUniversalPack(context, tx, zone),
      afterActivation: issuanceTimer.wake,
    };
    const owner = await prepareStore(
      { ...zoneContext, certificatePackQuota: config.certificate_pack_quota },
      config,
      logger,
    );
    const tokenUse = new Map<string, Date>();
    const { authenticate, forgetCallers } = createAuthenticator({
      db,
      now,
      tokenUsed: (tokenId) => void tokenUse.set(tokenId, now()),
    });
    const tokenContext: TokenContext = {
      ...context,
      tokenSettings: {
        vendor: config.vendor,
        userTokenQuota: config.user_token_quota,
        accountTokenQuota: config.account_token_quota,
      },
      forgetCallers,
    };
    const server = createServer({
      basePath,
      version: version(),
      routes: mountedRoutes({
        ...zoneContext,
        ...tokenContext,
        secretBox,
        certificateIssuer: config.certificate_issuer,
        certificatePackQuota: config.certificate_pack_quota,
        wakeIssuance: issuanceTimer.wake,
        lookUpRecords: resolver.lookUpRecords,
        edgeAddresses: config.edge_addresses,
      }),
      authenticate,
      authorize: createAuthorizer(db, config.vendor),
      newAuditLogId: context.newAuditLogId,
      asUnavailable: (error) => asUnavailable(error) ?? withoutSecretKey(error),
      ping: db.ping,
      trustedProxies: config.trusted_proxies,
      tls,
      logger,
    });
    const activationTimer = repeat(activationRoundMs, () => advanceZones(zoneContext), logger);
    opened.defer(() => {
      const stopped = activationTimer.stop();
      resolver.close();
      return stopped;
    });
    const tokenUseTimer = repeat(tokenUseRoundMs, () => saveTokenUse(context, tokenUse), logger);
    opened.defer(async () => {
      await tokenUseTimer.stop();
      await saveTokenUse(context, tokenUse);
    });
    const finishRequests = trackConnections(server.server);
    opened.defer(() => finishRequests(() => server.close()));
    const address = await orSay(`listening on ${config.host}, port ${config.port}`, async () => {
      // Given `localhost`, Fastify would listen on more addresses, and not wait for their requests at the end.
      const { address: host } = await lookup(config.host, { order: "ipv4first" });
      return server.listen({ host, port: config.port });
    });
    // What was cut short by the end of an earlier process goes on at once.
    issuanceTimer.wake();

    return {
      baseUrl: publicAddress(address, config.host) + basePath,
      owner,
      authorityFile: tls?.authorityFile,
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** The address with the host's name where it was given by name: certificates are issued to names. */
function publicAddress(address: string, host: string): string {
  const url = new URL(address);
  if (isIP(host) === 0) url.hostname = host;
  return url.origin;
}

/** Where the settings say that the store is. */
function locationOf(config: Config): DatabaseLocation {
  if (config.ephemeral) return { engine: "memory" };
  if (config.database !== undefined) return { engine: "postgres", url: config.database };
  return { engine: "sqlite", file: join(config.data, "zoneward.sqlite") };
}

function createIssuer(context: AuthorityContext, config: Config): TakeIssuanceStep {
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

/** Several instances share a PostgreSQL database, and with it the key, which none of them can make for the others. */
function secretKeySourceOf({ secret_key_file: file, ephemeral, database, data }: Config): SecretKeySource {
  if (file !== undefined) return { kind: "file", file };
  if (ephemeral) return { kind: "memory" };
  return database === undefined ? { kind: "made", file: join(data, "secret.key") } : { kind: "none" };
}

/** 503 code 10504 where private keys cannot be kept or read. */
function withoutSecretKey(error: unknown): AppError | undefined {
  if (!(error instanceof SecretKeyError)) return undefined;
  return new AppError("unavailable", 10504, secretKeyNotice, { cause: error });
}

/** How the operator knows it; never with a password. */
function nameOf(location: DatabaseLocation): string {
  switch (location.engine) {
    case "memory":
      return "a database in memory";
    case "sqlite":
      return location.file;
    case "postgres":
      return `PostgreSQL at ${new URL(location.url).host || "a local socket"}`;
  }
}

/** Runs `work`; where the world outside is not as it should be, the error says what was tried, for the operator. */
async function orSay<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${what}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return "another program listens there";
  if (code === "EEXIST" || code === "ENOTDIR") return "its directory is not a directory";
  return error.message;
}
