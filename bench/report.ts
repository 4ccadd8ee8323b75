/** One line of the result. */
export interface Finding {
  readonly what: string;
  /** One value a round. */
  readonly values: readonly number[];
  readonly unit: "x" | "ns" | "us" | "ms" | "kB" | "MB" | "records/s" | "requests/s" | "zones/s" | "";
  /** The most that is allowed, and what is aimed at; absent where a line is for information. */
  readonly budget?: { readonly most: number; readonly aim?: number } | { readonly least: number };
}

const digitsOf = {
  x: 2,
  ns: 1,
  us: 1,
  ms: 0,
  kB: 1,
  MB: 0,
  "records/s": 0,
  "requests/s": 0,
  "zones/s": 0,
  "": 0,
} as const;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** A table in Markdown, so that it can be pasted into the documents as it is. */
export function renderTable(findings: readonly Finding[]): string {
  const rows = [["", "median", "min - max", "budget", "aim", "verdict"], ...findings.map(toRow)];
  const widths =
    rows[0]?.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}

function toRow({ what, values, unit, budget }: Finding): string[] {
  const show = (value: number | undefined): string =>
    value === undefined ? "" : `${value.toFixed(digitsOf[unit])} ${unit}`.trim();
  const middle = median(values);
  return [
    what,
    show(middle),
    values.length > 1 ? `${show(Math.min(...values))} - ${show(Math.max(...values))}` : "",
    budget !== undefined && "least" in budget ? `at least ${show(budget.least)}` : show(budget?.most),
    budget !== undefined && "aim" in budget ? show(budget.aim) : "",
    budget === undefined ? "" : verdict(middle, budget),
  ];
}

function verdict(value: number, budget: NonNullable<Finding["budget"]>): string {
  if ("least" in budget) return value < budget.least ? "under" : "within budget";
  const { most, aim } = budget;
  if (value > most) return "over";
  return aim !== undefined && value <= aim ? "within budget, aim met" : "within budget";
}
