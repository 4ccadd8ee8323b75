/** Texts in turn with the numbers of groups. */
export type Replacement = readonly (string | number)[];

const groupMax = 8;
const referencesMax = 8;
const part = /\$\$|\$\{([1-9])\}|\$|[^$]+/g;

/** Parses `${1}` to `${8}` and `$$`. */
export function parseReplacement(bytes: string): Replacement | { readonly issue: string } {
  const parts: (string | number)[] = [];
  let references = 0;
  for (const [found, group] of bytes.matchAll(part)) {
    if (found === "$") return { issue: "a dollar sign must be `$$` or begin a reference such as `${1}`" };
    if (group === undefined) parts.push(found === "$$" ? "$" : found);
    else {
      references += 1;
      if (Number(group) > groupMax) return { issue: `references go up to \${${groupMax}}` };
      parts.push(Number(group));
    }
  }
  return references > referencesMax ? { issue: `more than ${referencesMax} references` } : parts;
}
