import { ApiError } from "./api-error.ts";
import { urlOf, type ApiCall } from "./call.ts";

export interface PageInfo {
  readonly page: number;
  readonly per_page: number;
  readonly count: number;
  readonly total_count: number;
  readonly total_pages: number;
}

/** A v4 envelope that tells of success. */
export interface Answer<Result> {
  readonly result: Result;
  readonly result_info?: PageInfo;
  readonly messages: readonly { readonly code: number; readonly message: string }[];
}

/** Throws `ApiError`. */
export function send<Result>(call: ApiCall<Result>, signal?: AbortSignal): Promise<Answer<Result>> {
  return exchange(call.method, urlOf(call), { ...bodyOf(call), ...(signal && { signal }) });
}

/** Sends a call that is answered without an envelope, such as by a zone file. Throws `ApiError`. */
export async function sendForText(call: ApiCall<unknown>, signal?: AbortSignal): Promise<string> {
  const response = await request(call.method, urlOf(call), { ...bodyOf(call), ...(signal && { signal }) });
  const text = await response.text();
  if (response.ok) return text;
  throw failureOf(response, text);
}

const progressType = "application/x-ndjson";

/**
 * Sends a call that reports its progress until it is answered. Aborting ends the work on the server too, and throws
 * the reason of the signal; else throws `ApiError`.
 */
export async function sendFollowed<Result>(
  call: ApiCall<Result>,
  onProgress: (progress: unknown) => void,
  signal: AbortSignal,
): Promise<Answer<Result>> {
  const response = await request(call.method, urlOf(call), {
    ...bodyOf(call),
    accept: progressType,
    signal,
  });
  if (response.headers.get("content-type") !== progressType || response.body === null)
    return answerOf(response, await response.text());
  let rest = "";
  try {
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const said = JSON.parse(line) as Envelope;
        if (said.success !== undefined) return answerOf(response, line);
        onProgress(said);
      }
    }
  } catch (error) {
    if (signal.aborted || error instanceof ApiError) throw error;
  }
  throw new ApiError(0, [{ code: 0, message: "The connection broke before the answer." }]);
}

interface ExchangeOptions {
  readonly body?: string | FormData;
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

/** One request and its envelope; `url` is relative to the origin. Throws `ApiError`. */
async function exchange<Result>(
  method: string,
  url: string,
  options: ExchangeOptions = {},
): Promise<Answer<Result>> {
  const response = await request(method, url, options);
  return answerOf(response, await response.text());
}

function answerOf<Result>(response: Response, text: string): Answer<Result> {
  const envelope = parseEnvelope(text);
  if (!response.ok || envelope?.success !== true) throw failureOf(response, text);
  return envelope as Answer<Result>;
}

async function request(
  method: string,
  url: string,
  { body, accept, signal }: ExchangeOptions,
): Promise<Response> {
  try {
    const response = await fetch(url, {
      method,
      credentials: "same-origin",
      headers: {
        "x-zoneward-session": "1",
        ...(accept !== undefined && { accept }),
        ...(typeof body === "string" && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    noteTestControls(response.headers);
    return response;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiError(0, [{ code: 0, message: "The server cannot be reached." }]);
  }
}

function bodyOf({ body, upload }: ApiCall<unknown>): ExchangeOptions {
  if (upload === undefined) return body === undefined ? {} : { body: JSON.stringify(body) };
  const form = new FormData();
  for (const [name, value] of Object.entries(upload.fields)) form.append(name, value);
  form.append("file", new Blob([upload.file.text], { type: "text/plain" }), upload.file.name);
  return { body: form };
}

interface Envelope {
  readonly success?: boolean;
  readonly errors?: ApiError["details"];
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return undefined;
  }
}

function failureOf(response: Response, text: string): ApiError {
  const errors = parseEnvelope(text)?.errors ?? [];
  return new ApiError(
    response.status,
    errors.length > 0
      ? errors
      : [{ code: 0, message: `The server answered with HTTP status ${response.status}.` }],
  );
}

let areOn = false;
const listeners = new Set<() => void>();

/** Reads from the headers of an answer whether the server has its test controls on. */
function noteTestControls(headers: Headers): void {
  const now = headers.has("zoneward-test-controls");
  if (now === areOn) return;
  areOn = now;
  for (const listener of listeners) listener();
}

export const testControls = {
  areOn: (): boolean => areOn,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
