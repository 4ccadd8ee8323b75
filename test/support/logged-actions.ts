import type { TestApp } from "./harness.ts";

/** The actions in the audit log of the owner's account, the newest first: those whose names begin with `prefix`. */
export async function loggedActions(app: TestApp, prefix = ""): Promise<string[]> {
  const { body } = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs?per_page=1000`);
  const entries = body.result as readonly { readonly action: { readonly type: string } }[];
  return entries.map(({ action }) => action.type).filter((type) => type.startsWith(prefix));
}
