import { Type, type Static } from "@sinclair/typebox";

import { OneOf, OptionalNullable } from "../../operation/schema.ts";

const Description = Type.String({ maxLength: 1_024, description: "Tags are removed." });

const Mode = OneOf(["block", "challenge", "js_challenge", "managed_challenge"], {
  description: "What is done with its requests.",
});

const Configuration = Type.Object({
  target: Type.Literal("ua"),
  value: Type.String({
    minLength: 1,
    maxLength: 1_024,
    description: "The whole value of the `User-Agent` header; no character stands for others.",
  }),
});

/** The action on requests of one user agent. */
export const UserAgentRule = Type.Object({
  id: Type.String({ description: "Identifier of the rule, 32 hexadecimal characters." }),
  description: Type.Optional(Description),
  mode: Mode,
  configuration: Configuration,
  paused: Type.Boolean({ description: "Whether it is not in force." }),
});
export type UserAgentRule = Static<typeof UserAgentRule>;

/**
 * Replaced or created. A replacement keeps `description` and `paused` where they are left out; null removes.
 */
export const UserAgentRuleBody = Type.Object({
  mode: Mode,
  configuration: Configuration,
  description: OptionalNullable(Description),
  paused: Type.Optional(Type.Boolean()),
});
export type UserAgentRuleBody = Static<typeof UserAgentRuleBody>;

const PartOfDescription = Type.Optional(
  Type.String({ description: "Any part of the description; case does not matter." }),
);
const PartOfUserAgent = Type.Optional(
  Type.String({ description: "Any part of the user agent; case does not matter." }),
);

export const ListUserAgentRulesQuery = Type.Object({
  description: PartOfDescription,
  description_search: PartOfDescription,
  user_agent: PartOfUserAgent,
  ua_search: PartOfUserAgent,
  paused: Type.Optional(Type.Boolean()),
});
export type ListUserAgentRulesQuery = Static<typeof ListUserAgentRulesQuery>;
