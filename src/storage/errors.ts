import { errorCodes } from "../core/error-codes.ts";
import { AppError } from "../core/error.ts";

/** Whether a write violated a unique index, because another one was first. */
export function isUniqueViolation(error: unknown): boolean {
  return sqliteUniqueViolations.has(sqliteCode(error)) || postgresCode(error) === "23505";
}

/** Whether a transaction conflicted with another one and may succeed if it is run again. */
export function isTransientConflict(error: unknown): boolean {
  return ["40001", "40P01"].includes(postgresCode(error) ?? "");
}

/** Whether another process holds the write lock of the file. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && (code & PRIMARY_CODE) === SQLITE_BUSY;
}

/**
 * The answer to a storage failure that is no fault of the caller and may pass: a full disk, a database that is
 * gone. 503 code 10503; undefined for every other error.
 */
export function asUnavailable(error: unknown): AppError | undefined {
  if (!isFailureOfSqlite(error) && !isFailureOfPostgres(error)) return undefined;
  return new AppError(
    "unavailable",
    errorCodes.server.storeUnavailable,
    "The database is not available at the moment. Please try again.",
    {
      cause: error,
    },
  );
}

const PRIMARY_CODE = 0xff;
const SQLITE_BUSY = 5;
// Violations of a primary key and of any other unique index.
const sqliteUniqueViolations = new Set<number | undefined>([1555, 2067]);

// Primary result codes: busy, locked, out of memory, read-only, I/O error, corrupt, full, cannot open.
const sqliteFailures = new Set([SQLITE_BUSY, 6, 7, 8, 10, 11, 13, 14]);

// SQLSTATE classes: connection, refused sign-in, insufficient resources, operator intervention, system
// error; a database that was dropped; a server that is read-only, as a replica is during a fail-over; and
// conflicts that outlast their retries.
const postgresFailures = /^(?:08|28|53|57|58)|^(?:3D000|25006|40001|40P01)$/;
const networkFailures = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  // The system has no port, file or memory left.
  "EADDRNOTAVAIL",
  "EAGAIN",
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "ENOMEM",
]);
// The driver reports these without a code.
const lostConnection = /^Connection terminated|^timeout exceeded when trying to connect|not queryable/;

function isFailureOfSqlite(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && sqliteFailures.has(code & PRIMARY_CODE);
}

function isFailureOfPostgres(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isFailureOfPostgres);
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  if (code === undefined) return lostConnection.test(error.message);
  // Only errors of the operating system have a `syscall`. A client that hangs up is ECONNRESET as well.
  return "syscall" in error ? networkFailures.has(code) : "severity" in error && postgresFailures.test(code);
}

function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode
    : undefined;
}

function postgresCode(error: unknown): string | undefined {
  return error instanceof Error && "severity" in error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}
