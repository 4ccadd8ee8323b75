export type ApiHeaders = Readonly<Record<string, string>>;

/** The version of the public API description that is implemented. */
const apiVersion = "2024-08-06";

/** On every answer of the API (docs/contract/envelope.md#headers). */
export const apiHeaders: ApiHeaders = {
  "content-type": "application/json",
  "api-version": apiVersion,
  "cache-control": "no-store, no-cache, must-revalidate, post-check=0, pre-check=0",
  pragma: "no-cache",
  expires: "Sun, 25 Jan 1981 05:00:00 GMT",
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  vary: "accept-encoding",
  "cf-cache-status": "DYNAMIC",
  server: "zoneward",
};

/** Only sent over TLS (RFC 6797 7.2). */
export const strictTransport = { "strict-transport-security": "max-age=31536000" } as const;

/** The same over TLS. */
export const apiHeadersOverTls: ApiHeaders = { ...apiHeaders, ...strictTransport };

/** The serializer of a body that is text already; that of Fastify would add a charset to the media type. */
export const verbatim = (body: string): string => body;
