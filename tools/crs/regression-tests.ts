import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { parse } from "yaml";

import { encodeText } from "../../src/core/expression/byte-string.ts";
import type { RuleRequest, RuleResponse } from "../../src/core/seclang/evaluate/request.ts";

/** A regression test of the OWASP Core Rule Set, as far as matching rules judge it. */
export interface RegressionTest {
  /** `942100-1`. */
  readonly id: string;
  readonly request: RuleRequest;
  readonly response: RuleResponse;
  readonly matching: readonly number[];
  /** None of them does. */
  readonly others: readonly number[];
}

interface Input {
  readonly method?: string;
  readonly uri?: string;
  readonly version?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly data?: string | readonly string[];
  readonly encoded_request?: string;
  readonly autocomplete_headers?: boolean;
}

interface Output {
  readonly log?: { readonly expect_ids?: readonly number[]; readonly no_expect_ids?: readonly number[] };
  readonly expect_ids?: readonly number[];
  readonly no_expect_ids?: readonly number[];
}

interface Written {
  readonly id: string;
  readonly enabled?: boolean;
  readonly stages: readonly { readonly input: Input; readonly output: Output }[];
}

/**
 * Reads tests: of releases since 4.0 the folder `tests/regression/tests` or one that holds the same files, of others a
 * file of JSON lines, packed with gzip or not. Tests of raw requests, and those of the server's answer alone, are left
 * out.
 */
export function readRegressionTests(path: string): RegressionTest[] {
  const written = statSync(path).isDirectory() ? readFolder(path) : readLines(path);
  return written.filter(({ enabled }) => enabled !== false).flatMap(readTest);
}

function readLines(path: string): Written[] {
  const octets = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(octets) : octets).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Written);
}

function readFolder(path: string): Written[] {
  const files = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.ya?ml$/.test(name),
  );
  return files.toSorted().flatMap((name) => {
    const file = parse(readFileSync(join(path, name), "utf8")) as {
      readonly rule_id: number;
      readonly meta?: { readonly enabled?: boolean };
      readonly tests?: readonly { readonly test_id: number; readonly stages: Written["stages"] }[];
    } | null;
    return (file?.tests ?? []).map(({ test_id, stages }) => ({
      id: `${file?.rule_id}-${test_id}`,
      enabled: file?.meta?.enabled !== false,
      stages,
    }));
  });
}

function readTest({ id, stages }: Written): RegressionTest[] {
  const last = stages.at(-1);
  if (last === undefined || last.input.encoded_request !== undefined) return [];
  const matching = last.output.log?.expect_ids ?? last.output.expect_ids ?? [];
  const others = last.output.log?.no_expect_ids ?? last.output.no_expect_ids ?? [];
  if (matching.length === 0 && others.length === 0) return [];
  const request = requestOf(last.input);
  return [{ id, request, response: responseTo(request), matching, others }];
}

/** Completes a request as the runner of the official tests does. */
function requestOf({ method = "GET", uri = "/", version = "HTTP/1.1", ...input }: Input): RuleRequest {
  const headers = Object.entries(input.headers ?? {}).map(([name, value]) => ({
    name: encodeText(name),
    value: encodeText(String(value)),
  }));
  const find = (name: string): string | undefined =>
    headers.find((header) => header.name.toLowerCase() === name)?.value;
  const data =
    typeof input.data === "string" || input.data === undefined ? input.data : input.data.join("\r\n");
  let body = encodeText(data ?? "");
  if (find("content-type")?.startsWith("multipart/") === true) body = body.replaceAll(/\r?\n/g, "\r\n");
  if (input.autocomplete_headers !== false) {
    if (body !== "" && find("content-type") === undefined) {
      headers.push({ name: "Content-Type", value: "application/x-www-form-urlencoded" });
    }
    if (find("content-type") === "application/x-www-form-urlencoded" && !/[%+]/.test(body))
      body = encodeForm(body);
    if (find("connection") === undefined) headers.push({ name: "Connection", value: "close" });
    const hasLength = body !== "" || /^(?:POST|PUT|PATCH|DELETE)$/.test(method);
    if (hasLength && find("content-length") === undefined) {
      headers.push({ name: "Content-Length", value: String(body.length) });
    }
  }
  return { method, target: encodeText(uri), protocol: version, headers, body, remoteAddress: "192.0.2.1" };
}

function encodeForm(body: string): string {
  const encode = (text: string): string =>
    text
      .replaceAll(/[^\w.~ -]/g, (octet) => `%${octet.charCodeAt(0).toString(16).padStart(2, "0")}`)
      .replaceAll(" ", "+");
  const pairs = body.split("&").map((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? encode(pair) : `${encode(pair.slice(0, at))}=${encode(pair.slice(at + 1))}`;
  });
  return pairs.join("&");
}

/** `/reflect` answers what the request asks for, as the server of the official tests does. */
function responseTo({ target, body }: RuleRequest): RuleResponse {
  const empty = { status: 200, headers: [], body: "" };
  if (!/^\/reflect\b/.test(target)) return empty;
  try {
    const asked = JSON.parse(Buffer.from(body, "latin1").toString("utf8")) as {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly encodedBody?: string;
    };
    const encoded = Buffer.from(asked.encodedBody ?? "", "base64").toString("latin1");
    return {
      status: asked.status ?? 200,
      headers: Object.entries(asked.headers ?? {}).map(([name, value]) => ({ name, value })),
      body: asked.body === undefined ? encoded : encodeText(asked.body),
    };
  } catch {
    return empty;
  }
}
