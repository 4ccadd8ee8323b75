import init, { RRegex } from "rregex";

import { compileExpression, type Engines } from "../../../src/core/expression/compile/compile.ts";
import { toData, type Value } from "../../../src/core/expression/context.ts";
import type { Span } from "../../../src/core/expression/expression-error.ts";
import { createRregexEngine } from "../../../src/core/expression/rregex-engine.ts";
import {
  describeText,
  splitUrl,
  type DescribedRequest,
  type RequestText,
} from "../../../src/core/judging/described-request.ts";
import { requestContext, type ZoneOfRequest } from "../../../src/core/judging/request-fields.ts";
import { defaultUrlNormalization } from "../../../src/core/transforms/url-normalization.ts";

/** The reason why an expression holds for a request, or does not. */
export interface ExplainedExpression {
  readonly value: boolean;
  /** The parts of the text that decided, with what they looked at. */
  readonly decisions: readonly {
    readonly span: Span;
    readonly looked: readonly { readonly at: string; readonly found: string | undefined }[];
  }[];
}

/** A request as far as a page knows it. The address is empty where only the server knows it. */
export interface RequestOnPage
  extends
    RequestText,
    Pick<DescribedRequest, "method" | "protocol" | "address" | "time" | "known">,
    Pick<ZoneOfRequest, "zone"> {
  readonly url: string;
}

export interface Explainer {
  /** Undefined for what cannot be judged here, such as a list of the account. */
  readonly explain: (source: string, request: RequestOnPage) => ExplainedExpression | undefined;
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
    explain: (source, { url, zone, ...request }) => {
      const parts = splitUrl(url);
      if (parts === undefined) return undefined;
      try {
        const compiled = compileExpression(source, engines);
        try {
          const { value, decidedBy } = compiled.explain(
            requestContext(
              { ...request, ...describeText(request, parts) },
              { zone, urlNormalization: defaultUrlNormalization },
              parts,
              new Map(),
            ),
          );
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

function shown(found: Value | undefined): string | undefined {
  const data = toData(found);
  return typeof data === "string" ? data : JSON.stringify(data);
}
