/** A type without parts. `Bytes` is what the documents call a string: a sequence of octets. */
export type ScalarType = "Bool" | "Bytes" | "Int" | "Ip";

/** A type in the notation of error messages: `Map<Array<Bytes>>` holds, by key, arrays of strings. */
export type ValueType = ScalarType | `Array<${string}>` | `Map<${string}>`;

/** What an array or a map of this type holds; undefined for a scalar. */
export function elementType(type: ValueType): ValueType | undefined {
  const open = type.indexOf("<");
  return open === -1 ? undefined : (type.slice(open + 1, -1) as ValueType);
}

export function isArray(type: ValueType): boolean {
  return type.startsWith("Array<");
}

export function isMap(type: ValueType): boolean {
  return type.startsWith("Map<");
}
