import init, { RRegex } from "rregex";

import { ExpressionError, type Span } from "../../../src/core/expression/expression-error.ts";
import { fields } from "../../../src/core/expression/fields.ts";
import { functions } from "../../../src/core/expression/functions.ts";
import { parseExpression } from "../../../src/core/expression/parse.ts";
import {
  includesPlan,
  type Availability,
  type Phase,
  type Plan,
} from "../../../src/core/expression/phases.ts";
import { Patterns } from "../../../src/core/expression/regex-engine.ts";
import { createRregexEngine } from "../../../src/core/expression/rregex-engine.ts";
import type { Completion } from "./completions.ts";

/** Where an expression is used: that decides which fields and functions it may have. */
export interface ExpressionUse {
  readonly phase: Phase;
  readonly plan: Plan | undefined;
}

/** Why a text is no expression that may be used, and which part of it is meant. */
export interface ExpressionIssue {
  readonly reason: string;
  readonly span: Span;
}

/** The language of the server, in the browser: the same code, and the same regular expressions. */
export interface ExpressionChecker {
  readonly issueIn: (source: string, use: ExpressionUse) => ExpressionIssue | undefined;
  readonly completions: (use: ExpressionUse) => Completion[];
}

/** Loads the WebAssembly of the regular expressions. */
export async function createExpressionChecker(): Promise<ExpressionChecker> {
  const wasm = await init();
  const engine = createRregexEngine(() => ({ RRegex, __wasm: wasm }));
  return {
    issueIn: (source, { phase, plan }) => {
      const patterns = new Patterns(engine);
      try {
        parseExpression(source, { phase, plan, patterns });
        return undefined;
      } catch (error) {
        if (error instanceof ExpressionError) return { reason: error.reason, span: error.span };
        throw error;
      } finally {
        patterns.free();
      }
    },
    completions: (use) => [
      ...fields
        .filter((field) => field.replacedBy === undefined && isAvailable(field, use))
        .map(({ name, type }) => ({ name, insert: name, detail: type })),
      ...functions
        .filter((definition) => isAvailable(definition, use))
        .map(({ name, parameters, returns }) => ({
          name,
          insert: `${name}(`,
          detail: `(${parameters.map((parameter) => parameter.name).join(", ")})${returns === undefined ? "" : ` → ${returns}`}`,
        })),
    ],
  };
}

function isAvailable({ phases, plan: needed }: Availability, { phase, plan }: ExpressionUse): boolean {
  return (
    phases?.includes(phase) !== false &&
    (plan === undefined || needed === undefined || includesPlan(plan, needed))
  );
}
