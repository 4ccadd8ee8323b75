/** The number of tries of a test of chance: `few`, for which `npm test` has time, or the variable `ROUNDS`. */
export function roundsOr(few: number): number {
  const asked = process.env["ROUNDS"];
  if (asked === undefined) return few;
  const rounds = Number(asked);
  if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error(`ROUNDS must be a whole number: ${asked}`);
  return rounds;
}
