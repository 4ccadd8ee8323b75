/** `Bytes` is a string of octets. */
export type ScalarType = "Bool" | "Bytes" | "Int" | "Ip";

/** A type, in the notation of error messages. */
export type ValueType = ScalarType | `Array<${string}>` | `Map<${string}>`;

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
