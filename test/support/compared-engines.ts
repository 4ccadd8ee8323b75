import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

import type { QueryArrayResult } from "pg";

import { claimComparedDatabase, type ComparedClient } from "./postgres.ts";

type Value = string | number | null;
type Kind = "unique" | "foreign key" | "check" | "not null" | "other";

type Outcome =
  | { readonly rows: readonly (readonly Value[])[] }
  | { readonly changes: number }
  | { readonly failure: Kind };

interface Ran {
  readonly text: string;
  readonly columns: readonly string[];
  readonly parameters: readonly SQLInputValue[];
  readonly outcome: Outcome;
}

/** `undo` goes back to the last `mark`, and `next` is where an operation ends or another one begins. */
type Entry = Ran | "mark" | "undo" | "forget" | "next";

interface Recording {
  /** In the order in which a single connection would have run them. */
  readonly entries: Entry[];
  /** The committed ones that changed rows. */
  readonly changes: Ran[];
  /** Not committed yet: readers do not see it. */
  open: { readonly writer: DatabaseSync; readonly entries: Entry[] } | undefined;
}

/** By file. */
const recordings = new Map<string, Recording>();
/** Connections that see an older state. */
const onSnapshot = new WeakSet<DatabaseSync>();

/**
 * Records each statement of this process on a copy of the migrated store, whichever connection runs it. The answer
 * repeats all of them on PostgreSQL, in one transaction that is undone, and throws where a row, the number of changed
 * rows or the kind of an error differs.
 */
export function recordStatements(file: string): () => Promise<void> {
  const recording: Recording = { entries: [], changes: [], open: undefined };
  recordings.set(file, recording);
  return () => {
    recordings.delete(file);
    const compared = comparing.then(() => compare(recording.entries));
    comparing = compared.catch(() => undefined);
    return compared;
  };
}

/** The statements that have changed rows of a store so far; undefined where they are not recorded. */
export function recordedChanges(file: string): readonly Pick<Ran, "text" | "parameters">[] | undefined {
  return recordings.get(file)?.changes;
}

function changesAmong(entries: readonly Entry[]): Ran[] {
  const changes: Ran[] = [];
  const marks: number[] = [];
  for (const entry of entries) {
    if (entry === "mark") marks.push(changes.length);
    else if (entry === "undo") changes.length = marks.at(-1) ?? 0;
    else if (entry === "forget") marks.pop();
    else if (entry !== "next" && hasChanged(entry)) changes.push(entry);
  }
  return changes;
}

function hasChanged({ text, outcome }: Ran): boolean {
  if ("changes" in outcome) return outcome.changes > 0;
  return "rows" in outcome && outcome.rows.length > 0 && /\b(?:insert into|update|delete from)\b/.test(text);
}

let comparing: Promise<void> = Promise.resolve();

const { exec, prepare } = DatabaseSync.prototype;

DatabaseSync.prototype.exec = function (text) {
  exec.call(this, text);
  const recording = recordingOf(this);
  if (recording !== undefined) noteControl(recording, this, text);
};

DatabaseSync.prototype.prepare = function (text, options) {
  const statement = prepare.call(this, text, options);
  const recording = recordingOf(this);
  if (recording !== undefined) observe(recording, this, text, statement);
  return statement;
};

function recordingOf(database: DatabaseSync): Recording | undefined {
  return recordings.size === 0 ? undefined : recordings.get(database.location() ?? "");
}

function noteControl(recording: Recording, database: DatabaseSync, text: string): void {
  const { open } = recording;
  switch (text) {
    case "begin immediate":
      recording.open = { writer: database, entries: ["mark"] };
      break;
    case "commit":
      recording.entries.push(...(open?.entries ?? []), "forget");
      recording.changes.push(...changesAmong(open?.entries ?? []));
      recording.open = undefined;
      break;
    case "rollback":
      recording.entries.push(...(open?.entries ?? []), "undo", "forget");
      recording.open = undefined;
      break;
    case "savepoint operation":
      open?.entries.push("mark");
      break;
    case "rollback to operation":
      open?.entries.push("undo");
      break;
    case "release operation":
      open?.entries.push("forget");
      break;
    default:
      if (text.endsWith("; begin")) onSnapshot.add(database);
  }
}

