import { byToken, type RequestOptions, type TestAnswer, type TestApp } from "./harness.ts";

const boundary = "------------------------7c1d9a4e2b";

/** Imports a zone file as curl sends it, with or without the field `proxied`. */
export function importFile(
  app: Pick<TestApp, "request">,
  zoneId: string,
  file: string,
  proxied?: string,
): Promise<TestAnswer> {
  const parts = [
    fieldPart("file", file, "zone.txt"),
    ...(proxied === undefined ? [] : [fieldPart("proxied", proxied)]),
  ];
  return app.request("POST", `/zones/${zoneId}/dns_records/import`, formRequest(parts));
}

/** A `multipart/form-data` request as the owner. */
export function formRequest(parts: readonly string[]): RequestOptions {
  return {
    headers: { ...byToken, "content-type": `multipart/form-data; boundary=${boundary}` },
    rawBody: `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`,
  };
}

/** One field of a form; a file has a name of its own. */
export function fieldPart(name: string, content: string, fileName?: string): string {
  const ofFile =
    fileName === undefined ? "" : `; filename="${fileName}"\r\nContent-Type: application/octet-stream`;
  return `Content-Disposition: form-data; name="${name}"${ofFile}\r\n\r\n${content}`;
}
