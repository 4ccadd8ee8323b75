import { Type, type ArrayOptions, type Static } from "@sinclair/typebox";

import { Nullable, OptionalNullable, OneOf } from "../../operation/schema.ts";

const TokenStatus = OneOf(["active", "disabled", "expired"], {
  description: "`expired` once the time of `expires_on` has come.",
});

const resources = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Record(Type.String(), Type.String())]),
  {
    description:
      'From resource key to `*`, or to `{"com.cloudflare.api.account.zone.*": "*"}` for all zones of an account.',
  },
);

const effect = OneOf(["allow", "deny"]);

const TokenPolicy = Type.Object({
  id: Type.String(),
  effect,
  resources,
  permission_groups: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
});

/** An unknown restriction must not be ignored: the token would be usable from everywhere. */
const noOtherProperties = { additionalProperties: false } as const;

const addressCondition = (bounds: ArrayOptions) => {
  const addresses = Type.Array(Type.String(), {
    ...bounds,
    description: "Ranges in CIDR notation; a single address is written with /32 or /128.",
  });
  return Type.Object(
    { in: OptionalNullable(addresses), not_in: OptionalNullable(addresses) },
    noOtherProperties,
  );
};
export type AddressConditionBody = Static<ReturnType<typeof addressCondition>>;

/**
 * The addresses from which a token may be used. Clients use either key; answers have the one that was sent.
 */
const tokenCondition = (bounds: ArrayOptions = {}) =>
  Type.Object(
    {
      "request.ip": OptionalNullable(addressCondition(bounds)),
      request_ip: OptionalNullable(addressCondition(bounds)),
    },
    noOtherProperties,
  );

/** In bodies: each request with a token checks them. Stored tokens may have more. */
const rangesMax = 100;
const policiesMax = 300;

const Time = Type.String({ description: "`YYYY-MM-DDThh:mm:ssZ`" });

/** An API token (docs/contract/tokens.md). Only `createToken` and `rollToken` answer the secret. */
export const Token = Type.Object({
  id: Type.String({ description: "Identifier of the token, 32 hexadecimal characters." }),
  name: Type.String(),
  status: TokenStatus,
  issued_on: Time,
  modified_on: Time,
  last_used_on: Nullable(Time),
  not_before: Type.Optional(Time),
  expires_on: Type.Optional(Time),
  policies: Type.Array(TokenPolicy),
  condition: Type.Optional(tokenCondition()),
});
export type Token = Static<typeof Token>;

/** The token with its secret, which is not stored. */
export const CreatedToken = Type.Composite([
  Token,
  Type.Object({ value: Type.String({ description: "The secret: 40 characters." }) }),
]);

export const TokenSecret = Type.String({ description: "The new secret: 40 characters." });

const TokenPolicyBody = Type.Object({
  id: OptionalNullable(Type.String()),
  effect,
  resources,
  permission_groups: Type.Array(Type.Object({ id: Type.String(), name: OptionalNullable(Type.String()) })),
});

const settableStatus = OptionalNullable(OneOf(["active", "disabled", "expired"]));

const tokenFields = {
  name: Type.String({ minLength: 1, maxLength: 120 }),
  policies: Type.Array(TokenPolicyBody, { maxItems: policiesMax }),
  not_before: OptionalNullable(Time),
  expires_on: OptionalNullable(Time),
  condition: OptionalNullable(tokenCondition({ maxItems: rangesMax })),
};

/** Declarative clients also send a status. */
export const CreateTokenBody = Type.Object({ ...tokenFields, status: settableStatus });
export type CreateTokenBody = Static<typeof CreateTokenBody>;

/** Omitted fields are unset, except `status`. */
export const ReplaceTokenBody = Type.Object({
  ...tokenFields,
  status: settableStatus,
});
export type ReplaceTokenBody = Static<typeof ReplaceTokenBody>;

export const ListTokensQuery = Type.Object({
  include_expired: Type.Optional(
    Type.Boolean({
      description: "Whether to list expired tokens too; by default they are not.",
    }),
  ),
});
export type ListTokensQuery = Static<typeof ListTokensQuery>;

/** Counts of requests that carried a token. */
export const TokenUsage = Type.Object({
  days: Type.Array(
    Type.Object({
      date: Type.String({ format: "date", description: "A day in UTC." }),
      requests: Type.Integer({ minimum: 0 }),
    }),
    { description: "Today and the 29 days before, the newest last." },
  ),
});
export type TokenUsage = Static<typeof TokenUsage>;

/** The facts that a token may read of itself. */
export const TokenVerification = Type.Object({
  id: Type.String({ description: "Identifier of the token, 32 hexadecimal characters." }),
  status: TokenStatus,
  not_before: Type.Optional(Time),
  expires_on: Type.Optional(Time),
});
export type TokenVerification = Static<typeof TokenVerification>;

/** A permission that policies can grant. */
export const TokenPermissionGroup = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String(), { description: "The types of resource that it applies to." }),
});
export type TokenPermissionGroup = Static<typeof TokenPermissionGroup>;

export const ListPermissionGroupsQuery = Type.Object({
  name: Type.Optional(Type.String({ description: "Name of the group; case does not matter." })),
  scope: Type.Optional(Type.String({ description: "For example `com.cloudflare.api.account.zone`." })),
});
export type ListPermissionGroupsQuery = Static<typeof ListPermissionGroupsQuery>;
