/** Hash functions outside the core, on byte strings. */
export interface HashEngine {
  readonly sha256: (bytes: string) => string;
  /** HMAC with SHA-256 (RFC 2104). */
  readonly hmacSha256: (key: string, bytes: string) => string;
}
