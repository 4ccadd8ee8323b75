import { Type, type Static } from "@sinclair/typebox";

import { Account } from "../accounts/accounts.ts";
import { EmailAddress, Line, Nullable, OneOf } from "../../operation/schema.ts";

const Time = Type.String({ format: "date-time" });

const MembershipStatus = OneOf(["accepted", "pending", "rejected"]);

const RoleGrant = Type.Object({
  read: Type.Boolean(),
  write: Type.Boolean(),
  edit: Type.Boolean({ description: "The same as `write`, as older clients read it." }),
});

/** A role with its permissions by area. */
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

/** The groups that policies of members name: a role, or a permission group that tokens have too. */
export const MemberPermissionGroup = Type.Object({
  id: Type.String({ description: "Identifier of the permission group, 32 hexadecimal characters." }),
  name: Type.String(),
  meta: Type.Object({
    description: Type.String(),
    editable: Type.Literal("false"),
    label: Type.String(),
    scopes: Type.String({
      description: "`com.cloudflare.api.account` or `com.cloudflare.api.account.zone`.",
    }),
  }),
});
export type MemberPermissionGroup = Static<typeof MemberPermissionGroup>;

const resourceGroupScope = Type.Object({
  key: Type.String({ description: "`com.cloudflare.api.account.ID`, the account of the group." }),
  objects: Type.Array(
    Type.Object({
      key: Type.String({
        description:
          "`*` for all of the account, `com.cloudflare.api.account.zone.ID` for a zone, with `*` for all zones.",
      }),
    }),
    { minItems: 1, maxItems: 1_000 },
  ),
});

/** Zones of an account, or all of it (docs/contract/members.md#resource-groups). */
export const ResourceGroup = Type.Object({
  id: Type.String({ description: "Identifier of the resource group, 32 hexadecimal characters." }),
  name: Type.String(),
  meta: Type.Object({
    editable: Type.String({ description: "`false` for the group of the whole account, else `true`." }),
  }),
  scope: resourceGroupScope,
});
export type ResourceGroup = Static<typeof ResourceGroup>;

const resourceGroupName = Line({ minLength: 1, maxLength: 255 });

export const CreateResourceGroupBody = Type.Object({ name: resourceGroupName, scope: resourceGroupScope });
export const EditResourceGroupBody = Type.Partial(CreateResourceGroupBody);

export const ListResourceGroupsQuery = Type.Object({
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  page: Type.Optional(
    Type.Integer({ minimum: 1, description: "All groups are on the first page; every other one is empty." }),
  ),
});

export const ListMemberPermissionGroupsQuery = Type.Object({
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  label: Type.Optional(Type.String({ description: "For example `all_privileges`." })),
});
export type ListMemberPermissionGroupsQuery = Static<typeof ListMemberPermissionGroupsQuery>;

const access = OneOf(["allow", "deny"]);

const MemberPolicy = Type.Object({
  id: Type.String(),
  access,
  permission_groups: Type.Array(MemberPermissionGroup),
  resource_groups: Type.Array(ResourceGroup),
});

const named = Type.Array(Type.Object({ id: Type.String() }), { minItems: 1, maxItems: 300 });
const MemberPolicyBody = Type.Object({ access, permission_groups: named, resource_groups: named });
export type MemberPolicyBody = Static<typeof MemberPolicyBody>;

/** Members whose rights the policies of the group add to (docs/contract/members.md#user-groups). */
export const UserGroup = Type.Object({
  id: Type.String({ description: "Identifier of the user group, 32 hexadecimal characters." }),
  name: Type.String(),
  policies: Type.Optional(Type.Array(MemberPolicy, { description: "Left out where none were sent." })),
  created_on: Time,
  modified_on: Time,
});
export type UserGroup = Static<typeof UserGroup>;

const userGroupName = Line({ minLength: 1, maxLength: 255 });
const userGroupPolicies = Type.Array(MemberPolicyBody, {
  maxItems: 20,
  description: "What each member of the group may do, besides what it may do by itself.",
});

export const CreateUserGroupBody = Type.Object({
  name: userGroupName,
  policies: Type.Optional(Nullable(userGroupPolicies)),
});
export const EditUserGroupBody = Type.Object({
  name: Type.Optional(userGroupName),
  policies: Type.Optional(
    Type.Union([userGroupPolicies, Type.Null()], {
      description: "Null takes the policies away; left out, they stay.",
    }),
  ),
});

export const ListUserGroupsQuery = Type.Object({
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String({ description: "The whole name." })),
  fuzzyName: Type.Optional(
    Type.String({ maxLength: 255, description: "Any part of the name; case does not matter." }),
  ),
});

export const UserGroupMember = Type.Object({
  id: Type.String({ description: "Identifier of the member of the account." }),
  email: Type.String(),
  status: MembershipStatus,
});
export type UserGroupMember = Static<typeof UserGroupMember>;

export const UserGroupMemberDetails = Type.Object({
  ...UserGroupMember.properties,
  created_at: Type.String({ format: "date-time", description: "When it came into the group." }),
  user: Type.Optional(
    Type.Object({
      id: Nullable(Type.String()),
      email: Type.String(),
      first_name: Nullable(Type.String()),
      last_name: Nullable(Type.String()),
    }),
  ),
});

export const UserGroupMembersBody = Type.Array(
  Type.Object({ id: Type.String({ description: "Identifier of a member of the account." }) }),
  { maxItems: 1_000 },
);

export const ListUserGroupMembersQuery = Type.Object({
  fuzzyEmail: Type.Optional(
    Type.String({ maxLength: 320, description: "Any part of the e-mail address; case does not matter." }),
  ),
});

/** A member of an account, or an invited one (docs/contract/members.md). */
export const Member = Type.Object({
  id: Type.String({ description: "Identifier of the membership, and of its invite." }),
  user: Type.Object({
    id: Nullable(Type.String({ description: "Null, as the names are, until the invite is accepted." })),
    first_name: Nullable(Type.String()),
    last_name: Nullable(Type.String()),
    email: Type.String(),
    two_factor_authentication_enabled: Type.Boolean({
      description: "False until the invite is accepted.",
    }),
  }),
  status: MembershipStatus,
  api_access_enabled: Type.Null(),
  email: Type.String(),
  policies: Type.Array(MemberPolicy),
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

const given = {
  roles: Type.Optional(Nullable(RoleIds)),
  policies: Type.Optional(
    Nullable(
      Type.Array(MemberPolicyBody, { minItems: 1, maxItems: 100, description: "In place of `roles`." }),
    ),
  ),
};

export const AddMemberBody = Type.Object({
  email: EmailAddress(),
  ...given,
  status: Type.Optional(
    OneOf(["pending", "accepted"], {
      description: "`accepted` is refused: whoever is invited accepts.",
    }),
  ),
});
export type AddMemberBody = Static<typeof AddMemberBody>;

export const EditMemberBody = Type.Object(given);
export type EditMemberBody = Static<typeof EditMemberBody>;

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

export const AnswerInviteBody = Type.Object({
  status: OneOf(["accepted", "rejected"]),
});
export type AnswerInviteBody = Static<typeof AnswerInviteBody>;
