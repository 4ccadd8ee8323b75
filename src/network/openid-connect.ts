import { createHash } from "node:crypto";

import { isDeniedHost } from "../core/net/denied-hosts.ts";
import { lookupAllowed } from "./guarded-lookup.ts";

export interface OpenIdConnectClient {
  readonly issuer: string;
  readonly clientId: string;
  /** The secret; undefined for a public client. */
  readonly clientSecret: string | undefined;
  readonly scopes: readonly string[];
  /** The URL to which the provider sends browsers back. */
  readonly redirectUrl: string;
}

/** The claims of a provider about a user. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Signs users in by the authorization code flow with PKCE, state and nonce. These three derive from `secret`, a random
 * text that the browser keeps meanwhile, so that only the same browser can finish the flow, and nothing is stored.
 */
export interface OpenIdConnect {
  /** The URL of the provider to which the browser is sent. Throws where the provider cannot be reached. */
  authorizationUrl(secret: string): Promise<string>;
  /** The claims about the user, for the URL at which the browser came back. Throws for any other URL. */
  claims(secret: string, callbackUrl: string): Promise<Claims>;
}

const timeoutSeconds = 10;

/** Creates a client. It asks the provider for its configuration when it is first needed, and again after a failure. */
export function createOpenIdConnect(client: OpenIdConnectClient): OpenIdConnect {
  const { issuer, clientId, clientSecret, scopes, redirectUrl } = client;
  const load = async () => {
    const [library, { Agent, fetch }] = await Promise.all([import("openid-client"), import("undici")]);
    const dispatcher = new Agent({ connect: { lookup: lookupAllowed } });
    const guardedFetch = async (address: string, options: object) => {
      if (isDeniedHost(new URL(address).hostname)) {
        throw new Error("refused: a link-local or metadata address");
      }
      return fetch(address, { ...options, dispatcher });
    };
    const url = new URL(issuer);
    const configuration = await library.discovery(
      url,
      clientId,
      clientSecret,
      clientSecret === undefined ? library.None() : undefined,
      {
        timeout: timeoutSeconds,
        [library.customFetch]: guardedFetch,
        execute: [
          // The signature of the ID token is checked by the keys of `jwks_uri`.
          library.enableNonRepudiationChecks,
          // The settings allow plain HTTP on loopback only.
          ...(url.protocol === "http:" ? [library.allowInsecureRequests] : []),
        ],
      },
    );
    return { library, configuration };
  };
  let loading: ReturnType<typeof load> | undefined;
  const loaded = async () => {
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return {
    authorizationUrl: async (secret) => {
      const { library, configuration } = await loaded();
      const { state, nonce, verifier } = derivedFrom(secret);
      return library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUrl,
        scope: scopes.join(" "),
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
      }).href;
    },
    claims: async (secret, callbackUrl) => {
      const { library, configuration } = await loaded();
      const { state, nonce, verifier } = derivedFrom(secret);
      const sentBack = new URL(redirectUrl);
      sentBack.search = new URL(callbackUrl).search;
      const tokens = await library.authorizationCodeGrant(configuration, sentBack, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("there is no ID token");
      if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
      const info = await library.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return joined(claims, info);
    },
  };
}

/**
 * Joins the claims of both documents; those of the ID token take precedence. Whether an address is verified
 * comes from the document with the address.
 */
function joined(ofToken: Claims, ofUserInfo: Claims): Claims {
  const { email, email_verified } = ofToken["email"] === undefined ? ofUserInfo : ofToken;
  return { ...ofUserInfo, ...ofToken, email, email_verified };
}

function derivedFrom(secret: string): Readonly<Record<"state" | "nonce" | "verifier", string>> {
  const derive = (purpose: string): string =>
    createHash("sha256").update(`${purpose} ${secret}`).digest("base64url");
  return { state: derive("state"), nonce: derive("nonce"), verifier: derive("verifier") };
}
