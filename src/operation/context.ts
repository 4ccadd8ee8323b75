import type {
  CompiledExpression,
  CompiledValueExpression,
  CompileOptions,
} from "../core/expression/compile.ts";
import type { ExpressionLimits } from "../core/expression/limits.ts";
import type { Database } from "../storage/database.ts";

/** What every operation takes: its store, the time and fresh ids. Modules extend it with what they need. */
export interface Context {
  readonly db: Database;
  readonly now: () => Date;
  /** 32 hexadecimal characters. */
  readonly newId: () => string;
  /** A UUID, version 7: an id of the audit log, or of a security event. */
  readonly newLogId: () => string;
}

/** What operations need that change rights. */
export interface AccessContext extends Context {
  /** Makes the next request look up its caller anew. */
  readonly forgetCallers: () => void;
}

/** The filter language. What is compiled holds memory until it is freed. */
export interface ExpressionEngine {
  /** Throws an ExpressionError. */
  readonly compileFilter: (source: string, options?: CompileOptions) => CompiledExpression;
  /** The same for an expression that gives a value. */
  readonly compileValue: (source: string, options?: CompileOptions) => CompiledValueExpression;
  /** What is wrong with a filter, as the language words it; undefined for nothing. */
  readonly issueInFilter: (source: string, options?: CompileOptions) => string | undefined;
  /** The same for an expression that gives a value. */
  readonly issueInValue: (source: string, options?: CompileOptions) => string | undefined;
  /**
   * Compiles the regular expressions of a body that is to be checked, one in a turn of the event loop, so that the
   * check finds them known: a body may hold so many that others would wait for seconds. To be called while nothing is
   * held.
   */
  readonly prepareChecks: (body: unknown, limits?: ExpressionLimits) => Promise<void>;
}

/** What operations take that read expressions. */
export interface ExpressionContext extends Context {
  /** Loads the engine when it is first asked for. */
  readonly loadExpressionEngine: () => Promise<ExpressionEngine>;
}
