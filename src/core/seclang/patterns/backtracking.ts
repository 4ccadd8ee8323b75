import type { PatternNode } from "./parse.ts";
import { membersOf, octetCount, type OctetSet } from "./octets.ts";

/** Translates a pattern to a JavaScript RegExp, for look-around and back references. */
export function compileBacktracking(root: PatternNode): RegExp {
  return new RegExp(written(root), "");
}

const assertions = { start: "^", end: "$", boundary: String.raw`\b`, "no-boundary": String.raw`\B` } as const;

function written(node: PatternNode): string {
  switch (node.kind) {
    case "octet":
      return classOf(node.octets);
    case "sequence":
      return node.parts.map(written).join("");
    case "alternatives":
      return `(?:${node.branches.map(written).join("|")})`;
    case "repetition": {
      const { part, least, most, isLazy } = node;
      return `(?:${written(part)}){${least},${most === Infinity ? "" : most}}${isLazy ? "?" : ""}`;
    }
    case "group":
      return `(${written(node.part)})`;
    case "assertion":
      return assertions[node.assertion];
    case "look-around":
      return `(?${node.sign}${written(node.part)})`;
    case "reference":
      return `(?:\\${node.index})`;
  }
}

function classOf(set: OctetSet): string {
  const members = membersOf(set);
  if (members.length === octetCount) return "[^]";
  const ranges: [first: number, last: number][] = [];
  for (const octet of members) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === octet - 1) last[1] = octet;
    else ranges.push([octet, octet]);
  }
  return `[${ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join("")}]`;
}

function escaped(octet: number): string {
  return String.raw`\x${octet.toString(16).padStart(2, "0")}`;
}
