import { Type, type Static, type TSchema } from "@sinclair/typebox";

import { emailPattern } from "../../core/email.ts";
import { Account } from "../accounts/accounts.ts";

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Time = Type.String({ format: "date-time" });

const MembershipStatus = Type.Union([
  Type.Literal("accepted"),
  Type.Literal("pending"),
  Type.Literal("rejected"),
]);

const RoleGrant = Type.Object({
  read: Type.Boolean(),
  write: Type.Boolean(),
  edit: Type.Boolean({ description: "The same as `write`, as older clients read it." }),
});

/** A role, with what it permits area by area. */
export const Role = Type.Object({
  id: Type.String({ description: "Identifier of the role, 32 hexadecimal characters." }),
  name: Type.String(),
  description: Type.String(),
  permissions: Type.Record(Type.String(), RoleGrant),
});
export type Role = Static<typeof Role>;

export const ListRolesQuery = Type.Object({
  page: Type.Optional(
    Type.Integer({ minimum: 1, description: "All roles are on the first page; every other one is empty." }),
  ),
});
export type ListRolesQuery = Static<typeof ListRolesQuery>;

/** A member of an account, or who is invited to be one (docs/contract/members.md). */
export const Member = Type.Object({
  id: Type.String({ description: "Identifier of the membership, and of its invite." }),
  user: Type.Object({
    id: Nullable(Type.String({ description: "Null while no user has the e-mail." })),
    first_name: Nullable(Type.String()),
    last_name: Nullable(Type.String()),
    email: Type.String(),
    two_factor_authentication_enabled: Type.Boolean(),
  }),
  status: MembershipStatus,
  api_access_enabled: Type.Null(),
  email: Type.String(),
  roles: Type.Array(Role),
});
export type Member = Static<typeof Member>;

export const ListMembersQuery = Type.Object({ status: Type.Optional(MembershipStatus) });
export type ListMembersQuery = Static<typeof ListMembersQuery>;

const roleId = Type.String({ description: "Identifier of a role." });
const RoleIds = Type.Array(Type.Union([roleId, Type.Object({ id: roleId })]), {
  minItems: 1,
  maxItems: 100,
  description: "Identifiers of roles, or roles as they are answered.",
});

export const AddMemberBody = Type.Object({
  email: Type.String({ pattern: emailPattern }),
  roles: Type.Optional(RoleIds),
  policies: Type.Optional(Type.Unknown({ description: "Not supported: members have roles." })),
  status: Type.Optional(
    Type.Union([Type.Literal("pending"), Type.Literal("accepted")], {
      description: "`accepted` is refused: whoever is invited accepts.",
    }),
  ),
});
export type AddMemberBody = Static<typeof AddMemberBody>;

export const EditMemberBody = Type.Object({
  roles: Type.Optional(RoleIds),
  policies: Type.Optional(Type.Unknown({ description: "Not supported: members have roles." })),
});
export type EditMemberBody = Static<typeof EditMemberBody>;

export const MembershipId = Type.Object({ id: Type.String() });

/** The calling user's membership of an account. */
export const Membership = Type.Object({
  id: Type.String(),
  status: MembershipStatus,
  account: Account,
  api_access_enabled: Type.Null(),
  roles: Type.Array(Type.String()),
  permissions: Type.Record(Type.String(), Type.Object({ read: Type.Boolean(), write: Type.Boolean() })),
});
export type Membership = Static<typeof Membership>;

export const ListMembershipsQuery = Type.Object({
  name: Type.Optional(Type.String({ description: "Name of the account; case does not matter." })),
  "account.name": Type.Optional(Type.String({ description: "The same as `name`." })),
  status: Type.Optional(MembershipStatus),
});
export type ListMembershipsQuery = Static<typeof ListMembershipsQuery>;

/** An invite of the calling user to an account. */
export const Invite = Type.Object({
  id: Type.String({ description: "Identifier of the invite, and of the membership that it becomes." }),
  invited_member_id: Nullable(Type.String()),
  invited_member_email: Type.String(),
  organization_id: Type.String(),
  organization_name: Type.String(),
  organization_is_enforcing_twofactor: Type.Boolean(),
  roles: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      description: Type.String(),
      permissions: Type.Array(Type.String({ description: "`#zones:read`" })),
    }),
  ),
  invited_by: Nullable(Type.String({ description: "Null where a token of the account sent it." })),
  invited_on: Time,
  expires_on: Time,
  status: Type.Union([MembershipStatus, Type.Literal("expired")]),
});
export type Invite = Static<typeof Invite>;

/** The answer to an invite. */
export const AnswerInviteBody = Type.Object({
  status: Type.Union([Type.Literal("accepted"), Type.Literal("rejected")]),
});
export type AnswerInviteBody = Static<typeof AnswerInviteBody>;
