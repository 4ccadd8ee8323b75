import type { Config } from "../config/settings.ts";
import { complaintOf } from "../files/ownership.ts";

/**
 * Refuses to start on what somebody else can write: the data directory holds what the server serves, and the keys for it.
 * A command on the host may be an administrator's, and is not held up. Throws an Error that says what is wrong.
 */
export function refuseForeignFiles({
  data,
  ephemeral,
  secret_key_file,
}: Pick<Config, "data" | "ephemeral" | "secret_key_file">): void {
  for (const path of [ephemeral ? undefined : data, secret_key_file]) {
    const complaint = path === undefined ? undefined : complaintOf(path);
    if (complaint === undefined) continue;
    throw new Error(
      `${complaint}: the server trusts what it reads there; chown and chmod it, or name another`,
    );
  }
}
