import { defaultRoleId } from "../../core/policy/roles.ts";
import type { UserRow } from "../../storage/schema/accounts.ts";
import type { SessionContext } from "../sessions/sessions.ts";
import { createUser, findUserByEmail, knownUser } from "../users/users.ts";
import { notAdmitted, type Claims, type RoleMapping } from "./claims.ts";

export interface SingleSignOn {
  readonly provider: {
    readonly authorizationUrl: (secret: string) => Promise<string>;
    readonly claims: (secret: string, callbackUrl: string) => Promise<Claims>;
  };
  readonly label: string;
  readonly createsUsers: boolean;
  /** The account of which users become members. */
  readonly accountId: string;
  readonly roleClaim: string;
  readonly roles: readonly RoleMapping[];
}

export interface SingleSignOnContext extends SessionContext {
  /** The brand segment of keys. */
  readonly vendor: string;
  /** Undefined where the settings name no provider. */
  readonly singleSignOn: SingleSignOn | undefined;
}

interface SignedOn {
  readonly email: string;
  /** Undefined where claims give no roles. */
  readonly roleIds: readonly string[] | undefined;
}

/** The user of an e-mail address, who is created where the settings say so. Errors: 403 code 10428. */
export async function userOf(
  context: SingleSignOnContext,
  { createsUsers, accountId }: SingleSignOn,
  { email, roleIds }: SignedOn,
): Promise<UserRow> {
  const existing = await findUserByEmail(context.db.read, email);
  if (existing !== undefined) return existing;
  if (!createsUsers) throw notAdmitted(`There is no user with the e-mail address ${email} here`);
  const role = roleIds?.[0] ?? defaultRoleId;
  const actor = { interface: "UI" } as const;
  const { id } = await createUser(context, actor, { email, membership: { account: accountId, role } });
  return knownUser(context.db.read, id);
}
