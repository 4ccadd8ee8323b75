/** Hash functions of the platform, which lie outside of the core. They take and return byte strings. */
export interface HashEngine {
  readonly sha256: (bytes: string) => string;
  /** HMAC with SHA-256 (RFC 2104). */
  readonly hmacSha256: (key: string, bytes: string) => string;
}
