import type { SecurityEvent } from "./event-queries.ts";

/** A rule of the Core Rule Set that added to the score of a request, with the value that it matched last. */
interface ScoringRule {
  readonly ruleId: string;
  readonly description: string;
  readonly score: number;
  readonly variable: string;
  readonly value: string;
}

const prefix = "match_";

const isScoringRule = (key: string): boolean => key.startsWith(prefix);

/**
 * The metadata of an event besides these rules; without the text of their names too, unless it names more of them.
 */
export function otherMetadata({ metadata }: Pick<SecurityEvent, "metadata">): SecurityEvent["metadata"] {
  const others = metadata.filter(({ key }) => !isScoringRule(key));
  const listed = metadata.length - others.length;
  return others.filter(({ key, value }) => key !== "scored_by" || value.split("; ").length > listed);
}

/** The rules that an event lists, the highest score first. */
export function scoringRulesOf({ metadata }: Pick<SecurityEvent, "metadata">): ScoringRule[] {
  return metadata
    .filter(({ key }) => isScoringRule(key))
    .map(({ key, value }) => {
      const { description, score, variable, value: matched } = JSON.parse(value) as ScoringRule;
      return { ruleId: key.slice(prefix.length), description, score, variable, value: matched };
    })
    .toSorted((one, other) => other.score - one.score);
}
