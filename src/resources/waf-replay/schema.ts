import { Type, type Static } from "@sinclair/typebox";

import { Nullable, OneOf } from "../../operation/schema.ts";

const Count = Type.Integer({ minimum: 0 });

const ActedRule = Type.Object({
  action: Type.String({ description: "`block`, `challenge`, `js_challenge`, `managed_challenge` or `log`." }),
  ruleset_id: Type.String({ description: "For the previous version, its package." }),
  rule_id: Type.String(),
  description: Type.String(),
  score: Type.Optional(Type.Integer({ description: "The sum of scores at which an OWASP rule acted." })),
});
export type ActedRule = Static<typeof ActedRule>;

const OwaspScores = Type.Object(
  {
    paranoia_level_1: Count,
    paranoia_level_2: Count,
    paranoia_level_3: Count,
    paranoia_level_4: Count,
  },
  { description: "The scores that the OWASP ruleset would reach at each paranoia level." },
);

const ReplayedRequest = Type.Object({
  entry: Type.Integer({
    description: "Its number in the file, from 1: an entry of a HAR or a line of a log.",
  }),
  recorded_on: Nullable(Type.String({ format: "date-time" })),
  method: Type.String(),
  url: Type.String({ description: "At most 2,048 characters of it." }),
  new: Nullable(ActedRule),
  previous: Nullable(ActedRule),
  owasp_scores: OwaspScores,
});
export type ReplayedRequest = Static<typeof ReplayedRequest>;

const Outcomes = Type.Object({ block: Count, challenge: Count, log: Count, pass: Count });
export type Outcomes = Static<typeof Outcomes>;

const ScoreDistribution = Type.Object({
  paranoia_level: Type.Integer(),
  highest: Count,
  at_least_25: Count,
  at_least_40: Count,
  at_least_60: Count,
});

/** The results of both versions of the managed rules for recorded requests. */
export const ReplayReport = Type.Object({
  format: OneOf(["har", "combined_log"]),
  migration_state: OneOf(["start", "validation", "complete"]),
  new_configuration: OneOf(["deployed", "proposed"], {
    description:
      "The rules used for the new version: those of the zone, or those that a migration would create.",
  }),
  requests: Type.Object({
    judged: Count,
    other_hosts: Type.Integer({
      minimum: 0,
      description: "Left out, because they were for no host of the zone.",
    }),
    unreadable: Type.Integer({
      minimum: 0,
      description: "Entries or lines that were skipped: they hold no valid request, or one that is too long.",
    }),
    decided_earlier: Type.Integer({
      minimum: 0,
      description: "Judged by neither version, because an earlier rule ended them.",
    }),
  }),
  unreadable_entries: Type.Array(Type.Object({ entry: Type.Integer(), reason: Type.String() }), {
    description: "The numbers of those that were skipped; the first 1,000.",
  }),
  new: Outcomes,
  previous: Type.Union([Outcomes, Type.Null()], {
    description: "Null once the previous version is turned off.",
  }),
  passed_by_new: Type.Array(ReplayedRequest, {
    description: "What the previous version blocks or challenges and the new one does not; the first 1,000.",
  }),
  passed_by_new_count: Type.Integer({ minimum: 0, description: "How many those are, listed or not." }),
  acted_on_by_new: Type.Array(ReplayedRequest, {
    description: "What the new version blocks, challenges or logs, as `new` counts them; the first 1,000.",
  }),
  owasp_scores: Type.Array(ScoreDistribution),
  events: Type.Integer({ minimum: 0, description: "Security events that were written." }),
});
export type ReplayReport = Static<typeof ReplayReport>;

export const ReplayProgress = Type.Object({
  judged: Count,
  requests: Type.Integer({ minimum: 0, description: "How many there are to judge." }),
  recorded_on: Nullable(Type.String({ format: "date-time", description: "When the last one was recorded." })),
});
export type ReplayProgress = Static<typeof ReplayProgress>;

const StoppingRules = Type.Array(
  Type.Object({
    ruleset_id: Type.String({ description: "For the previous version, the package." }),
    rule_id: Type.String(),
    description: Type.String(),
    requests: Count,
    example: Type.Object({ ray_id: Type.String(), host: Type.String(), path: Type.String() }),
  }),
);

export const ReportQuery = Type.Object({
  hours: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 720, default: 24, description: "How long ago events may be." }),
  ),
});

/** The actions of both versions of the managed rules on the requests of visitors. */
export const MigrationReport = Type.Object({
  migration_state: OneOf(["start", "validation", "complete"]),
  since: Type.String({
    format: "date-time",
    description: "The time from which events were compared: within the state of the migration.",
  }),
  events_read: Type.Integer({
    minimum: 0,
    description:
      "Events of the zone from which the rules, scores and exceptions are, whatever they are about; the newest 10,000 at most.",
  }),
  is_complete: Type.Boolean({
    description: "Whether these are all events since then. The counts of `requests` are of all in any case.",
  }),
  requests: Type.Object(
    { both: Count, only_new: Count, only_previous: Count, none: Count },
    {
      description:
        "Requests of all events since then, by which version blocks or challenges them; `none` are those that were only noted.",
    },
  ),
  stopped_only_by_new: StoppingRules,
  stopped_only_by_previous: StoppingRules,
  owasp_scores: Type.Array(ScoreDistribution, {
    description: "What requests about which a version did something score up to each level.",
  }),
  exceptions: Type.Array(
    Type.Object({
      action: Type.Literal("skip"),
      description: Type.String(),
      expression: Type.String(),
      action_parameters: Type.Object({ rules: Type.Record(Type.String(), Type.Array(Type.String())) }),
      requests: Count,
    }),
    {
      description:
        "Rules for the entry point, ahead of those that execute rulesets, while both versions are in force: with them the new version lets pass what only it stops; without `requests`. Look at each: some of these requests are attacks.",
    },
  ),
});
export type MigrationReport = Static<typeof MigrationReport>;

export const ReplayBody = Type.Object({
  file: Type.String({
    format: "binary",
    description:
      "A HAR 1.2, or an access log in the combined format; at most 16 MiB and 10,000 requests, each with a URL of at most 8,192 characters.",
  }),
  host: Type.Optional(
    Type.String({ description: "The host that a log comes from, if it is not the zone's name." }),
  ),
});
