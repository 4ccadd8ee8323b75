import { LruMap } from "../../core/lru-map.ts";

type Qualities = (encoding: string) => number;

/** Visitors send few different values. */
const known = new LruMap<string, Qualities>(100);

/** The quality that `Accept-Encoding` gives an encoding; 0 for one that is not accepted (RFC 9110 section 12.5.3). */
export function encodingQualities(accepted: string): Qualities {
  let qualities = known.get(accepted);
  if (qualities === undefined) known.set(accepted, (qualities = readQualities(accepted)));
  return qualities;
}

function readQualities(accepted: string): Qualities {
  const qualities = new Map<string, number>();
  for (const entry of accepted.toLowerCase().split(",")) {
    const [name = "", quality] = entry.includes(";") ? entry.split(";", 2) : [entry];
    qualities.set(name.trim(), quality === undefined ? 1 : qualityOf(quality));
  }
  return (encoding) => qualities.get(encoding) ?? qualities.get("*") ?? 0;
}

const qualityOf = (parameter: string): number => Number(/^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1] ?? 1);
