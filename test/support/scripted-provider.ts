import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** Claims of a scripted provider about the user who signs in. */
export interface ScriptedAnswers {
  /** Claims of the ID token besides those that a sign-in has to have, which they replace. */
  readonly token?: object;
  readonly userInfo?: object;
  /** Signs with a key that the provider does not publish. */
  readonly isForged?: boolean;
}

/** An OpenID Connect provider that says what a test wants, also what no provider may say. */
export interface ScriptedProvider {
  readonly issuer: string;
  /** Answers where it sends the browser back to, for a sign-in that it is going to answer so. */
  signIn(authorizationUrl: string, answers: ScriptedAnswers): string;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export async function startScriptedProvider(t: TestContext, clientId: string): Promise<ScriptedProvider> {
  const published = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
  let answers: ScriptedAnswers = {};
  let nonce: string | null = null;
  const idToken = (): string => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: clientId, sub: "somebody", iat: now, exp: now + 60, nonce };
    const signed = `${encoded({ alg: "RS256", kid: "one" })}.${encoded({ ...claims, ...answers.token })}`;
    const { privateKey } = answers.isForged === true ? other : published;
    return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
  };
  const documents: Record<string, () => object> = {
    "/.well-known/openid-configuration": () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
      id_token_signing_alg_values_supported: ["RS256"],
    }),
    "/keys": () => ({
      keys: [{ ...published.publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" }],
    }),
    "/token": () => ({ access_token: "one", token_type: "Bearer", expires_in: 60, id_token: idToken() }),
    "/userinfo": () => ({ sub: "somebody", ...answers.userInfo }),
  };
  const server = createServer((request, response) => {
    const document = documents[request.url ?? ""];
    response.writeHead(document === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(document?.() ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    issuer,
    signIn: (authorizationUrl, said) => {
      const { searchParams: asked } = new URL(authorizationUrl);
      answers = said;
      nonce = asked.get("nonce");
      return `${asked.get("redirect_uri")}?code=any&state=${asked.get("state")}`;
    },
  };
}
