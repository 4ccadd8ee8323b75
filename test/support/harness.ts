import { createHash, randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { pino } from "pino";

import { startApp, type App } from "../../src/server/app.ts";
import type { Environment } from "../../src/process/environment.ts";
import { locationOf } from "../../src/process/open-store.ts";
import { readConfig } from "../../src/config/config.ts";
import type { Config } from "../../src/config/settings.ts";
import type { Database, DatabaseLocation } from "../../src/storage/database.ts";
import { storeFileName } from "../../src/storage/data-directory.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { recordStatements } from "./compared-engines.ts";
import { migratedTemplate, TestDatabases } from "./postgres.ts";
import { isWhole } from "./rounds.ts";

export type OneEngine = "sqlite" | "postgres";
/** `compared` is SQLite, whose statements are repeated on PostgreSQL at the end of the test. */
export type Engine = OneEngine | "compared";

export const ownerEmail = "owner@example.com";
export const ownerKey = "0123456789abcdef0123456789abcdef01234";
export const ownerToken = "owner-token-of-the-tests-0123456789abcdef";

export const byKey = { "x-auth-email": ownerEmail, "x-auth-key": ownerKey };
export const byToken = { authorization: `Bearer ${ownerToken}` };

/** The time at which every test begins. */
export const startOfTime = new Date("2026-01-02T03:04:05.678Z");

const engines = ["sqlite", "postgres"] as const;

/** Declares the same tests for both engines. */
export function onEachEngine(title: string, declare: (engine: OneEngine) => void): void {
  for (const engine of engines) describe(`${title} (${engine})`, () => declare(engine));
}

/**
 * Declares tests for both engines whose subject is not the store: they run on SQLite, and each of their statements is
 * repeated on PostgreSQL, where it must answer the same.
 */
export function onComparedEngines(title: string, declare: (engine: Engine) => void): void {
  if (isWhole) onEachEngine(title, declare);
  else describe(`${title} (engines compared)`, () => declare("compared"));
}

/** Declares a test of a race, which each engine decides in its own way. */
export function testOnEachEngine(
  title: string,
  work: (t: TestContext, engine: OneEngine) => Promise<void>,
): void {
  for (const engine of engines) test(`${title} (${engine})`, (t) => work(t, engine));
}

/** Any answer of the API; what it holds is for the test to say. */
export interface Envelope {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  readonly result: any;
  readonly success: boolean;
  readonly errors: readonly {
    readonly code: number;
    readonly message: string;
    readonly source?: { readonly pointer: string };
    readonly error_chain?: readonly { readonly code: number; readonly message: string }[];
  }[];
  readonly messages: readonly { readonly code: number; readonly message: string }[];
  readonly result_info?: {
    readonly page: number;
    readonly per_page: number;
    readonly count: number;
    readonly total_count: number;
    readonly total_pages: number;
  };
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Envelope;
}

export interface RequestOptions {
  readonly headers?: Record<string, string>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly rawBody?: string;
}

export interface TestApp extends App {
  /** Sends a request as the owner unless `headers` say who else; `path` is below the base path. */
  request(method: string, path: string, options?: RequestOptions): Promise<TestAnswer>;
  /** Makes a zone and answers its id. */
  createZone(name: string): Promise<string>;
  /** Moves the clock on. */
  advance(milliseconds: number): void;
  /** Stops the server and starts another one on the same store. */
  restart(changed?: Partial<Config>): Promise<void>;
  /** Its store, opened once more as another process would, as long as the server runs. */
  storeBeside(): Promise<Database>;
  readonly config: Config;
}

type Rounds = Pick<
  Environment,
  | "lockWaitMs"
  | "connectionWaitMs"
  | "silenceMsMax"
  | "activationRoundMs"
  | "dnssecRoundMs"
  | "lookUpMs"
  | "dnsWorkerProgram"
  | "edgeWorkerProgram"
  | "taskWorkerProgram"
  | "originConnectMs"
  | "auditLogRoundMs"
  | "securityEventRoundMs"
  | "issuanceRoundMs"
  | "sessionRoundMs"
  | "coreRulesRoundMs"
  | "unreadMsMax"
  | "anonymousBodyMsMax"
  | "dashboardDirectory"
>;

export interface TestEnvironment extends Rounds {
  /** The time of the fixed clock; `startOfTime` unless a program without it judges what is made. */
  readonly startedOn?: Date;
  /** Gets each line of the log. */
  readonly logTo?: (line: string) => void;
}

/** A server of its own with an empty store, a fixed clock and ids that come in a fixed order. */
export async function startTestApp(
  t: TestContext,
  engine: Engine,
  settings: Partial<Config> = {},
  { startedOn = startOfTime, logTo, ...environment }: TestEnvironment = {},
): Promise<TestApp> {
  const directory = makeDirectory();
  const { config: defaults } = await readConfig([], {});
  const database =
    engine === "postgres" && settings.database === undefined
      ? await postgresDatabases().create(migratedTemplate)
      : undefined;
  const config: Config = {
    ...defaults,
    port: 0,
    data: directory,
    ...(engine === "postgres" && {
      database,
      secret_key_file: newSecretKeyFile(directory),
    }),
    owner_email: ownerEmail,
    owner_key: ownerKey,
    owner_token: ownerToken,
    ...settings,
  };
  const file = join(directory, storeFileName);
  if (engine !== "postgres" && config.data === directory && !config.ephemeral) copySqliteTemplate(file);
  const compare = engine === "compared" ? recordStatements(file) : undefined;
  const clock = { now: startedOn.getTime() };
  let ids = 0;
  const start = (changed: Partial<Config> = {}): Promise<App> =>
    startApp(
      { ...config, ...changed },
      {
        connectionWaitMs,
        ...bundledWorkers(),
        ...environment,
        logger: logTo === undefined ? pino({ level: "silent" }) : pino({}, { write: logTo }),
        now: () => new Date(clock.now),
        newId: () =>
          createHash("md5")
            .update(`id ${(ids += 1)}`)
            .digest("hex"),
      },
    );

  const remove = async (): Promise<void> => {
    rmSync(directory, { recursive: true, force: true });
    if (database !== undefined) await postgresDatabases().drop(database);
  };
  // Some tests show that it does not start.
  let app = await start().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  let beside: Promise<Database> | undefined;
  const close = async (): Promise<void> => {
    const opened = await beside;
    beside = undefined;
    await opened?.close();
    await app.close();
  };
  t.after(async () => {
    await close();
    await remove();
    await compare?.();
  });

  const request: TestApp["request"] = (method, path, options) =>
    sendRequest(app.baseUrl, method, path, options);

  return {
    get baseUrl() {
      return app.baseUrl;
    },
    get gatewayUrl() {
      return app.gatewayUrl;
    },
    get dnsAddresses() {
      return app.dnsAddresses;
    },
    get edgeHttpAddresses() {
      return app.edgeHttpAddresses;
    },
    get edgeHttpsAddresses() {
      return app.edgeHttpsAddresses;
    },
    get edgeJudgeAddresses() {
      return app.edgeJudgeAddresses;
    },
    get developmentNetworks() {
      return app.developmentNetworks;
    },
    get owner() {
      return app.owner;
    },
    get dashboardUrl() {
      return app.dashboardUrl;
    },
    get signInLink() {
      return app.signInLink;
    },
    get authorityFile() {
      return app.authorityFile;
    },
    close,
    config,
    request,
    createZone: async (name) =>
      (await request("POST", "/zones", { body: { name } })).body.result.id as string,
    advance: (milliseconds) => {
      clock.now += milliseconds;
    },
    restart: async (changed) => {
      await close();
      app = await start(changed);
    },
    storeBeside: () => (beside ??= openDatabase(locationOf(config), { connectionWaitMs })),
  };
}

/**
 * Threads load the bundle of the tests, where there is one, in a fraction of the time that they take to load the
 * sources.
 */
function bundledWorkers(): Pick<Environment, "dnsWorkerProgram" | "edgeWorkerProgram" | "taskWorkerProgram"> {
  const bundle = process.env["TEST_BUNDLE"];
  if (bundle === undefined) return {};
  const program = (name: string): URL => pathToFileURL(join(bundle, "dist", name));
  return {
    dnsWorkerProgram: program("dns.worker.js"),
    edgeWorkerProgram: program("edge.worker.js"),
    taskWorkerProgram: program("task.worker.js"),
  };
}

/** Sends a request to any server as the owner unless `headers` say who else. */
export async function sendRequest(
  baseUrl: string,
  method: string,
  path: string,
  { headers = byToken, body, rawBody }: RequestOptions = {},
): Promise<TestAnswer> {
  const sent = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(baseUrl + path, {
    method,
    headers: { ...(sent !== undefined && { "content-type": "application/json" }), ...headers },
    ...(sent !== undefined && { body: sent }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && text !== "";
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (isJson ? JSON.parse(text) : undefined) as Envelope,
  };
}

type LocationOnDisk = Exclude<DatabaseLocation, { engine: "memory" }>;

/** A place for a store that nobody has opened yet. */
export async function newLocation(t: TestContext, engine: OneEngine): Promise<LocationOnDisk> {
  return locationIn(newDirectory(t), engine);
}

async function locationIn(directory: string, engine: Engine, isMigrated = false): Promise<LocationOnDisk> {
  if (engine === "postgres") {
    return { engine, url: await postgresDatabases().create(isMigrated ? migratedTemplate : undefined) };
  }
  const file = join(directory, storeFileName);
  if (isMigrated) copySqliteTemplate(file);
  return { engine: "sqlite", file };
}

function comparisonOn(engine: Engine, location: LocationOnDisk): (() => Promise<void>) | undefined {
  return engine === "compared" && location.engine === "sqlite" ? recordStatements(location.file) : undefined;
}

async function dropDatabase(location: LocationOnDisk): Promise<void> {
  if (location.engine === "postgres") await postgresDatabases().drop(location.url);
}

/**
 * A copy is quicker than a migration for each test, on PostgreSQL too. Without a template, as in `test:browser`,
 * opening it migrates.
 */
function copySqliteTemplate(file: string): void {
  const template = process.env["TEST_SQLITE_TEMPLATE"];
  if (template !== undefined) copyFileSync(template, file);
}

/** An open store of its own, migrated and empty. */
export async function openTestDatabase(t: TestContext, engine: Engine): Promise<Database> {
  const location = await locationIn(newDirectory(t), engine, true);
  const compare = comparisonOn(engine, location);
  const db = await openDatabase(location, { connectionWaitMs });
  t.after(async () => {
    await db.close();
    await dropDatabase(location);
    await compare?.();
  });
  await db.migrate();
  return db;
}

/** One store for all tests of a `describe`, emptied of accounts before each. */
export function sharedDatabase(
  engine: Engine,
): Pick<Database, "read" | "transaction" | "exclusiveTransaction"> {
  const directory = makeDirectory();
  let location: LocationOnDisk | undefined;
  let open: Database | undefined;
  let compare: (() => Promise<void>) | undefined;
  const db = (): Database => {
    if (open === undefined) throw new Error("only inside a test");
    return open;
  };
  before(async () => {
    location = await locationIn(directory, engine, true);
    compare = comparisonOn(engine, location);
    open = await openDatabase(location, { connectionWaitMs });
    await open.migrate();
  });
  beforeEach(() => db().transaction((tx) => tx.deleteFrom("accounts").execute()));
  after(async () => {
    await open?.close();
    if (location !== undefined) await dropDatabase(location);
    rmSync(directory, { recursive: true, force: true });
    await compare?.();
  });
  return {
    get read() {
      return db().read;
    },
    transaction: (work) => db().transaction(work),
    exclusiveTransaction: (work) => db().exclusiveTransaction(work),
  };
}

function makeDirectory(): string {
  return mkdtempSync(join(process.env["TEST_DIRECTORIES"] ?? tmpdir(), "zoneward-test-"));
}

/** A directory that is gone after the test. */
export function newDirectory(t: TestContext): string {
  const directory = makeDirectory();
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A machine with much other work takes its time. */
const untilSecondsMax = 120;
/**
 * Seconds for effects that are promised within a second, which `storage/changes-elsewhere.test.ts` holds, and the
 * delays of such a machine.
 */
export const soonSecondsMax = 15;

/** For those that wait for one of the connections to PostgreSQL. */
export const connectionWaitMs = untilSecondsMax * 1_000;

/** Asks again until `condition` holds, for two minutes at most unless said otherwise. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  secondsMax = untilSecondsMax,
): Promise<void> {
  const deadline = performance.now() + secondsMax * 1_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${secondsMax} seconds: ${what}`);
    await delay(10);
  }
}

/** A file of a fresh secret key. */
export function newSecretKeyFile(directory: string): string {
  const file = join(directory, "key-of-the-operator");
  writeFileSync(file, randomBytes(32).toString("base64"));
  return file;
}

let databases: TestDatabases | undefined;

/** On the one PostgreSQL server of all tests. */
function postgresDatabases(): TestDatabases {
  const server = process.env["TEST_POSTGRES_URL"];
  if (server === undefined) throw new Error("run the tests with `npm test`: it starts PostgreSQL for them");
  return (databases ??= new TestDatabases(server));
}
