import { AppError, type ErrorDetail, type ErrorKind } from "../core/error.ts";
import type { SharedRelease } from "../engines/crs-release.ts";
import type { TaskCaller } from "../operation/task.ts";
import type { DatabaseLocation } from "../storage/database.ts";

/** The `workerData` of a worker. */
export interface WorkerSettings {
  readonly location: DatabaseLocation;
  readonly vendor: string;
  /** `originNetworks` of `DnsContext`. */
  readonly originNetworks: readonly string[];
}

/** A task as a worker gets it. */
export interface Order {
  readonly task: string;
  readonly caller: Pick<TaskCaller, "user" | "credential" | "address">;
  readonly input: unknown;
  /** The release of the Core Rule Set in force; undefined for the built-in rules. */
  readonly coreRelease?: SharedRelease | undefined;
  /** The time at which it was asked for, in milliseconds since 1970: that of all that it stores. */
  readonly now: number;
}

export type ToWorker =
  | { readonly kind: "run"; readonly order: Order }
  /** The turn at the store that the worker asked for by this number; with `error`, it gets none. */
  | { readonly kind: "turn"; readonly turn: number; readonly error?: PlainError }
  /** Nothing more is asked of it. */
  | { readonly kind: "end" };

export type FromWorker =
  | { readonly kind: "done"; readonly result: unknown; readonly auditLogId: string | undefined }
  | { readonly kind: "failed"; readonly error: PlainError }
  | { readonly kind: "progress"; readonly progress: object }
  | { readonly kind: "turn wanted"; readonly turn: number }
  | { readonly kind: "turn over"; readonly turn: number };

/** An error as data: a thread sees no class of another one. */
export type PlainError = PlainAppError | PlainOtherError;

interface PlainAppError {
  readonly kind: ErrorKind;
  readonly code: number;
  readonly message: string;
  readonly pointer: string | undefined;
  readonly chain: readonly ErrorDetail[];
  readonly others: readonly PlainAppError[];
  readonly messages: readonly ErrorDetail[];
}

interface PlainOtherError {
  readonly message: string;
  readonly stack: string | undefined;
  /** Properties that drivers of databases add to the message. */
  readonly details: Readonly<Record<string, string | number | boolean>>;
  /** Set for an `AggregateError`. */
  readonly errors: readonly PlainError[] | undefined;
}

export function toPlainError(error: unknown): PlainError {
  if (error instanceof AppError) return toPlainAppError(error);
  if (!(error instanceof Error)) {
    return { message: String(error), stack: undefined, details: {}, errors: undefined };
  }
  const details = Object.entries(error).filter(([, value]) =>
    ["string", "number", "boolean"].includes(typeof value),
  );
  return {
    message: error.message,
    stack: error.stack,
    details: Object.fromEntries(details),
    errors: error instanceof AggregateError ? error.errors.map(toPlainError) : undefined,
  };
}

function toPlainAppError({ kind, code, message, pointer, chain, others, messages }: AppError): PlainAppError {
  return { kind, code, message, pointer, chain, others: others.map(toPlainAppError), messages };
}

export function toError(plain: PlainError): Error {
  if ("kind" in plain) return toAppError(plain);
  const { message, stack, details, errors } = plain;
  const error = errors === undefined ? new Error(message) : new AggregateError(errors.map(toError), message);
  return Object.assign(error, details, stack !== undefined && { stack });
}

function toAppError({ kind, code, message, pointer, others, ...said }: PlainAppError): AppError {
  const { chain, messages } = said;
  return new AppError(kind, code, message, {
    chain,
    messages,
    others: others.map(toAppError),
    ...(pointer !== undefined && { pointer }),
  });
}
