import { createHash } from "node:crypto";
import { compileRules } from "../../src/core/seclang/compile.ts";
import { judgeRequest, type Judgement } from "../../src/core/seclang/evaluate/judge.ts";
import type { RuleRequest, RuleResponse } from "../../src/core/seclang/evaluate/request.ts";
import type { RuleSet } from "../../src/core/seclang/evaluate/rule.ts";
import { factsOf } from "../../src/core/seclang/patterns/pattern.ts";
import { SecLangError } from "../../src/core/seclang/parse/directives.ts";

/** Compiles rules of one file, `rules.conf`; `data` are the files that they may name. */
export function compile(text: string, data: Readonly<Record<string, string>> = {}): RuleSet {
  return compileRules([{ name: "rules.conf", text }], {
    factsOf,
    sha1: (bytes) => createHash("sha1").update(bytes, "latin1").digest().toString("latin1"),
    readData: (location, name) => {
      const file = data[name];
      if (file === undefined) throw new SecLangError(location, `${name} cannot be read`);
      return file;
    },
  });
}

/** A GET of `/`, but for what is given. */
export function requestOf(parts: Partial<RuleRequest> = {}): RuleRequest {
  const usual = {
    method: "GET",
    target: "/",
    protocol: "HTTP/1.1",
    headers: [],
    body: "",
    remoteAddress: "192.0.2.1",
  };
  return { ...usual, ...parts };
}

/** A POST with a body of that type. */
export function postOf(type: string, body: string): RuleRequest {
  return requestOf({ method: "POST", headers: [{ name: "Content-Type", value: type }], body });
}

/** Judges a request by rules of one file. */
export function judge(text: string, request: RuleRequest, response?: RuleResponse): Judgement {
  return judgeRequest(compile(text), request, response);
}

/** The ids of the rules that match. */
export function matchingIds(text: string, request: RuleRequest, response?: RuleResponse): number[] {
  return judge(text, request, response).matches.map(({ id }) => id);
}
