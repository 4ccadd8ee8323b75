import { addressFunctions } from "./addresses.ts";
import type { Implementation } from "./call-site.ts";
import { encodingFunctions } from "./encodings.ts";
import { hashFunctions } from "./hashes.ts";
import { jsonFunctions } from "./json.ts";
import { packetFunctions } from "./packets.ts";
import { replacementFunctions } from "./replacements.ts";
import { textFunctions } from "./text.ts";

const implementations: ReadonlyMap<string, Implementation> = new Map(
  Object.entries({
    ...addressFunctions,
    ...encodingFunctions,
    ...hashFunctions,
    ...jsonFunctions,
    ...packetFunctions,
    ...replacementFunctions,
    ...textFunctions,
  }),
);

/** Throws for a function of the scheme that has no implementation. */
export function findImplementation(name: string): Implementation {
  const implementation = implementations.get(name);
  if (implementation === undefined) throw new Error(`the function ${name} is not implemented`);
  return implementation;
}
