import { Type, type Static } from "@sinclair/typebox";

const AccountSettings = Type.Object({
  enforce_twofactor: Type.Boolean(),
  api_access_enabled: Type.Null(),
  access_approval_expiry: Type.Null(),
  use_account_custom_ns_by_default: Type.Boolean(),
  default_nameservers: Type.String(),
  abuse_contact_email: Type.Null(),
});

/** An account: what zones belong to (wire contract 7). */
export const Account = Type.Object({
  id: Type.String({ description: "Identifier of the account, 32 hexadecimal characters." }),
  name: Type.String(),
  type: Type.Union([Type.Literal("standard"), Type.Literal("enterprise")]),
  settings: AccountSettings,
  created_on: Type.String({ format: "date-time" }),
});
export type Account = Static<typeof Account>;

const Grant = Type.Object({ read: Type.Boolean(), write: Type.Boolean() });

/** The calling user's membership of an account. */
export const Membership = Type.Object({
  id: Type.String(),
  status: Type.Union([Type.Literal("accepted"), Type.Literal("pending"), Type.Literal("rejected")]),
  account: Type.Object({
    id: Type.String(),
    name: Type.String(),
    settings: AccountSettings,
    created_on: Type.String({ format: "date-time" }),
  }),
  api_access_enabled: Type.Null(),
  roles: Type.Array(Type.String()),
  permissions: Type.Record(Type.String(), Grant),
});
export type Membership = Static<typeof Membership>;

export const ListAccountsQuery = Type.Object({
  name: Type.Optional(Type.String({ description: "Name of the account; case does not matter." })),
});
export type ListAccountsQuery = Static<typeof ListAccountsQuery>;

export const ListMembershipsQuery = Type.Object({
  name: Type.Optional(Type.String({ description: "Name of the account; case does not matter." })),
  "account.name": Type.Optional(Type.String({ description: "The same as `name`." })),
  status: Type.Optional(
    Type.Union([Type.Literal("accepted"), Type.Literal("pending"), Type.Literal("rejected")]),
  ),
});
export type ListMembershipsQuery = Static<typeof ListMembershipsQuery>;