/** Whether a statement is one of SQLite alone, or about migrations and their times. */
const isOwn = (text: string): boolean => /^\s*pragma|sqlite_schema|\bmigrations\b/.test(text);

function observe(recording: Recording, database: DatabaseSync, text: string, statement: StatementSync): void {
  const { all, run, get } = statement;
  if (text.includes("total_changes()")) {
    // The writer asks for them before and after each operation.
    statement.get = () => {
      recording.open?.entries.push("next");
      return get.apply(statement, [] as unknown as Parameters<typeof get>);
    };
    return;
  }
  if (text.endsWith(" operation")) {
    statement.run = () => {
      const result = run.apply(statement, [] as unknown as Parameters<typeof run>);
      noteControl(recording, database, text);
      return result;
    };
    return;
  }
  if (isOwn(text)) return;
  const described = statement.columns();
  const columns = described.map(({ name }) => name);
  const counted = described.filter(({ name }) => isCount(text, name)).map(({ name }) => name);
  const observed = <Answer>(
    parameters: readonly unknown[],
    work: () => Answer,
    outcomeOf: (answer: Answer) => Outcome,
  ): Answer => {
    const note = (outcome: Outcome): void => {
      if (onSnapshot.has(database)) return;
      const { open } = recording;
      const entries = open?.writer === database ? open.entries : recording.entries;
      entries.push({ text, columns, parameters: parameters as SQLInputValue[], outcome });
    };
    let answer: Answer;
    try {
      answer = work();
    } catch (error) {
      const kind = kindOnSqlite(error);
      if (kind !== undefined) note({ failure: kind });
      throw error;
    }
    note(outcomeOf(answer));
    return answer;
  };
  const rowsOf = (result: unknown): Value[][] =>
    (result as (Value[] | Record<string, Value>)[]).map((row) =>
      Array.isArray(row) ? row : Object.values(row),
    );
  statement.all = (...parameters: readonly unknown[]) =>
    observed(
      parameters,
      () => {
        const rows = all.apply(statement, parameters as Parameters<typeof all>);
        for (const name of counted) {
          // Rows are arrays where Kysely reads them.
          const at = Array.isArray(rows[0]) ? columns.indexOf(name) : name;
          for (const row of rows) if (typeof row[at] === "number") row[at] = String(row[at]);
        }
        return rows;
      },
      (result) => ({ rows: rowsOf(result) }),
    );
  statement.get = (...parameters: readonly unknown[]) =>
    observed(
      parameters,
      () => get.apply(statement, parameters as Parameters<typeof all>),
      (result) => ({ rows: rowsOf(result === undefined ? [] : [result]) }),
    );
  statement.run = (...parameters: readonly unknown[]) =>
    observed(
      parameters,
      () => run.apply(statement, parameters as Parameters<typeof run>),
      ({ changes }) => ({ changes: Number(changes) }),
    );
  statement.iterate = (...parameters: readonly unknown[]) =>
    statement.all(...(parameters as Parameters<typeof all>)).values() as ReturnType<typeof statement.iterate>;
}

const balanced = String.raw`\((?:[^()]|\([^()]*\))*\)`;
const countsOf = [
  String.raw`\b(?:count|sum)${balanced}`,
  String.raw`\brow_number\(\) over ${balanced}`,
  String.raw`\(select (?:count|sum)\((?:(?!\(select ).)*\)`,
].join("|");

/** The driver of PostgreSQL answers integers of 64 bits as text: what it counts and adds up. */
function isCount(text: string, column: string): boolean {
  return new RegExp(`(?:${countsOf}) as "?${column}\\b`, "s").test(text);
}

const sqliteKinds: Readonly<Record<number, Kind>> = {
  275: "check",
  787: "foreign key",
  1299: "not null",
  1555: "unique",
  2067: "unique",
};
const postgresKinds: Readonly<Record<string, Kind>> = {
  23514: "check",
  23503: "foreign key",
  23502: "not null",
  23505: "unique",
};

/** Undefined where SQLite was not asked, as its connection is closed. */
function kindOnSqlite(error: unknown): Kind | undefined {
  const { errcode } = error as { readonly errcode?: number };
  return errcode === undefined ? undefined : (sqliteKinds[errcode] ?? "other");
}

function kindOnPostgres(error: unknown): Kind {
  return postgresKinds[(error as { code?: string }).code ?? ""] ?? "other";
}

