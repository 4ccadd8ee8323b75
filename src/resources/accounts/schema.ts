import { Type, type Static } from "@sinclair/typebox";

const AccountSettings = Type.Object({
  enforce_twofactor: Type.Literal(false),
  api_access_enabled: Type.Null(),
  access_approval_expiry: Type.Null(),
  use_account_custom_ns_by_default: Type.Literal(false),
  default_nameservers: Type.Literal("cloudflare.standard"),
  abuse_contact_email: Type.Null(),
});

/** An account: what zones belong to (docs/contract/members.md#accounts). */
export const Account = Type.Object({
  id: Type.String({ description: "Identifier of the account, 32 hexadecimal characters." }),
  name: Type.String(),
  type: Type.Union([Type.Literal("standard"), Type.Literal("enterprise")]),
  settings: AccountSettings,
  created_on: Type.String({ format: "date-time" }),
});
export type Account = Static<typeof Account>;

/** An account as clients send it back. Settings come as they are answered: none can be changed. */
export const ReplaceAccountBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, pattern: String.raw`^[^\u0000-\u001f]*$` }),
  settings: Type.Optional(Type.Union([Type.Partial(AccountSettings), Type.Null()])),
});
export type ReplaceAccountBody = Static<typeof ReplaceAccountBody>;

export const ListAccountsQuery = Type.Object({
  name: Type.Optional(Type.String({ description: "Name of the account; case does not matter." })),
});
export type ListAccountsQuery = Static<typeof ListAccountsQuery>;
