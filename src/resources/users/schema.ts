import { Type, type Static } from "@sinclair/typebox";

import { Line, Nullable, OptionalNullable } from "../../operation/schema.ts";

/** The calling user (docs/contract/members.md#users). */
export const User = Type.Object({
  id: Type.String({ description: "Identifier of the user, 32 hexadecimal characters." }),
  email: Type.String({ description: "E-mail address, with which the user signs in." }),
  first_name: Nullable(Type.String()),
  last_name: Nullable(Type.String()),
  username: Type.String(),
  telephone: Nullable(Type.String()),
  country: Type.Union([Type.String(), Type.Null()], { description: "Two-letter country code." }),
  zipcode: Nullable(Type.String()),
  two_factor_authentication_enabled: Type.Boolean(),
  two_factor_authentication_locked: Type.Boolean(),
  created_on: Type.String({ format: "date-time" }),
  modified_on: Type.String({ format: "date-time" }),
  organizations: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      status: Type.String(),
      permissions: Type.Array(Type.String({ description: "`#zone:read`" })),
      roles: Type.Array(Type.String()),
    }),
    { description: "The accounts of which the user is a member, in the older form." },
  ),
  has_pro_zones: Type.Boolean(),
  has_business_zones: Type.Boolean(),
  has_enterprise_zones: Type.Boolean(),
  suspended: Type.Boolean(),
  betas: Type.Array(Type.String()),
});

export type User = Static<typeof User>;

const text = (maxLength: number) => OptionalNullable(Line({ maxLength }));

/** Null clears a field. */
export const EditUserBody = Type.Object({
  first_name: text(60),
  last_name: text(60),
  telephone: text(20),
  country: text(30),
  zipcode: text(20),
});
export type EditUserBody = Static<typeof EditUserBody>;
