import {
  eachCount,
  type Access,
  type Argument,
  type Call,
  type Expression,
  type FieldReference,
  type Index,
  type Literal,
} from "../ast.ts";
import type { RequestContext, Value } from "../context.ts";
import type { Apply } from "./functions/call-site.ts";
import { findImplementation } from "./functions/implementations.ts";
import type { HashEngine, Patterns } from "../engines.ts";
import { printCall } from "../print.ts";
import { slotOf } from "../fields.ts";

/** Evaluates to a value of the request; undefined if the request has none. */
export type Evaluate = (context: RequestContext) => Value | undefined;

/** Called for each of several values; true stops the iteration. */
export type Visit = (value: Value, context: RequestContext) => boolean;

/** Calls a `Visit` for each of several values. Returns whether it was stopped; undefined without values. */
export type Walk = (context: RequestContext) => boolean | undefined;

/** Shared by the parts of the compiler. */
export interface Compiler {
  readonly patterns: Patterns;
  readonly hashes: HashEngine;
  /** Takes an expression of type `Bool`, or of type `Array<Bool>` as an argument. */
  readonly compileCondition: (expression: Expression) => Evaluate;
}

/** With `[*]`, the value is an array. */
export function compileAccess(compiler: Compiler, access: Access): Evaluate {
  if (eachCount(access) > 0) return collect((visit) => compileWalk(compiler, access, visit));
  return withIndexes(compileBase(compiler, access.base), access.indexes);
}

/** Visits the elements of an access with `[*]`, without allocating. */
export function compileWalk(compiler: Compiler, { base, indexes }: Access, visit: Visit): Walk {
  const at = indexes.findIndex(({ kind }) => kind === "each");
  const visitElements = visitEach(indexes.slice(at), visit);
  if (at === 0 && base.kind === "call" && isMapped(base)) {
    // Avoids building the array of a mapped function's results.
    const visitResult = visitEach(indexes.slice(1), visit);
    return walkMapped(compiler, base, visitResult);
  }
  const evaluate = withIndexes(compileBase(compiler, base), indexes.slice(0, at));
  return (context) => {
    const value = evaluate(context);
    return value === undefined ? undefined : visitElements(value, context);
  };
}

function visitEach(indexes: readonly Index[], visit: Visit): Visit {
  const [index, ...rest] = indexes;
  if (index === undefined) return visit;
  const next = visitEach(rest, visit);
  if (index.kind !== "each") {
    return (value, context) => {
      const element = elementAt(value, index);
      return element !== undefined && next(element, context);
    };
  }
  return (value, context) => {
    const elements = value instanceof Map ? value.values() : (value as readonly Value[]);
    for (const element of elements) if (next(element, context)) return true;
    return false;
  };
}

function elementAt(value: Value, index: Exclude<Index, { readonly kind: "each" }>): Value | undefined {
  return index.kind === "key"
    ? (value as ReadonlyMap<string, Value>).get(index.key)
    : (value as readonly Value[])[index.position];
}

function collect(compile: (visit: Visit) => Walk): Evaluate {
  let collected: Value[] = [];
  const walk = compile((value) => {
    collected.push(value);
    return false;
  });
  return (context) => {
    collected = [];
    return walk(context) === undefined ? undefined : collected;
  };
}

function withIndexes(evaluate: Evaluate, indexes: readonly Index[]): Evaluate {
  return indexes.reduce<Evaluate>((inner, index) => {
    if (index.kind === "each") return inner;
    if (index.kind === "key") {
      const { key } = index;
      return (context) => (inner(context) as ReadonlyMap<string, Value> | undefined)?.get(key);
    }
    const { position } = index;
    return (context) => (inner(context) as readonly Value[] | undefined)?.[position];
  }, evaluate);
}

function compileBase(compiler: Compiler, base: FieldReference | Call): Evaluate {
  if (base.kind === "field") {
    const slot = slotOf(base.field);
    return (context) => context.valueAt(slot);
  }
  if (isMapped(base)) return collect((visit) => walkMapped(compiler, base, visit));
  const apply = compileCall(compiler, base);
  const [first] = base.args;
  const evaluateFirst = first === undefined ? nothing : compileArgument(compiler, first);
  const evaluate: Evaluate = (context) => apply(evaluateFirst(context), context);
  if (!isShared(base)) return evaluate;
  const text = printCall(base);
  return (context) => context.resultOf(text, evaluate);
}

const sharedFunctions: ReadonlySet<string> = new Set(["lower", "url_decode"]);

function isShared({ function: { name }, args: [first] }: Call): boolean {
  if (!sharedFunctions.has(name) || first?.kind !== "access" || first.access.indexes.length > 0) return false;
  const { base } = first.access;
  return base.kind === "field" || isShared(base);
}

const nothing: Evaluate = () => undefined;

function isMapped({ args: [first] }: Call): boolean {
  return first?.kind === "access" && eachCount(first.access) > 0;
}

function walkMapped(compiler: Compiler, call: Call, visit: Visit): Walk {
  const apply = compileCall(compiler, call);
  const [first] = call.args;
  if (first?.kind !== "access") return () => undefined;
  return compileWalk(compiler, first.access, (value, context) => {
    const result = apply(value, context);
    return result !== undefined && visit(result, context);
  });
}

function compileCall(compiler: Compiler, { function: definition, args }: Call): Apply {
  const rest = args.slice(1);
  return findImplementation(definition.name)({
    literals: args.map((argument) =>
      argument.kind === "literal" ? literalValue(argument.literal) : undefined,
    ),
    rest: rest.map((argument) => compileArgument(compiler, argument)),
    patterns: compiler.patterns,
    hashes: compiler.hashes,
  });
}

function compileArgument(compiler: Compiler, argument: Argument): Evaluate {
  if (argument.kind === "access") return compileAccess(compiler, argument.access);
  if (argument.kind === "condition") return compiler.compileCondition(argument.expression);
  const value = literalValue(argument.literal);
  return () => value;
}

/** The value of a literal: from here on integers are numbers. */
function literalValue(literal: Literal): Value {
  return literal.kind === "int" ? Number(literal.value) : literal.value;
}
