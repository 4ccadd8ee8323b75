import { isJsonObject } from "../json-object.ts";
import { follows, objectOf, type Check, type Issue } from "../validate/check.ts";
import { integerBetween, oneOf, textOf, type Rule } from "../validate/rules.ts";
import { listeners, type Listener } from "./exchange.ts";
import { carriers, type EffectType, type FaultRule, type Occurrence } from "./fault.ts";
import { matchCheck, type OperationNames } from "./match.ts";

const dayMs = 86_400_000;

const share: Rule<number> = {
  rule: "must be a number from 0 to 1",
  accepts: (value): value is number => typeof value === "number" && value >= 0 && value <= 1,
};
const counted = follows(integerBetween(1, 1_000_000_000));
const milliseconds = follows(integerBetween(0, dayMs));
const failureStatus = follows(integerBetween(400, 599));

const spread: Check = (value, pointer, issues) => {
  if (!isJsonObject(value)) {
    follows({
      ...integerBetween(0, dayMs),
      rule: `must be milliseconds from 0 to ${dayMs}, or an object with \`min\` and \`max\``,
    })(value, pointer, issues);
    return;
  }
  objectOf({ min: milliseconds, max: milliseconds }, { required: ["min", "max"] })(value, pointer, issues);
  if (Number(value["min"]) > Number(value["max"])) {
    issues.push({ pointer: `${pointer}/max`, rule: "must not be less than `min`" });
  }
};

interface Form {
  readonly members: Readonly<Record<string, Check>>;
  readonly required?: readonly string[];
}

const forms: Readonly<Record<EffectType, Form>> = {
  error: {
    members: {
      status: failureStatus,
      code: follows(integerBetween(-1_000_000, 1_000_000)),
      message: follows(textOf(/^.{1,1000}$/s, "must be a text of 1 to 1000 characters")),
    },
  },
  rate_limit: { members: { retry_after_seconds: follows(integerBetween(0, 86_400)) } },
  latency: { members: { ms: spread }, required: ["ms"] },
  slow_body: {
    members: { bytes_per_second: follows(integerBetween(1, 1_000_000_000)) },
    required: ["bytes_per_second"],
  },
  close: { members: { when: follows(oneOf("before", "within", "after")) }, required: ["when"] },
  lost_answer: { members: {} },
  bad_json: { members: { form: follows(oneOf("truncated", "malformed")) }, required: ["form"] },
  html: { members: { status: failureStatus } },
  stale_read: { members: {} },
  page: {
    members: { form: follows(oneOf("repeated", "missing")), page: follows(integerBetween(2, 1_000_000)) },
    required: ["form"],
  },
};

const effectTypes = Object.keys(forms) as readonly EffectType[];
const effectType = oneOf(...effectTypes);

const effect: Check = (value, pointer, issues) => {
  const type = isJsonObject(value) ? value["type"] : undefined;
  if (!effectType.accepts(type)) {
    objectOf({ type: follows(effectType) }, { required: ["type"] })(
      isJsonObject(value) ? (type === undefined ? {} : { type }) : value,
      pointer,
      issues,
    );
    return;
  }
  const { members, required = [] } = forms[type];
  objectOf({ type: follows(effectType), ...members }, { required })(value, pointer, issues);
};

const occurrence: Readonly<Record<keyof Occurrence, Check>> = {
  share: follows(share),
  seed: follows(integerBetween(0, 2 ** 32 - 1)),
  next: counted,
  every: counted,
};

/** Checks `FaultRule`, of untrusted JSON. */
export function faultRuleCheck(operations: OperationNames): Check {
  const name = follows(textOf(/^.{1,200}$/, "must be a text of 1 to 200 characters"));
  const rule = objectOf(
    { name, match: matchCheck(operations, occurrence), effect },
    { required: ["effect"] },
  );
  return (value, pointer, issues) => {
    const before = issues.length;
    rule(value, pointer, issues);
    if (issues.length === before) checkCarrier(value as FaultRule, pointer, issues);
  };
}

function checkCarrier({ match, effect: { type } }: FaultRule, pointer: string, issues: Issue[]): void {
  const named: Listener | undefined = listeners.find((listener) => listener === match?.listener);
  if (named === undefined || carriers[type].includes(named)) return;
  issues.push({
    pointer: `${pointer}/effect/type`,
    rule: `is carried by ${carriers[type].join(", ")} and not by ${named}`,
  });
}
