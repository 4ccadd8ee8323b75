export const severities = [
  "EMERGENCY",
  "ALERT",
  "CRITICAL",
  "ERROR",
  "WARNING",
  "NOTICE",
  "INFO",
  "DEBUG",
] as const;

/** How bad a match is; rules may also write the index. */
export type Severity = (typeof severities)[number];

const scores: Readonly<Partial<Record<Severity, number>>> = { CRITICAL: 5, ERROR: 4, WARNING: 3, NOTICE: 2 };

/** What a match adds to the score of a request. */
export function scoreOf(severity: Severity | undefined): number {
  return (severity && scores[severity]) ?? 0;
}