/** One connection as long as the process runs, so that a statement is prepared once. */
let connection: { readonly client: ComparedClient; readonly names: Map<string, string> } | undefined;

async function connect(): Promise<NonNullable<typeof connection>> {
  if (connection !== undefined) return connection;
  const server = process.env["TEST_POSTGRES_URL"];
  if (server === undefined) throw new Error("run the tests with `npm test`: it starts PostgreSQL for them");
  const client = await claimComparedDatabase(server);
  client.unref();
  return (connection = { client, names: new Map() });
}

interface Step {
  readonly sql: string;
  readonly ran?: Ran;
}

/** Many statements are one message: to send each takes longer than to run it. */
const stepsAtOnce = 500;

async function compare(entries: readonly Entry[]): Promise<void> {
  const { client, names } = await connect();
  client.ref();
  try {
    await prepareAll(client, names, entries);
    await client.query("begin");
    const steps = stepsOf(entries, names);
    let chunk: Step[] = [];
    for (const step of steps) {
      const { ran } = step;
      if (ran !== undefined && "failure" in ran.outcome) {
        await runAll(client, chunk, steps);
        chunk = [];
        await runFailing(client, step.sql, ran, ran.outcome.failure);
        continue;
      }
      chunk.push(step);
      if (chunk.length < stepsAtOnce) continue;
      await runAll(client, chunk, steps);
      chunk = [];
    }
    await runAll(client, chunk, steps);
  } finally {
    await client.query("rollback");
    client.unref();
  }
}

async function prepareAll(
  client: ComparedClient,
  names: Map<string, string>,
  entries: readonly Entry[],
): Promise<void> {
  for (const entry of entries) {
    if (typeof entry === "string" || names.has(entry.text)) continue;
    const name = `s${names.size}`;
    await client.query(`prepare ${name} as ${onPostgres(entry.text)}`).catch((error: unknown) => {
      throw new Error(`PostgreSQL refuses a statement: ${String(error)}\n${entry.text}`);
    });
    names.set(entry.text, name);
  }
}

/** The same statement as Kysely and `statement` write it for PostgreSQL, but for its row locks. */
function onPostgres(text: string): string {
  let count = 0;
  return text
    .replaceAll(/'(?:[^']|'')*'|\?/g, (found) => (found === "?" ? `$${(count += 1)}` : found))
    .replaceAll("instr(", "strpos(");
}

function stepsOf(entries: readonly Entry[], names: ReadonlyMap<string, string>): Step[] {
  const steps: Step[] = [];
  const marks: { readonly at: number; isUndone: boolean }[] = [];
  let failed: Ran | undefined;
  for (const entry of entries) {
    if (typeof entry === "string") failed = undefined;
    if (entry === "next") continue;
    if (entry === "mark") {
      marks.push({ at: steps.length, isUndone: false });
      steps.push({ sql: `savepoint operation${marks.length}` });
    } else if (entry === "undo") {
      const mark = marks.at(-1);
      if (mark !== undefined) mark.isUndone = true;
      steps.push({ sql: `rollback to operation${marks.length}` });
    } else if (entry === "forget") {
      // Most are not undone, and need no savepoint.
      const mark = marks.pop();
      if (mark?.isUndone === true) steps.push({ sql: `release operation${marks.length + 1}` });
      else if (mark !== undefined) steps[mark.at] = { sql: "" };
    } else {
      if (failed !== undefined) {
        throw new Error(
          `PostgreSQL runs nothing after a failure in its transaction: ${show(failed)}\n${show(entry)}`,
        );
      }
      const hasFailed = "failure" in entry.outcome;
      if (hasFailed && marks.length > 0) failed = entry;
      const values = entry.parameters.map(literal).join(", ");
      const sql = `execute ${names.get(entry.text)}${values === "" ? "" : `(${values})`}`;
      if (hasFailed) steps.push({ sql: "savepoint failure" });
      steps.push({ sql, ran: entry });
      if (hasFailed) steps.push({ sql: "rollback to failure" });
    }
  }
  return steps.filter(({ sql }) => sql !== "");
}

function literal(value: SQLInputValue): string {
  if (value === null) return "null";
  if (typeof value !== "string" && typeof value !== "number")
    throw new Error(`PostgreSQL stores no ${typeof value}`);
  if (typeof value === "string" && value.includes("\0"))
    throw new Error("PostgreSQL stores no text with NUL");
  return `'${String(value).replaceAll("'", "''")}'`;
}

