import {
  typeOf,
  type Access,
  type Comparison,
  type Expression,
  type Logical,
  type Quantifier,
} from "../ast.ts";
import { compileAccess, compileWalk, type Compiler, type Evaluate, type Walk } from "./compile-access.ts";
import { compileTest } from "./compile-test.ts";
import type { RequestContext, Value, Part } from "../context.ts";
import { explain, type Explanation } from "./explain.ts";
import { type HashEngine, Patterns, type RegexEngine } from "../engines.ts";
import { parseExpression, parseValueExpression } from "../parse.ts";
import type { ParseOptions } from "../parser.ts";
import { costOf, isOfBody } from "../cost.ts";
import { listsOf } from "../named-lists.ts";
import { printAccess, printExpression } from "../print.ts";
import { slotOf } from "../fields.ts";

type Predicate = (context: RequestContext) => boolean;

/** A compiled expression. It owns the memory of its regular expressions until it is freed. */
export interface CompiledExpression {
  readonly expression: Expression;
  readonly evaluate: Predicate;
  /** Also returns the comparisons that decided. */
  readonly explain: (context: RequestContext) => Explanation;
  /** The expression must not be evaluated afterwards. */
  readonly free: () => void;
  /** An estimate of the memory that its regular expressions take. */
  readonly octets: number;
}

export interface CompiledValueExpression {
  readonly expression: Access;
  readonly evaluate: Evaluate;
  readonly free: () => void;
  readonly octets: number;
}

/** The engines that live outside the core. */
export interface Engines {
  readonly regexes: RegexEngine;
  readonly hashes: HashEngine;
}

export type CompileOptions = Omit<ParseOptions, "patterns">;

/** Parses and compiles a filter. Throws an ExpressionError, and frees all memory. */
export function compileExpression(
  source: string,
  engines: Engines,
  options: CompileOptions = {},
): CompiledExpression {
  return owning(engines.regexes, (patterns) => {
    const expression = parseExpression(source, { ...options, patterns });
    const compiler = createCompiler(patterns, engines.hashes);
    return {
      expression,
      evaluate: compilePredicate(compiler, expression),
      explain: (context) => explain(expression, { context, compiler, compilePredicate }),
    };
  });
}

/** Parses and compiles a value expression. Throws an ExpressionError, and frees all memory. */
export function compileValueExpression(
  source: string,
  engines: Engines,
  options: CompileOptions = {},
): CompiledValueExpression {
  return owning(engines.regexes, (patterns) => {
    const expression = parseValueExpression(source, { ...options, patterns });
    const evaluate = compileAccess(createCompiler(patterns, engines.hashes), expression);
    return { expression, evaluate: judgedApart(expression, evaluate) };
  });
}

function owning<Result>(
  engine: RegexEngine,
  compile: (patterns: Patterns) => Result,
): Result & { readonly free: () => void; readonly octets: number } {
  const patterns = new Patterns(engine);
  try {
    const compiled = compile(patterns);
    return { ...compiled, free: () => patterns.free(), octets: patterns.octets };
  } catch (error) {
    patterns.free();
    throw error;
  }
}

function createCompiler(patterns: Patterns, hashes: HashEngine): Compiler {
  const compiler: Compiler = {
    patterns,
    hashes,
    compileCondition: (expression) =>
      typeOf(expression) === "Bool"
        ? compilePredicate(compiler, expression)
        : compileVector(compiler, expression),
  };
  return compiler;
}

function compilePredicate(compiler: Compiler, expression: Expression): Predicate {
  switch (expression.kind) {
    case "constant": {
      const { value } = expression;
      return () => value;
    }
    case "group":
      return compilePredicate(compiler, expression.operand);
    case "not": {
      const operand = compilePredicate(compiler, expression.operand);
      return (context) => !operand(context);
    }
    case "logical":
      return compileLogical(compiler, expression);
    case "quantifier":
      return judgedApart(expression, compileQuantifier(compiler, expression)) as Predicate;
    case "comparison":
      return judgedApart(expression, compileComparison(compiler, expression)) as Predicate;
  }
}

/**
 * Leaves a part to the request's judge of parts. A part whose result is not known yet is false, or a missing
 * value.
 */
function judgedApart(part: Comparison | Quantifier | Access, evaluate: Evaluate): Evaluate {
  const costly = partOf(part);
  if (costly === undefined) return evaluate;
  return (context) =>
    context.parts === undefined ? evaluate(context) : context.parts.judge(costly, context, evaluate);
}

function compileLogical(compiler: Compiler, { operator, operands }: Logical): Predicate {
  const predicates = operands.map((operand) => compilePredicate(compiler, operand));
  if (operator === "xor") {
    return predicates.reduce((before, last) => (context) => before(context) !== last(context));
  }
  return operator === "and" ? allOf(predicates) : oneOf(predicates);
}

