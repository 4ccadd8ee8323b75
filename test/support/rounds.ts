/** Whether all runs that there is, as `.ci/run` asks for: `npm test` spares some of what other tests show too. */
export const isWhole = process.env["WHOLE"] === "yes";

const today = Math.floor(Date.now() / (24 * 60 * 60 * 1_000));

/** Each day another third of the cases, and all where `isWhole`. */
export function thirdOf<Case>(cases: readonly Case[]): readonly Case[] {
  const parts = isWhole ? 1 : Math.min(3, cases.length);
  return cases.filter((_, index) => (index + today) % parts === 0);
}

/** The number of tries of a test of chance: `few`, for which `npm test` has time, or the variable `ROUNDS`. */
export function roundsOr(few: number): number {
  const asked = process.env["ROUNDS"];
  if (asked === undefined) return few;
  const rounds = Number(asked);
  if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error(`ROUNDS must be a whole number: ${asked}`);
  return rounds;
}
