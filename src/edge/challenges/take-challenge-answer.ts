import { answeredMatch } from "../../core/judging/rule-matches.ts";
import { locationOf, rayIdOf } from "../../wire/ray.ts";
import type { OwnAnswer } from "../errors/pages.ts";
import type { RequestBody } from "../request/request-body.ts";
import type { Serving } from "../serving.ts";
import type { Visited } from "../request/visited.ts";

/** Bytes of the largest answer to a puzzle. */
const answerBytesMax = 4_096;

/** Takes the answer to a challenge, and tells the visitor whether it was correct. */
export async function takeChallengeAnswer(
  { challenges, judged }: Pick<Serving, "challenges" | "judged">,
  visited: Visited,
  body: Pick<RequestBody, "start"> | undefined,
): Promise<OwnAnswer> {
  const form = (await body?.start(answerBytesMax))?.octets.toString("latin1") ?? "";
  const { answered, answer } = challenges.take(visited, form);
  if (answered !== undefined) {
    judged({
      ...visited,
      ray: rayIdOf(visited.ray),
      colo: locationOf(visited.ray),
      matches: [answeredMatch(answered.match, answered.isSolved)],
      previousMatches: [],
      originatorRay: rayIdOf(answered.ray),
      edgeStatus: answer.status,
      originStatus: 0,
    });
  }
  return answer;
}
