import { existsSync } from "node:fs";

import { findRoleCalled } from "../core/policy/roles.ts";
import { isDeniedHost } from "../core/net/denied-hosts.ts";
import { choice, list, text } from "./setting-kinds.ts";

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash } = new URL(value);
  if (search !== "" || hash !== "" || isDeniedHost(hostname)) return false;
  return protocol === "https:" || (protocol === "http:" && loopback.test(hostname));
}

/** Splits an entry of `oidc_roles`: `admins=Administrator`. */
export function readRoleMapping(entry: string): { readonly value: string; readonly role: string } {
  const at = entry.indexOf("=");
  return { value: entry.slice(0, at), role: entry.slice(at + 1) };
}

export const oidcSettings = {
  oidc_issuer: text(undefined, {
    notation: "URL",
    accepts: isIssuer,
    rule: "must be an https URL without a query, or an http URL on a loopback address; not on a link-local or metadata address",
    help: "Issuer of the OpenID Connect provider that users may sign in to the dashboard with.",
  }),
  oidc_client_id: text(undefined, { notation: "ID", help: "Id of the client that is registered there." }),
  oidc_client_secret: text(undefined, {
    notation: "SECRET",
    secret: true,
    help: "Secret of that client; not set for a public client.",
  }),
  oidc_client_secret_file: text(undefined, { notation: "FILE", help: "File with that secret." }),
  oidc_scopes: list(["openid", "email", "profile"], {
    notation: "SCOPE,...",
    accepts: (entry) => /^[\u0021\u0023-\u005b\u005d-\u007e]+$/.test(entry),
    rule: "must be a list of scopes",
    help: "Scopes that the provider is asked for; `openid` and `email` are needed.",
  }),
  oidc_label: text("Single sign-on", { help: "What the button on the sign-in page says." }),
  oidc_new_users: choice("refuse", ["refuse", "create"], {
    help: "Whether somebody whose verified e-mail address belongs to no user becomes a user and a member of the owner's account.",
  }),
  oidc_role_claim: text("groups", {
    notation: "NAME",
    help: "Claim whose values `oidc_roles` maps to roles: a text or a list of texts.",
  }),
  oidc_roles: list([], {
    notation: "VALUE=ROLE,...",
    accepts: (entry) => entry.indexOf("=") > 0 && findRoleCalled(readRoleMapping(entry).role) !== undefined,
    rule: "must be a list such as admins=Administrator,dns-team=DNS, with ids or names of roles",
    help:
      "Roles in the owner's account by the values of that claim, set at every sign-in; the owner keeps its own. Whoever has " +
      "none of the values is refused. If not set, new users get the role Administrator Read Only, and roles are left alone.",
  }),
};

interface OidcConfig {
  readonly oidc_issuer: string | undefined;
  readonly oidc_client_id: string | undefined;
  readonly oidc_client_secret: string | undefined;
  readonly oidc_client_secret_file: string | undefined;
  readonly invite_links: string;
}

/** Finds settings of single sign-on that contradict each other. */
export function oidcIssues(config: OidcConfig): string[] {
  const { oidc_issuer: issuer, oidc_client_id: id, oidc_client_secret_file: file } = config;
  const issues: string[] = [];
  if ((issuer === undefined) !== (id === undefined)) {
    issues.push("--oidc-issuer: needs --oidc-client-id as well, and the other way round");
  }
  if (issuer !== undefined && config.invite_links === "members") {
    issues.push(
      "--invite-links: cannot be members with --oidc-issuer, as a link does not verify the e-mail address that a " +
        "provider's users are found by",
    );
  }
  if (file === undefined) return issues;
  if (config.oidc_client_secret !== undefined) {
    issues.push("--oidc-client-secret-file: set either it or --oidc-client-secret");
  }
  if (!existsSync(file)) issues.push(`--oidc-client-secret-file: there is no file ${file}`);
  return issues;
}
