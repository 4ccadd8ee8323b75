import type { Span } from "./expression-error.ts";
import type { FieldDefinition } from "./fields.ts";
import type { FunctionDefinition } from "./functions.ts";
import type { IpAddress } from "../net/ip-address.ts";
import type { IpRange } from "../net/ip-range.ts";
import type { ScalarType, ValueType } from "./value-type.ts";

/** A syntax tree; `span` is the place of a node in the text. */
export type Expression = Constant | Group | Not | Logical | Quantifier | Comparison;

interface Node {
  readonly span: Span;
}

interface Constant extends Node {
  readonly kind: "constant";
  readonly value: boolean;
}

interface Group extends Node {
  readonly kind: "group";
  readonly operand: Expression;
}

interface Not extends Node {
  readonly kind: "not";
  readonly operand: Expression;
}

export type LogicalOperator = "or" | "xor" | "and";

/** Two or more operands with the same operator between them. */
export interface Logical extends Node {
  readonly kind: "logical";
  readonly operator: LogicalOperator;
  readonly operands: readonly Expression[];
}

/** `any(...)` or `all(...)` of an expression that is true or false for each element of an array. */
export interface Quantifier extends Node {
  readonly kind: "quantifier";
  readonly quantifier: "any" | "all";
  readonly operand: Expression;
}

export interface Comparison extends Node {
  readonly kind: "comparison";
  readonly left: Access;
  readonly test: Test;
}

/** A field or the result of a function, with the indexes after it. */
export interface Access extends Node {
  readonly kind: "access";
  readonly base: FieldReference | Call;
  readonly indexes: readonly Index[];
  /** The type of one value; with `[*]`, of each element. */
  readonly type: ValueType;
}

export interface FieldReference extends Node {
  readonly kind: "field";
  readonly field: FieldDefinition;
}

export interface Call extends Node {
  readonly kind: "call";
  readonly function: FunctionDefinition;
  readonly args: readonly Argument[];
  /** The type of the whole call: an array when its first argument has `[*]`. */
  readonly type: ValueType;
}

export type Argument =
  | { readonly kind: "access"; readonly access: Access }
  | { readonly kind: "condition"; readonly expression: Expression }
  | { readonly kind: "literal"; readonly literal: Literal };

export type Index =
  | { readonly kind: "each" }
  | { readonly kind: "position"; readonly position: number }
  /** `key` is a byte string. */
  | { readonly kind: "key"; readonly key: string };

export type OrderingOperator = "eq" | "ne" | "lt" | "le" | "gt" | "ge";
export type WildcardOperator = "wildcard" | "strict wildcard";

export type Test =
  | { readonly kind: "is true" }
  | { readonly kind: "ordering"; readonly operator: OrderingOperator; readonly literal: Literal }
  | { readonly kind: "bitwise and"; readonly mask: bigint }
  | { readonly kind: "contains"; readonly part: BytesLiteral }
  | { readonly kind: "matches"; readonly pattern: PatternLiteral }
  | {
      readonly kind: "wildcard";
      readonly operator: WildcardOperator;
      readonly pattern: BytesLiteral;
    }
  | { readonly kind: "in set"; readonly set: LiteralSet }
  | { readonly kind: "in list"; readonly list: string; readonly type: ScalarType };

export type Literal = BytesLiteral | IntLiteral | IpLiteral;

/** The notation of a string: between quotes, raw with this many `#`, or as octets in hexadecimal. */
export type Notation =
  | { readonly kind: "quoted" }
  | { readonly kind: "raw"; readonly hashes: number }
  | { readonly kind: "octets" };

export interface BytesLiteral {
  readonly kind: "bytes";
  readonly value: string;
  readonly notation: Notation;
}

interface IntLiteral {
  readonly kind: "int";
  readonly value: bigint;
}

interface IpLiteral {
  readonly kind: "ip";
  readonly value: IpAddress;
}

export interface PatternLiteral extends Node {
  readonly text: string;
  readonly notation: Exclude<Notation, { readonly kind: "octets" }>;
}

export type LiteralSet =
  | { readonly kind: "bytes"; readonly items: readonly BytesLiteral[] }
  | { readonly kind: "int"; readonly items: readonly IntRange[] }
  | { readonly kind: "ip"; readonly items: readonly IpItem[] };

/** Integers from `first` to `last`, both included. */
export interface IntRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** An address, a network (`bits`), or a range. */
export type IpItem =
  | { readonly kind: "address"; readonly address: IpAddress }
  | { readonly kind: "network"; readonly address: IpAddress; readonly bits: number }
  | ({ readonly kind: "range" } & IpRange);

/** Counts the `[*]` of an access. */
export function eachCount({ indexes }: Access): number {
  return indexes.filter(({ kind }) => kind === "each").length;
}

/** `Bool`, or `Array<Bool>` for an expression that holds once for each element. */
export function typeOf(expression: Expression): "Bool" | "Array<Bool>" {
  switch (expression.kind) {
    case "constant":
    case "quantifier":
      return "Bool";
    case "group":
    case "not":
      return typeOf(expression.operand);
    case "logical":
      return expression.operands[0] === undefined ? "Bool" : typeOf(expression.operands[0]);
    case "comparison": {
      const { left, test } = expression;
      const isVector = eachCount(left) > 0 || (test.kind === "is true" && left.type !== "Bool");
      return isVector ? "Array<Bool>" : "Bool";
    }
  }
}

/** The comparisons of an expression, in order, without those within the arguments of functions. */
export function comparisonsIn(expression: Expression): readonly Comparison[] {
  switch (expression.kind) {
    case "constant":
      return [];
    case "group":
    case "not":
    case "quantifier":
      return comparisonsIn(expression.operand);
    case "logical":
      return expression.operands.flatMap(comparisonsIn);
    case "comparison":
      return [expression];
  }
}
