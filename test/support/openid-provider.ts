import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

import { Provider } from "oidc-provider";

/** A real OpenID Connect provider on loopback. */
export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claims about a user by its login, `sub` apart. */
  readonly users: Map<string, object>;
  /**
   * Does as a browser whose user signs in there as `login` and consents: answers where the provider sends it back to.
   */
  signIn(authorizationUrl: string, login: string): Promise<string>;
}

const clientId = "zoneward";
const clientSecret = "the secret of the client";

/** Starts a provider that knows one client, whose pages take any login and password. */
export async function startProvider(t: TestContext, redirectUrl: string): Promise<TestProvider> {
  const users = new Map<string, object>();
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.mock.method(console, "info", () => undefined);
  t.mock.method(console, "warn", () => undefined);
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUrl] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["groups"] },
    pkce: { required: () => true },
    cookies: { keys: ["a key of the tests"] },
    findAccount: (_context: unknown, login: string) => ({
      accountId: login,
      claims: () => ({ sub: login, ...users.get(login) }),
    }),
  });
  const listener = provider.callback();
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { issuer, clientId, clientSecret, users, signIn: (url, login) => walk(url, login, redirectUrl) };
}

/** Follows redirects with cookies, and fills in the forms of the provider. */
async function walk(start: string, login: string, redirectUrl: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 12; step += 1) {
    const answer = await fetch(url, {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form !== undefined && { body: form }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const text = await answer.text();
    const location = answer.headers.get("location");
    if (location !== null) {
      url = new URL(location, url).href;
      form = undefined;
      if (url.startsWith(redirectUrl)) return url;
      continue;
    }
    const [, action = ""] = /<form[^>]* action="([^"]+)"/.exec(text) ?? [];
    const [, prompt = ""] = /name="prompt" value="([^"]+)"/.exec(text) ?? [];
    if (action === "") throw new Error(`${answer.status}: ${text}`);
    url = new URL(action, url).href;
    form = new URLSearchParams({ prompt, ...(prompt === "login" && { login, password: "any" }) });
  }
  throw new Error(`the provider did not send the browser back: ${url}`);
}
