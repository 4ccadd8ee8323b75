const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** "Auto", "5 min"; a TTL in the largest unit that divides it. */
export function ttlText(seconds: number): string {
  if (seconds === 1) return "Auto";
  const [unit, length] = units.find(([, unitSeconds]) => seconds % unitSeconds === 0) ?? units[3];
  return `${seconds / length} ${unit}`;
}

/** The TTLs to choose from. */
export const ttlChoices = [1, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 18_000, 43_200, 86_400];
