import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

/**
 * Keeps an answer back until it is whole. `whenWhole` gets its body and sends it, changed or not, with the
 * methods of the response, or ends the connection. Status and headers are on the response by then.
 */
export function holdAnswer(response: ServerResponse, whenWhole: (body: Buffer) => void): void {
  const { writeHead, write, end, flushHeaders } = response;
  const parts: Buffer[] = [];
  const keep = (part: unknown, encoding: unknown): void => {
    if (typeof part === "string") {
      parts.push(Buffer.from(part, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8"));
    } else if (part instanceof Uint8Array) parts.push(Buffer.from(part));
  };
  response.writeHead = (status: number, ...rest: readonly unknown[]) => {
    response.statusCode = status;
    setHeaders(response, rest.at(-1));
    return response;
  };
  response.flushHeaders = () => undefined;
  response.write = ((part: unknown, encoding: unknown) => {
    keep(part, encoding);
    return true;
  }) as typeof write;
  response.end = ((part: unknown, encoding: unknown) => {
    keep(part, encoding);
    Object.assign(response, { writeHead, write, end, flushHeaders });
    whenWhole(Buffer.concat(parts));
    return response;
  }) as typeof end;
}

function setHeaders(response: ServerResponse, headers: unknown): void {
  if (Array.isArray(headers)) {
    const named = new Set<string>();
    for (let index = 0; index < headers.length; index += 2) {
      const [name, value] = [String(headers[index]), headers[index + 1] as string];
      if (named.has(name.toLowerCase())) response.appendHeader(name, value);
      else response.setHeader(name, value);
      named.add(name.toLowerCase());
    }
  } else if (typeof headers === "object" && headers !== null) {
    for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) {
      if (value !== undefined) response.setHeader(name, value);
    }
  }
}

/** Sends a whole answer, whose body may differ from that of its headers. */
export function sendWhole(response: ServerResponse, body: Buffer): void {
  if (response.hasHeader("content-length")) response.setHeader("content-length", body.length);
  response.end(body);
}
