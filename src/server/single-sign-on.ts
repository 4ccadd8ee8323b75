import { readFileSync } from "node:fs";

import { readRoleMapping } from "../config/oidc-settings.ts";
import { publicUrlOf, type Config } from "../config/settings.ts";
import { createOpenIdConnect } from "../network/openid-connect.ts";
import type { SingleSignOn } from "../resources/single-sign-on/single-sign-on.ts";

/** Single sign-on as the settings say it; undefined without a provider. Users become members of the owner's account. */
export function singleSignOnOf(config: Config, accountId: string): SingleSignOn | undefined {
  const { oidc_issuer: issuer, oidc_client_id: clientId } = config;
  if (issuer === undefined || clientId === undefined || config.dashboard === "off") return undefined;
  const { oidc_client_secret: secret, oidc_client_secret_file: file } = config;
  return {
    provider: createOpenIdConnect({
      issuer,
      clientId,
      clientSecret: file === undefined ? secret : readFileSync(file, "utf8").trim(),
      scopes: config.oidc_scopes,
      redirectUrl: new URL("/single-sign-on", publicUrlOf(config)).href,
    }),
    label: config.oidc_label,
    createsUsers: config.oidc_new_users === "create",
    accountId,
    roleClaim: config.oidc_role_claim,
    roles: config.oidc_roles.map(readRoleMapping),
  };
}
