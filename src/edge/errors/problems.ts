import catalogue from "../../../catalogues/edge-problems.json" with { type: "json" };

/** The cause of an error, as the public documentation classifies errors. */
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

/** Errors that the edge answers, with the numbers of the public documentation. */
export const problems = catalogue.problems as Readonly<Record<keyof typeof catalogue.problems, Problem>>;

/** The error for a malformed request. */
export function refusal({ status, message }: { readonly status: number; readonly message: string }): Problem {
  return {
    status,
    code: status,
    name: "request_refused",
    category: "request",
    title: "The request cannot be served",
    detail: `${message}.`,
  };
}

/** The error where a proxy asks what no contract permits. What a visitor sees of it does not say why. */
export function refusedQuestion(status: number): Problem {
  return {
    status,
    code: status,
    name: "question_refused",
    category: "config",
    title: "The request could not be judged",
    detail: "This site is not set up as it has to be. Tell its owner the ray id below.",
  };
}

const refusedCertificates =
  /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|INVALID_CA|HOSTNAME_MISMATCH)/;

const problemsOfCodes: Readonly<Record<string, Problem>> = {
  ECONNREFUSED: problems.originRefuses,
  UND_ERR_CONNECT_TIMEOUT: problems.connectTimeout,
  ETIMEDOUT: problems.connectTimeout,
  EHOSTUNREACH: problems.unreachable,
  ENETUNREACH: problems.unreachable,
  EADDRNOTAVAIL: problems.unreachable,
  UND_ERR_HEADERS_TIMEOUT: problems.originTimeout,
  UND_ERR_BODY_TIMEOUT: problems.originTimeout,
  EPROTO: problems.handshakeFailed,
};

/** The error for a failure to reach the origin. */
export function problemOf(error: unknown): Problem {
  const { code = "", message = "" } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (refusedCertificates.test(code)) return problems.invalidCertificate;
  if (code.startsWith("ERR_SSL_") || message.includes("before secure TLS connection"))
    return problems.handshakeFailed;
  return problemsOfCodes[code] ?? problems.badOriginAnswer;
}

/** Whether nothing of the request can have reached the origin, so that another address may be tried. */
export function isUnsent(error: unknown): boolean {
  const problem = problemOf(error);
  return (
    problem === problems.originRefuses ||
    problem === problems.connectTimeout ||
    problem === problems.unreachable
  );
}

/** Thrown to answer from the edge instead of the origin. */
export class OwnAnswerDue extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, message: string = problem.title) {
    super(message);
    this.problem = problem;
  }
}
