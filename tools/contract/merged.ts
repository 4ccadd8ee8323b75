import type { Schema } from "../../test/contract/references.ts";

/** The same schemas with one definition for all those that say the same: the SDK declares each answer by itself. */
export function merged(
  defs: Readonly<Record<string, Schema>>,
  schemas: Readonly<Record<string, Schema>>,
): { defs: Record<string, Schema>; schemas: Record<string, Schema> } {
  let state = { defs: { ...defs }, schemas: { ...schemas } };
  for (;;) {
    const first = new Map<string, string>();
    const sameAs = new Map<string, string>();
    for (const [name, schema] of Object.entries(state.defs).toSorted(byLengthOfName)) {
      const text = JSON.stringify(schema);
      const known = first.get(text);
      if (known === undefined) first.set(text, name);
      else sameAs.set(`#/$defs/${name}`, `#/$defs/${known}`);
    }
    if (sameAs.size === 0) return state;
    const replaced = JSON.parse(JSON.stringify(state), (key, value: unknown) =>
      key === "$ref" && typeof value === "string" ? (sameAs.get(value) ?? value) : value,
    ) as typeof state;
    state = {
      ...replaced,
      defs: Object.fromEntries(
        Object.entries(replaced.defs).filter(([name]) => !sameAs.has(`#/$defs/${name}`)),
      ),
    };
  }
}

const byLengthOfName = ([one]: [string, Schema], [other]: [string, Schema]): number =>
  one.length - other.length || (one < other ? -1 : 1);
