/**
 * How often a test of chance is tried: `few` times, which is what `npm test` has time for, or as often as the variable
 * `ROUNDS` says.
 */
export function roundsOr(few: number): number {
  const asked = process.env["ROUNDS"];
  if (asked === undefined) return few;
  const rounds = Number(asked);
  if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error(`ROUNDS must be a whole number: ${asked}`);
  return rounds;
}
