import init, { RRegex } from "rregex";

import { ExpressionError, type Span } from "../../../src/core/expression/expression-error.ts";
import { neutralFieldText } from "../../../src/core/expression/field-values.ts";
import { fields } from "../../../src/core/expression/fields.ts";
import { functions } from "../../../src/core/expression/functions.ts";
import { parseExpression, parseValueExpression } from "../../../src/core/expression/parse.ts";
import {
  includesPlan,
  type Availability,
  type Phase,
  type Plan,
} from "../../../src/core/expression/phases.ts";
import { Patterns } from "../../../src/core/expression/engines.ts";
import { createRregexEngine } from "../../../src/core/expression/rregex-engine.ts";
import type { ValueType } from "../../../src/core/expression/value-type.ts";
import type { ExpressionUse as Purpose } from "../../../src/core/rulesets/rule-context.ts";
import type { Completion } from "./completions.ts";
import type { Group } from "./conditions.ts";
import { readConditions } from "./read-conditions.ts";

/** The place of an expression, which decides the fields and functions that it may have. */
export interface ExpressionUse {
  readonly phase: Phase;
  readonly plan: Plan | undefined;
  /** A condition on requests unless it says so. */
  readonly purpose?: Purpose;
}

export interface FieldChoice {
  readonly name: string;
  readonly type: ValueType;
  /**
   * The reason why a condition about it is met by every request or by none; undefined where requests tell its value.
   */
  readonly note: string | undefined;
}

/** The reason why a text is no expression for its use, and the part of the text that it is about. */
export interface ExpressionIssue {
  readonly reason: string;
  readonly span: Span;
}

/** The language of the server, in the browser: the same code, and the same regular expressions. */
export interface ExpressionChecker {
  readonly issueIn: (source: string, use: ExpressionUse) => ExpressionIssue | undefined;
  readonly completions: (use: ExpressionUse) => Completion[];
  readonly fields: (use: ExpressionUse) => FieldChoice[];
  /** The conditions of a text; undefined where it is no expression or one of another structure. */
  readonly conditionsIn: (source: string) => Group[] | undefined;
}

/** Loads the WebAssembly of the regular expressions. */
export async function createExpressionChecker(): Promise<ExpressionChecker> {
  const wasm = await init();
  const engine = createRregexEngine(() => ({ RRegex, __wasm: wasm }));
  return {
    issueIn: (source, use) => {
      const patterns = new Patterns(engine);
      try {
        parseFor(source, use, patterns);
        return undefined;
      } catch (error) {
        if (error instanceof ExpressionError) return { reason: error.reason, span: error.span };
        throw error;
      } finally {
        patterns.free();
      }
    },
    conditionsIn: (source) => {
      try {
        return readConditions(parseExpression(source));
      } catch (error) {
        if (error instanceof ExpressionError) return undefined;
        throw error;
      }
    },
    fields: fieldsOf,
    completions: (use) => [
      ...fieldsOf(use).map(({ name, type, note }) => ({
        name,
        insert: name,
        detail: note === undefined ? type : `${type}, the same for every request`,
      })),
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

const fieldsOf = (use: ExpressionUse): FieldChoice[] =>
  fields
    .filter((field) => field.replacedBy === undefined && isAvailable(field, use))
    .map((field) => ({ name: field.name, type: field.type, note: neutralFieldText(field) }));

const valueTypes: Readonly<Partial<Record<Purpose, readonly ValueType[]>>> = {
  text: ["Bytes"],
  texts: ["Array<Bytes>"],
  scalar: ["Bytes", "Ip", "Int", "Bool"],
};

/** Parses a text like the server for the purpose. */
function parseFor(source: string, { phase, plan, purpose = "filter" }: ExpressionUse, patterns: Patterns) {
  const options = { phase, plan, patterns };
  if (purpose === "filter") return parseExpression(source, options);
  if (purpose === "count")
    return parseExpression(source, { ...options, laterPhase: "http_log_custom_fields" });
  const types = valueTypes[purpose];
  return parseValueExpression(source, { ...options, ...(types && { valueTypes: types }) });
}

function isAvailable({ phases, plan: needed }: Availability, { phase, plan }: ExpressionUse): boolean {
  return (
    phases?.includes(phase) !== false &&
    (plan === undefined || needed === undefined || includesPlan(plan, needed))
  );
}
