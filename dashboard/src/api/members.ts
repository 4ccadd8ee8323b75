import type {
  AddMemberBody,
  EditMemberBody,
  Invite,
  Member,
  MemberPermissionGroup,
  MemberPolicyBody,
  Membership,
  Role,
} from "../../../src/resources/memberships/schema.ts";
import type { InviteLink } from "../../../src/resources/invite-links/schema.ts";
import { path, wholeList, type ApiCall } from "./call.ts";

export type { Invite, InviteLink, Member, MemberPermissionGroup, MemberPolicyBody, Membership, Role };

export const membersPath = (accountId: string): string => path`/accounts/${accountId}/members`;
const memberPath = (accountId: string, memberId: string): string =>
  path`/accounts/${accountId}/members/${memberId}`;

export const listMembers = (
  accountId: string,
  query: { readonly page: number; readonly per_page: number },
): ApiCall<Member[]> => ({
  method: "GET",
  path: membersPath(accountId),
  query: { ...query },
});

export const addMember = (accountId: string, body: AddMemberBody): ApiCall<Member> => ({
  method: "POST",
  path: membersPath(accountId),
  body,
});

export const editMember = (accountId: string, memberId: string, body: EditMemberBody): ApiCall<Member> => ({
  method: "PUT",
  path: memberPath(accountId, memberId),
  body,
});

export const removeMember = (accountId: string, memberId: string): ApiCall<{ id: string }> => ({
  method: "DELETE",
  path: memberPath(accountId, memberId),
});

/** Makes a link by which the invited person becomes a user; the one before is of no use then. */
export const createInviteLink = (accountId: string, memberId: string): ApiCall<InviteLink> => ({
  method: "POST",
  path: `${memberPath(accountId, memberId)}/invite_link`,
});

export const listRoles = (accountId: string): ApiCall<Role[]> => ({
  method: "GET",
  path: path`/accounts/${accountId}/roles`,
});

/** What policies of members can permit. */
export const listMemberPermissionGroups = (accountId: string): ApiCall<MemberPermissionGroup[]> => ({
  method: "GET",
  path: path`/accounts/${accountId}/iam/permission_groups`,
  query: wholeList,
});

export const invitesPath = "/user/invites";

/** The invites of the signed-in user. */
export const listInvites: ApiCall<Invite[]> = { method: "GET", path: invitesPath };

export const answerInvite = (inviteId: string, status: "accepted" | "rejected"): ApiCall<Invite> => ({
  method: "PATCH",
  path: path`/user/invites/${inviteId}`,
  body: { status },
});

export const membershipsPath = "/memberships";

/** The memberships of the signed-in user. */
export const listMemberships: ApiCall<Membership[]> = {
  method: "GET",
  path: membershipsPath,
  query: wholeList,
};

export const deleteMembership = (membershipId: string): ApiCall<{ id: string }> => ({
  method: "DELETE",
  path: path`/memberships/${membershipId}`,
});
