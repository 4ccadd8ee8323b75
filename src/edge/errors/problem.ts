/** Who or what an error lies with, as the public documentation classifies errors. */
export type ProblemCategory =
  | "access_denied"
  | "cloudflare"
  | "config"
  | "dns"
  | "origin"
  | "rate_limit"
  | "request"
  | "rewrite"
  | "ssl";

/** An error that the edge answers itself. */
export interface Problem {
  readonly status: number;
  /** The number of the error in the public documentation; the status where it has none. */
  readonly code: number;
  /** For programs, in snake case. */
  readonly name: string;
  readonly category: ProblemCategory;
  readonly title: string;
  readonly detail: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** What a response of the edge itself needs to know of its request. */
export interface Asked {
  /** The `Accept` header of the request; undefined for none. */
  readonly accept: string | undefined;
  readonly hostname: string;
  readonly address: string;
  /** With the location code. */
  readonly ray: string;
  readonly now: Date;
}
