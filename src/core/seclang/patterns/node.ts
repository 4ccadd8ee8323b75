import type { OctetSet } from "./octets.ts";

export type Assertion = "start" | "end" | "boundary" | "no-boundary";

export type PatternNode =
  | { readonly kind: "octet"; readonly octets: OctetSet }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "alternatives"; readonly branches: readonly PatternNode[] }
  | {
      readonly kind: "repetition";
      readonly part: PatternNode;
      readonly least: number;
      /** Infinity if there is no upper bound. */
      readonly most: number;
      readonly isLazy: boolean;
    }
  /** Groups count from 1. */
  | { readonly kind: "group"; readonly index: number; readonly part: PatternNode }
  | { readonly kind: "assertion"; readonly assertion: Assertion }
  | { readonly kind: "look-around"; readonly sign: "=" | "!" | "<=" | "<!"; readonly part: PatternNode }
  | { readonly kind: "reference"; readonly index: number };
