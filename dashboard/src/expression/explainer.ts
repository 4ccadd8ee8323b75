import init, { RRegex } from "rregex";

import { compileExpression, type Engines } from "../../../src/core/expression/compile.ts";
import { createContext, toData, type Value } from "../../../src/core/expression/context.ts";
import type { Span } from "../../../src/core/expression/expression-error.ts";
import { createRregexEngine } from "../../../src/core/expression/rregex-engine.ts";
import { fieldsOf, splitUrl, type DescribedRequest } from "../../../src/core/rulesets/request-fields.ts";

/** Why an expression holds for a request, or does not. */
export interface ExplainedExpression {
  readonly value: boolean;
  /** The parts of the text that decided, with what they looked at. */
  readonly decisions: readonly {
    readonly span: Span;
    readonly looked: readonly { readonly at: string; readonly found: string | undefined }[];
  }[];
}

export interface Explainer {
  /** Undefined for what cannot be judged here, such as a list of the account. */
  readonly explain: (source: string, request: DescribedRequest) => ExplainedExpression | undefined;
}

class NotHereError extends Error {}

function notHere(): never {
  throw new NotHereError();
}

/** Judges expressions with the server's own code, in the browser. */
export async function createExplainer(): Promise<Explainer> {
  const wasm = await init();
  const engines: Engines = {
    regexes: createRregexEngine(() => ({ RRegex, __wasm: wasm })),
    // Secret keys that signatures are checked with belong to no page.
    hashes: { sha256: notHere, hmacSha256: notHere },
  };
  return {
    explain: (source, request) => {
      const parts = splitUrl(request.url);
      if (parts === undefined) return undefined;
      try {
        const compiled = compileExpression(source, engines);
        try {
          const { value, decidedBy } = compiled.explain(createContext(knownFieldsOf(request, parts)));
          return {
            value,
            decisions: decidedBy.map(({ span, looked }) => ({
              span,
              looked: looked.map(({ at, found }) => ({ at, found: shown(found) })),
            })),
          };
        } finally {
          compiled.free();
        }
      } catch {
        return undefined;
      }
    },
  };
}

/** Without an address that only the server knows. */
function knownFieldsOf(request: DescribedRequest, parts: Parameters<typeof fieldsOf>[1]) {
  const { "ip.src": address, ...fields } = fieldsOf(request, parts);
  return address === "" ? fields : { ...fields, "ip.src": address };
}

function shown(found: Value | undefined): string | undefined {
  const data = toData(found);
  return typeof data === "string" ? data : JSON.stringify(data);
}
