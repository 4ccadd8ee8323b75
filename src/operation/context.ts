import type {
  CompiledExpression,
  CompiledValueExpression,
  CompileOptions,
} from "../core/expression/compile/compile.ts";
import type { ExpressionLimits } from "../core/expression/limits.ts";
import type { Database } from "../storage/database.ts";

/**
 * The context of every operation: its store, the time and fresh ids. Modules extend it with what they need.
 */
export interface Context {
  readonly db: Database;
  readonly now: () => Date;
  /** 32 hexadecimal characters. */
  readonly newId: () => string;
  /** A UUID, version 7: an id of the audit log, or of a security event. */
  readonly newLogId: () => string;
}

/** The filter language. A compiled expression holds memory until it is freed. */
export interface ExpressionEngine {
  /** Throws an ExpressionError. */
  readonly compileFilter: (source: string, options?: CompileOptions) => CompiledExpression;
  /** The same for an expression that gives a value. */
  readonly compileValue: (source: string, options?: CompileOptions) => CompiledValueExpression;
  /** The error of a filter, in the words of the filter language; undefined if it is valid. */
  readonly issueInFilter: (source: string, options?: CompileOptions) => string | undefined;
  /** The same for an expression that gives a value. */
  readonly issueInValue: (source: string, options?: CompileOptions) => string | undefined;
  /**
   * Compiles the regular expressions of a body ahead of its check, one per turn of the event loop: a body may
   * hold so many that compiling them at once would block other requests for seconds. Call it before taking
   * locks.
   */
  readonly prepareChecks: (body: unknown, limits?: ExpressionLimits) => Promise<void>;
}

export interface ExpressionContext extends Context {
  /** Loads the engine when it is first asked for. */
  readonly loadExpressionEngine: () => Promise<ExpressionEngine>;
}

/** Taken by operations that answer after work which the public service does in the background. */
export interface AsyncDelay {
  /** Resolves after the time that such work takes (setting `async_delay`). */
  readonly takeTime: () => Promise<void>;
}
