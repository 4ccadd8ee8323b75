import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { sendAnswer } from "../wire/answers.ts";
import type { ApiRequest } from "./api-request.ts";
import { renderDeviceCookie, renderSessionCookie } from "./session-cookie.ts";
import { progressLines, progressType, type Route, type TextAnswer } from "./route.ts";

interface ResultOptions {
  /** The headers of every answer as names and values in turns, without the content type. */
  readonly fields: readonly string[];
  /** Whether browsers use TLS, here or with a proxy in front. */
  readonly isSecure: boolean;
  /** The body of the answer to an error. */
  readonly failureOf: (error: unknown) => string;
}

const jsonType = ["content-type", "application/json"];

/** Answers a request with what its operation returned. Rejects, with nothing sent, for what fails at its first part. */
export async function sendResult(
  request: ApiRequest,
  result: Awaited<ReturnType<Route["handle"]>>,
  { fields, isSecure, failureOf }: ResultOptions,
): Promise<void> {
  const { response } = request;
  if (result === undefined) sendAnswer(response, { status: 204, fields, body: undefined });
  else if (typeof result === "string")
    sendAnswer(response, { status: 200, fields: [...fields, ...jsonType], body: result });
  else if ("body" in result) {
    const { cookie, deviceCookie } = result;
    const cookies = [
      ...(cookie === undefined ? [] : ["set-cookie", renderSessionCookie(cookie, isSecure)]),
      ...(deviceCookie === undefined ? [] : ["set-cookie", renderDeviceCookie(deviceCookie, isSecure)]),
    ];
    sendAnswer(response, { status: 200, fields: [...fields, ...jsonType, ...cookies], body: result.body });
  } else if ("follow" in result)
    await sendParts(request, fields, {
      contentType: progressType,
      chunks: await progressLines(result, failureOf),
    });
  else await sendParts(request, fields, result);
}

async function sendParts(
  { message, response }: ApiRequest,
  common: readonly string[],
  { contentType, chunks }: TextAnswer,
): Promise<void> {
  const fields = [...common, "content-type", contentType];
  if (message.httpVersion === "1.0") {
    // Its clients need the length, as they know no chunked encoding.
    const parts = await Array.fromAsync(chunks, (chunk) => Buffer.from(chunk));
    sendAnswer(response, { status: 200, fields, body: Buffer.concat(parts) });
    return;
  }
  const parts = Readable.from(chunks, { objectMode: false });
  await once(parts, "readable");
  response.writeHead(200, fields);
  await pipeline(parts, response);
}
