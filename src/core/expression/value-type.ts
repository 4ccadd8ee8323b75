/** `Bytes` is a string of octets. */
export type ScalarType = "Bool" | "Bytes" | "Int" | "Ip";

/** In the notation of error messages. */
export type ValueType = ScalarType | `Array<${string}>` | `Map<${string}>`;

/** The element type of an array or map; undefined for a scalar. */
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
