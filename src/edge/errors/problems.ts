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
export const problems = {
  unknownHost: {
    status: 409,
    code: 1001,
    name: "dns_resolution_error",
    category: "dns",
    title: "This host is not served here",
    detail: "No active zone has a proxied record with this name.",
  },
  directAddress: {
    status: 403,
    code: 1003,
    name: "direct_ip_access",
    category: "access_denied",
    title: "Direct access by address is not allowed",
    detail: "Ask for a host by its name.",
  },
  unreadHost: {
    status: 530,
    code: 1018,
    name: "host_not_found",
    category: "dns",
    title: "This host is not known here yet",
    detail: "The settings of the site could not be read. Try again in a moment.",
  },
  loop: {
    status: 403,
    code: 1000,
    name: "prohibited_ip",
    category: "dns",
    title: "The records of this host lead back to the edge",
    detail: "The origin of the host must not be the edge itself.",
  },
  restrictedOrigin: {
    status: 403,
    code: 1002,
    name: "restricted_origin",
    category: "dns",
    title: "The origin of this host is restricted",
    detail: "The records of the host lead to an address that the edge may not reach.",
  },
  foreignTarget: {
    status: 409,
    code: 1014,
    name: "cname_cross_user",
    category: "config",
    title: "The records of this host lead to another account",
    detail: "A CNAME record must not lead to a zone of another account.",
  },
  noOrigin: {
    status: 530,
    code: 1016,
    name: "origin_dns_error",
    category: "dns",
    title: "The origin of this host has no address",
    detail: "The name of the origin could not be resolved.",
  },
  invalidRewrite: {
    status: 530,
    code: 1035,
    name: "invalid_rewrite_path",
    category: "rewrite",
    title: "The request cannot be rewritten (invalid path)",
    detail: "A rule of this site makes a path that does not begin with a slash, or that is the edge's own.",
  },
  rewriteTooLong: {
    status: 530,
    code: 1036,
    name: "rewrite_too_long",
    category: "rewrite",
    title: "The request cannot be rewritten (too long)",
    detail: "A rule of this site makes a path or a query that is too long.",
  },
  rewriteWithoutValue: {
    status: 530,
    code: 1037,
    name: "rewrite_not_evaluated",
    category: "rewrite",
    title: "The request cannot be rewritten (no value)",
    detail: "The expression by which a rule of this site rewrites requests has no value for this one.",
  },
  misdirected: {
    status: 421,
    code: 421,
    name: "misdirected_request",
    category: "request",
    title: "This connection is for another host",
    detail: "Ask for this host on a connection of its own.",
  },
  blocked: {
    status: 403,
    code: 1020,
    name: "access_denied",
    category: "access_denied",
    title: "Your request has been blocked",
    detail: "A rule of this site blocks it. If this is not right, tell its owner the ray id below.",
  },
  limited: {
    status: 429,
    code: 1015,
    name: "rate_limited",
    category: "rate_limit",
    title: "You are being rate limited",
    detail: "The owner of this site limits how many requests a visitor may make. Try again later.",
    retryAfter: 30,
  },
  unjudged: {
    status: 500,
    code: 500,
    name: "request_not_judged",
    category: "cloudflare",
    title: "The request could not be judged",
    detail: "A rule of this site failed, so that the request was stopped.",
    retryAfter: 30,
  },
  overloaded: {
    status: 503,
    code: 503,
    name: "overloaded",
    category: "cloudflare",
    title: "Too much is being judged at the moment",
    detail: "Try again later.",
    retryAfter: 30,
  },
  bannedSystem: {
    status: 403,
    code: 1005,
    name: "asn_banned",
    category: "access_denied",
    title: "Access denied",
    detail: "The owner of this site has banned the autonomous system (AS) that your address belongs to.",
  },
  bannedAddress: {
    status: 403,
    code: 1006,
    name: "ip_banned",
    category: "access_denied",
    title: "Access denied",
    detail: "The owner of this site has banned your address.",
  },
  bannedCountry: {
    status: 403,
    code: 1009,
    name: "country_banned",
    category: "access_denied",
    title: "Access denied",
    detail: "The owner of this site has banned the country or region that your address is in.",
  },
  lockedDown: {
    status: 403,
    code: 1106,
    name: "zone_lockdown",
    category: "access_denied",
    title: "Access denied",
    detail: "This page is open to certain addresses only.",
  },
  badBrowser: {
    status: 403,
    code: 1010,
    name: "browser_signature_banned",
    category: "access_denied",
    title: "Access denied",
    detail:
      "The headers of your request are not those of a browser. The owner of this site turns such requests away.",
  },
  hotlinked: {
    status: 403,
    code: 1011,
    name: "hotlinking_denied",
    category: "access_denied",
    title: "Access denied",
    detail: "The owner of this site lets no other site show its images.",
  },
  unsolved: {
    status: 403,
    code: 403,
    name: "challenge_failed",
    category: "access_denied",
    title: "The check did not succeed",
    detail:
      "The answer is wrong, late, used before, or not for this visitor. Load the page again for another one.",
  },
  unsolvedOften: {
    status: 429,
    code: 429,
    name: "challenge_failed_often",
    category: "rate_limit",
    title: "Too many checks did not succeed",
    detail: "Load the page again in a minute.",
    retryAfter: 60,
  },
  notFound: {
    status: 404,
    code: 404,
    name: "not_found",
    category: "request",
    title: "There is nothing here",
    detail: "The edge serves all paths below /cdn-cgi/ itself, and has nothing at this one.",
  },
  tooLarge: {
    status: 413,
    code: 413,
    name: "payload_too_large",
    category: "request",
    title: "The body of the request is too large",
    detail: "The plan of this site limits the size of uploads.",
  },
  unreadableBody: {
    status: 415,
    code: 415,
    name: "unsupported_encoding",
    category: "request",
    title: "The body of the request cannot be decoded",
    detail:
      "Rules of this site read it. Its Content-Encoding may be gzip, deflate, br or zstd, and one of them alone.",
  },
  noWebSockets: {
    status: 403,
    code: 403,
    name: "websockets_off",
    category: "access_denied",
    title: "WebSockets are off",
    detail: "The owner of this site has turned WebSockets off.",
  },
  badOriginAnswer: {
    status: 520,
    code: 520,
    name: "unknown_error",
    category: "origin",
    title: "The origin gave no valid answer",
    detail: "The origin closed the connection, or what came is no answer in HTTP.",
    retryAfter: 60,
  },
  originRefuses: {
    status: 521,
    code: 521,
    name: "web_server_down",
    category: "origin",
    title: "The origin is down",
    detail: "The origin refuses connections.",
    retryAfter: 120,
  },
  connectTimeout: {
    status: 522,
    code: 522,
    name: "connection_timeout",
    category: "origin",
    title: "The connection to the origin timed out",
    detail: "The origin did not accept a connection in time.",
    retryAfter: 120,
  },
  unreachable: {
    status: 523,
    code: 523,
    name: "origin_unreachable",
    category: "origin",
    title: "The origin is unreachable",
    detail: "There is no route to the address of the origin.",
    retryAfter: 120,
  },
  originTimeout: {
    status: 524,
    code: 524,
    name: "origin_timeout",
    category: "origin",
    title: "The origin did not answer in time",
    detail: "The origin accepted the request, and did not answer.",
    retryAfter: 120,
  },
  handshakeFailed: {
    status: 525,
    code: 525,
    name: "ssl_handshake_failed",
    category: "ssl",
    title: "The TLS handshake with the origin failed",
    detail: "The origin and the edge agree on no version of TLS, cipher or certificate.",
  },
  invalidCertificate: {
    status: 526,
    code: 526,
    name: "invalid_ssl_certificate",
    category: "ssl",
    title: "The certificate of the origin is not valid",
    detail: "The certificate is not trusted, has expired, or is for another host.",
  },
  internal: {
    status: 500,
    code: 500,
    name: "internal_error",
    category: "cloudflare",
    title: "The edge failed",
    detail: "Something went wrong here, and was logged.",
    retryAfter: 30,
  },
} as const satisfies Record<string, Problem>;

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