type Result = QueryArrayResult<Value[]>;

async function runAll(client: ComparedClient, chunk: readonly Step[], all: readonly Step[]): Promise<void> {
  if (chunk.length === 0) return;
  const text = chunk.map(({ sql }) => sql).join(";\n");
  const answer = await client.query<Value[]>({ text, rowMode: "array" }).catch(async (error: unknown) => {
    await tellWhich(client, all, error);
    throw error;
  });
  const results: readonly Result[] = Array.isArray(answer) ? (answer as Result[]) : [answer];
  for (const [at, { ran }] of chunk.entries()) {
    if (ran !== undefined) compareOutcome(ran, results[at] as Result);
  }
}

async function runFailing(client: ComparedClient, sql: string, ran: Ran, expected: Kind): Promise<void> {
  const found = await client.query(sql).then(() => undefined, kindOnPostgres);
  if (found !== expected)
    throw new Error(`SQLite fails (${expected}), PostgreSQL not so (${found})\n${show(ran)}`);
}

/** Runs them once more, one by one, up to the one that PostgreSQL refuses. */
async function tellWhich(client: ComparedClient, steps: readonly Step[], failure: unknown): Promise<void> {
  await client.query("rollback");
  await client.query("begin");
  for (const { sql, ran } of steps) {
    const isExpected = ran !== undefined && "failure" in ran.outcome;
    await client.query(sql).catch((error: unknown) => {
      if (isExpected) return;
      throw new Error(`PostgreSQL fails: ${String(error)}\n${ran === undefined ? sql : show(ran)}`, {
        cause: failure,
      });
    });
  }
}

function compareOutcome(ran: Ran, result: Result): void {
  const { text, columns, outcome } = ran;
  if ("changes" in outcome) {
    if (outcome.changes === result.rowCount) return;
    throw new Error(`SQLite changes ${outcome.changes} rows, PostgreSQL ${result.rowCount}\n${show(ran)}`);
  }
  if (!("rows" in outcome)) return;
  const names = result.fields.map(({ name }) => name).join();
  if (names !== columns.join()) throw new Error(`PostgreSQL names the columns ${names}\n${show(ran)}`);
  const order = orderOf(text, columns);
  const textsOf = (rows: readonly (readonly Value[])[]): string[] => {
    const keys = rows.map((row) => JSON.stringify(order.map((column) => row[column])));
    return keys.concat(rows.map((row) => JSON.stringify(row)).toSorted());
  };
  const [ours, theirs] = [textsOf(outcome.rows), textsOf(result.rows)];
  const at = ours.findIndex((row, index) => row !== theirs[index]);
  if (at === -1 && ours.length === theirs.length) return;
  const lengths = `SQLite answers ${outcome.rows.length} rows, PostgreSQL ${result.rows.length}`;
  const [our, their] = [ours, theirs].map((rows) => shortened(rows[Math.max(at, 0)]));
  throw new Error(`${lengths}, with\n${our}\nwhere the other has\n${their}\n${show(ran)}`);
}

/** The columns by which the rows are ordered: those that are the same there may come in any order. */
function orderOf(text: string, columns: readonly string[]): number[] {
  const [, terms = ""] = /.* order by (.*?)(?:\slimit\s.*)?$/s.exec(withoutBrackets(text)) ?? [];
  const order = terms.split(",").map((term) => {
    const [, name = ""] =
      /^\s*(?:"?\w+"?\.)?"?(\w+)"?(?:\s+(?:asc|desc))?(?:\s+nulls \w+)?\s*$/.exec(term) ?? [];
    return columns.indexOf(name);
  });
  const unknown = order.indexOf(-1);
  return unknown === -1 ? order : order.slice(0, unknown);
}

/** An order in brackets is that of a part. */
function withoutBrackets(text: string): string {
  const outer = text.replaceAll(new RegExp(balanced, "g"), "");
  return outer === text ? text : withoutBrackets(outer);
}

const shortened = (text = "missing"): string => text.slice(0, 1_000);

function show({ text, parameters }: Ran): string {
  return shortened(`${text}\n${JSON.stringify(parameters)}`);
}
