import { existsSync } from "node:fs";

import { readConfig } from "../config/config.ts";
import { createSecrets, locationOf, nameOf, explainFailure } from "../process/open-store.ts";
import type { Config } from "../config/settings.ts";
import { checkStore } from "../storage/check.ts";
import { toTimestamp } from "../storage/columns.ts";
import { copyStore } from "../storage/copy.ts";
import type { Database, DatabaseLocation } from "../storage/database.ts";
import { isTableOfStores } from "../storage/migrations.ts";
import { openDatabase } from "../storage/open-database.ts";
import { backUpSqlite, restoreSqlite } from "../storage/sqlite-backup.ts";
import { readCommand, runToEnd, UsageError, unknownCommand } from "./command-line.ts";
import { withProgress } from "./progress.ts";

/** `zoneward database`: moves, saves and checks a store on the host, also while a server runs on it. */
export async function database(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command = "", ...rest] = args;
  return runToEnd(async () => {
    switch (command) {
      case "copy":
        return copy(rest);
      case "backup":
        return backUp(rest, env);
      case "restore":
        return restore(rest, env);
      case "check":
        return check(rest, env);
      default:
        throw unknownCommand("database", command);
    }
  });
}

async function copy(args: readonly string[]): Promise<void> {
  const { values, settings } = readCommand(args, { flags: ["from", "to"] });
  if (settings.length > 0) throw new UsageError(`${settings[0]}: unknown flag`);
  if (values.from !== undefined && values.from === values.to) {
    throw new UsageError("--to: is the same store as --from");
  }
  const [source, target] = [readLocation("from", values.from), readLocation("to", values.to)];
  await withStore(source, async (from) => {
    if (!(await isStore(from))) throw new Error(`${nameOf(source)} holds no store`);
    await from.migrate();
    await withStore(target, async (to) => {
      await to.migrate();
      const copied = await withProgress((progress) =>
        copyStore(from, to, {
          startedOn: toTimestamp(new Date()),
          tell: ({ rowsDone, rowsTotal, table }) => progress.show(rowsDone, rowsTotal, `rows, ${table}`),
        }),
      );
      const rows = copied.filter((table) => table.rows > 0);
      process.stdout.write(
        rows
          .map((each) => `${each.table.padEnd(24)} ${String(each.rows).padStart(9)}  ${each.checksum}\n`)
          .join(""),
      );
    });
  });
  process.stderr.write(
    `All rows are in ${nameOf(target)}, verified by number and checksum. Private keys stay encrypted: servers there need the source's secret key.\n`,
  );
}

async function backUp(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { positionals, settings } = readCommand(args, { positionalsMax: 1 });
  const file = fileOf("backup", positionals);
  const store = sqliteFileOf((await readConfig(settings, env)).config, "pg_dump");
  refuseMissing(store);
  await explainFailure(`backing up ${store}`, () => backUpSqlite(store, file));
  process.stderr.write(`Backed up ${store} to ${file}. Keep the secret key too, in another place.\n`);
}

async function restore(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { switched, positionals, settings } = readCommand(args, {
    switches: ["replace"],
    positionalsMax: 1,
  });
  const file = fileOf("restore", positionals);
  const store = sqliteFileOf((await readConfig(settings, env)).config, "pg_restore");
  const { keptAs } = await explainFailure(`restoring ${file}`, () =>
    restoreSqlite(file, store, switched.replace),
  );
  const kept = keptAs === undefined ? "" : ` The previous store is kept as ${keptAs}.`;
  process.stderr.write(`Restored ${file} to ${store}.${kept}\n`);
}

async function check(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { config } = await readConfig(args, env);
  const location = locationOf(config);
  if (location.engine === "sqlite") refuseMissing(location.file);
  if (location.engine === "memory")
    throw new UsageError("--ephemeral: only the server itself can use a store in memory");
  let issues = 0;
  await explainFailure(`checking ${nameOf(location)}`, () =>
    withStore(location, async (db) => {
      if (!(await isStore(db))) throw new Error("there is no store in it");
      for (const finding of await checkStore(db, createSecrets(config).open)) {
        issues += finding.issues.length;
        process.stdout.write(
          `${finding.what.padEnd(24)} ${finding.issues.length === 0 ? "ok" : "damaged"}\n`,
        );
        process.stdout.write(finding.issues.map((issue) => `  ${issue}\n`).join(""));
      }
    }),
  );
  if (issues > 0) throw new Error(`${nameOf(location)} has problems`);
}

function fileOf(command: string, [file]: readonly string[]): string {
  if (file === undefined) throw new UsageError(`database ${command} needs a file`);
  return file;
}

function sqliteFileOf(config: Config, instead: string): string {
  const location = locationOf(config);
  if (location.engine === "sqlite") return location.file;
  if (location.engine === "postgres") throw new UsageError(`use PostgreSQL's own ${instead} for that`);
  throw new UsageError("--ephemeral: only the server itself can use a store in memory");
}

/** Reads `sqlite:FILE` or the URL of a PostgreSQL database. */
function readLocation(
  flag: "from" | "to",
  text: string | undefined,
): Exclude<DatabaseLocation, { engine: "memory" }> {
  if (text === undefined) throw new UsageError(`--${flag}: is required`);
  const [, file] = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(text) ?? [];
  if (file !== undefined) {
    if (flag === "from") refuseMissing(file);
    return { engine: "sqlite", file };
  }
  if (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)) return { engine: "postgres", url: text };
  throw new UsageError(`--${flag}: must be sqlite:FILE or postgres://user:password@host:port/name`);
}

function refuseMissing(file: string): void {
  if (!existsSync(file)) throw new Error(`there is no store at ${file}`);
}

async function isStore({ read }: Database): Promise<boolean> {
  const tables = await read.introspection.getTables({ withInternalKyselyTables: true });
  return tables.some(({ name }) => isTableOfStores(name));
}

async function withStore(location: DatabaseLocation, work: (db: Database) => Promise<void>): Promise<void> {
  const db = await explainFailure(`opening ${nameOf(location)}`, () => openDatabase(location));
  try {
    await work(db);
  } finally {
    await db.close();
  }
}