// A function for each number of operands runs faster than a loop. From four operands on they are grouped.
function allOf([first = always, second = always, third, ...others]: readonly Predicate[]): Predicate {
  if (third === undefined) return (context) => first(context) && second(context);
  const rest = others.length === 0 ? third : allOf([third, ...others]);
  return (context) => first(context) && second(context) && rest(context);
}

function oneOf([first = always, second = always, third, ...others]: readonly Predicate[]): Predicate {
  if (third === undefined) return (context) => first(context) || second(context);
  const rest = others.length === 0 ? third : oneOf([third, ...others]);
  return (context) => first(context) || second(context) || rest(context);
}

const always: Predicate = () => true;

function compileComparison(compiler: Compiler, { left, test }: Comparison): Predicate {
  const passes = compileTest(test, compiler.patterns);
  const evaluate = compileAccess(compiler, left);
  return (context) => {
    const value = evaluate(context);
    return value !== undefined && passes(value, context);
  };
}

/** A missing array makes either quantifier false; an empty one makes `all` true. */
function compileQuantifier(compiler: Compiler, { quantifier, operand }: Quantifier): Predicate {
  const walk = compileSearch(compiler, operand, quantifier === "any");
  return quantifier === "any" ? (context) => walk(context) === true : (context) => walk(context) === false;
}

/** Searches for the first element for which the expression is `wanted`. */
function compileSearch(compiler: Compiler, expression: Expression, wanted: boolean): Walk {
  if (expression.kind === "group") return compileSearch(compiler, expression.operand, wanted);
  if (expression.kind === "not") return compileSearch(compiler, expression.operand, !wanted);
  if (expression.kind === "comparison") {
    const test = compileTest(expression.test, compiler.patterns);
    return compileWalk(compiler, elementsOf(expression), (value, context) => test(value, context) === wanted);
  }
  const vector = compileVector(compiler, expression);
  return (context) => vector(context)?.includes(wanted);
}

/** The elements that a comparison in a quantifier applies to: `any(f(a[*]))` means `any(f(a[*])[*])`. */
function elementsOf({ left }: Comparison): Access {
  return left.type === "Array<Bool>" ? { ...left, indexes: [...left.indexes, { kind: "each" }] } : left;
}

type Vector = (context: RequestContext) => boolean[] | undefined;

/** Whether an expression holds for each element; operands are cut to the shortest. */
function compileVector(compiler: Compiler, expression: Expression): Vector {
  if (expression.kind === "group") return compileVector(compiler, expression.operand);
  if (expression.kind === "not") {
    const operand = compileVector(compiler, expression.operand);
    return (context) => operand(context)?.map((value) => !value);
  }
  if (expression.kind === "logical") {
    const [first, ...others] = expression.operands.map((operand) => compileVector(compiler, operand));
    const { operator } = expression;
    return (context) =>
      others.reduce<boolean[] | undefined>(
        (vector, other) => combinedVectors(operator, vector, other(context)),
        first?.(context),
      );
  }
  if (expression.kind !== "comparison") return () => undefined;
  const test = compileTest(expression.test, compiler.patterns);
  const evaluate = compileAccess(compiler, elementsOf(expression));
  return (context) => (evaluate(context) as Value[] | undefined)?.map((value) => test(value, context));
}

function combinedVectors(
  operator: Logical["operator"],
  one: boolean[] | undefined,
  other: boolean[] | undefined,
): boolean[] | undefined {
  if (one === undefined || other === undefined) return undefined;
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).map((value, index) => {
    const second = other[index] === true;
    if (operator === "xor") return value !== second;
    return operator === "and" ? value && second : value || second;
  });
}

/** Units for each octet below which a part is evaluated in place, whatever it reads. */
const unitsMin = 0.2;

/** The part that a node is; undefined if it takes little, whatever it reads. */
function partOf(node: Comparison | Quantifier | Access): Part | undefined {
  const cost = costOf(node);
  let bodyUnits = 0;
  let most = 0;
  const reads: { slot: number; units: number }[] = [];
  for (const [field, units] of cost) {
    most = Math.max(most, units);
    if (isOfBody(field)) bodyUnits += units;
    else reads.push({ slot: slotOf(field), units });
  }
  if (most < unitsMin) return undefined;
  const isValue = node.kind === "access";
  return {
    kind: isValue ? "value" : "filter",
    text: isValue ? printAccess(node) : printExpression(node),
    reads,
    bodyUnits,
    namesLists: !isValue && listsOf(node).length > 0,
  };
}
