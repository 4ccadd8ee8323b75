import { Type } from "@sinclair/typebox";

import { onAccount, onUser, onUserOnly } from "../../core/policy/permission.ts";
import { listRoute, route, type Route } from "../../http/route.ts";
import type { AccessContext } from "../../operation/context.ts";
import { editInvite, getInvite, listInvites } from "./invites.ts";
import { addMember, editMember, getMember, listMembers, removeMember } from "./members.ts";
import { deleteMembership, getMembership, listMemberships, replaceMembership } from "./memberships.ts";
import { getRole, listRoles } from "./roles.ts";
import {
  AddMemberBody,
  AnswerInviteBody,
  EditMemberBody,
  Invite,
  ListMembershipsQuery,
  ListMembersQuery,
  ListRolesQuery,
  Member,
  Membership,
  MembershipId,
  Role,
} from "./schema.ts";

/** Who belongs to an account: as the account sees it, and as the user does. */
export function membershipRoutes(context: AccessContext): Route[] {
  return [...memberRoutes(context), ...inviteRoutes(context), ...ownMembershipRoutes(context)];
}

function memberRoutes(context: AccessContext): Route[] {
  const read = onAccount("Account Settings Read");
  const write = onAccount("Account Settings Write");
  return [
    listRoute({
      operation: "listMembers",
      summary: "List the members of an account, and who is invited",
      path: "/accounts/{account_id}/members",
      permission: read,
      query: ListMembersQuery,
      result: Member,
      list: {
        orderings: ["user.email", "user.first_name", "user.last_name", "status"],
        perPageMax: 1_000,
      },
      handle: ({ params, query, page }) => listMembers(context, params.account_id, query, page),
    }),
    route({
      operation: "addMember",
      summary: "Invite somebody to be a member of an account",
      method: "POST",
      path: "/accounts/{account_id}/members",
      permission: write,
      body: AddMemberBody,
      result: Member,
      handle: async ({ caller, params, body }) => ({
        result: await addMember(context, caller, params.account_id, body),
      }),
    }),
    route({
      operation: "getMember",
      summary: "Get a member of an account",
      method: "GET",
      path: "/accounts/{account_id}/members/{member_id}",
      permission: read,
      result: Member,
      handle: async ({ params }) => ({
        result: await getMember(context, params.account_id, params.member_id),
      }),
    }),
    route({
      operation: "editMember",
      summary: "Give a member of an account other roles",
      method: "PUT",
      path: "/accounts/{account_id}/members/{member_id}",
      permission: write,
      body: EditMemberBody,
      result: Member,
      handle: async ({ caller, params, body }) => ({
        result: await editMember(context, caller, params.account_id, params.member_id, body),
      }),
    }),
    route({
      operation: "removeMember",
      summary: "Remove a member of an account, or take an invite back",
      method: "DELETE",
      path: "/accounts/{account_id}/members/{member_id}",
      permission: write,
      result: MembershipId,
      handle: async ({ caller, params }) => ({
        result: await removeMember(context, caller, params.account_id, params.member_id),
      }),
    }),
    route({
      operation: "listRoles",
      summary: "List the roles that members of an account can have",
      method: "GET",
      path: "/accounts/{account_id}/roles",
      permission: read,
      query: ListRolesQuery,
      result: Type.Array(Role),
      handle: async ({ query }) => ({ result: listRoles(query) }),
    }),
    route({
      operation: "getRole",
      summary: "Get a role",
      method: "GET",
      path: "/accounts/{account_id}/roles/{role_id}",
      permission: read,
      result: Role,
      handle: async ({ params }) => ({ result: getRole(params.role_id) }),
    }),
  ];
}

function inviteRoutes(context: AccessContext): Route[] {
  return [
    route({
      operation: "listInvites",
      summary: "List the caller's invites to accounts",
      method: "GET",
      path: "/user/invites",
      permission: onUser("Memberships Read"),
      result: Type.Array(Invite),
      handle: async ({ caller }) => ({ result: await listInvites(context, caller) }),
    }),
    route({
      operation: "getInvite",
      summary: "Get one of the caller's invites",
      method: "GET",
      path: "/user/invites/{invite_id}",
      permission: onUser("Memberships Read"),
      result: Invite,
      handle: async ({ caller, params }) => ({ result: await getInvite(context, caller, params.invite_id) }),
    }),
    route({
      operation: "editInvite",
      summary: "Accept or reject an invite",
      method: "PATCH",
      path: "/user/invites/{invite_id}",
      permission: onUser("Memberships Write"),
      body: AnswerInviteBody,
      result: Invite,
      handle: async ({ caller, params, body }) => ({
        result: await editInvite(context, caller, params.invite_id, body),
      }),
    }),
  ];
}

function ownMembershipRoutes(context: AccessContext): Route[] {
  const read = onUserOnly("Memberships Read");
  const write = onUserOnly("Memberships Write");
  return [
    listRoute({
      operation: "listMemberships",
      summary: "List the caller's memberships",
      path: "/memberships",
      permission: read,
      query: ListMembershipsQuery,
      result: Membership,
      list: { orderings: ["account.name", "id", "status"], perPageMax: 1_000 },
      handle: ({ caller, query, page }) => listMemberships(context, caller, query, page),
    }),
    route({
      operation: "getMembership",
      summary: "Get one of the caller's memberships",
      method: "GET",
      path: "/memberships/{membership_id}",
      permission: read,
      result: Membership,
      handle: async ({ caller, params }) => ({
        result: await getMembership(context, caller, params.membership_id),
      }),
    }),
    route({
      operation: "replaceMembership",
      summary: "Accept or reject an invite by its membership",
      method: "PUT",
      path: "/memberships/{membership_id}",
      permission: write,
      body: AnswerInviteBody,
      result: Membership,
      handle: async ({ caller, params, body }) => ({
        result: await replaceMembership(context, caller, params.membership_id, body),
      }),
    }),
    route({
      operation: "deleteMembership",
      summary: "Leave an account",
      method: "DELETE",
      path: "/memberships/{membership_id}",
      permission: write,
      result: MembershipId,
      handle: async ({ caller, params }) => ({
        result: await deleteMembership(context, caller, params.membership_id),
      }),
    }),
  ];
}
