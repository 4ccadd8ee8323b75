import assert from "node:assert/strict";

import { sendRequest, type TestAnswer, type TestApp } from "./harness.ts";

export const password = "correct horse battery";

interface BrowserRequest {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A browser with its cookies. */
export interface TestBrowser {
  /** The cookie of the session, as the browser sends it with everything; empty without one. */
  cookie: string;
  /** Outlives the session, as the browser sends it to `/session`; empty without it. */
  deviceCookie: string;
  /** Sends a request; `path` is the whole one. */
  request(method: string, path: string, options?: BrowserRequest): Promise<TestAnswer>;
  /** Sends a request to the API as the dashboard does. */
  api(method: string, path: string, options?: BrowserRequest): Promise<TestAnswer>;
}

/** A browser that nobody has signed in yet, unless it has the cookie of another one. */
export function openBrowser(app: Pick<TestApp, "baseUrl">, cookie = ""): TestBrowser {
  const browser: TestBrowser = {
    cookie,
    deviceCookie: "",
    request: async (method, path, { headers, ...options } = {}) => {
      const answer = await sendRequest(new URL(app.baseUrl).origin, method, path, {
        ...options,
        headers: { ...cookieHeader(browser, path), ...headers },
      });
      for (const set of answer.headers.getSetCookie()) {
        const kept = set.includes("Max-Age=0") ? "" : (set.split(";")[0] ?? "");
        if (set.startsWith("zoneward_device=")) browser.deviceCookie = kept;
        else browser.cookie = kept;
      }
      return answer;
    },
    api: (method, path, { headers, ...options } = {}) =>
      browser.request(method, `/client/v4${path}`, {
        ...options,
        headers: { "x-zoneward-session": "1", "sec-fetch-site": "same-origin", ...headers },
      }),
  };
  return browser;
}

function cookieHeader(
  { cookie, deviceCookie }: Pick<TestBrowser, "cookie" | "deviceCookie">,
  path: string,
): Record<string, string> {
  const sent = [cookie, ...(path.startsWith("/session") ? [deviceCookie] : [])].filter((one) => one !== "");
  return sent.length === 0 ? {} : { cookie: sent.join("; ") };
}

/** The token of a sign-in link. */
export function tokenOfLink(link: string | undefined): string {
  return /\/first-sign-in#([\w-]{43})$/.exec(link ?? "")?.[1] ?? assert.fail(`no link: ${link}`);
}

/** Sets the owner's password by the link of the start, and answers the browser that is signed in by it. */
export async function firstSignIn(app: TestApp): Promise<TestBrowser> {
  const browser = openBrowser(app);
  const token = tokenOfLink(app.signInLink);
  const answer = await browser.request("POST", "/session/first", { body: { token, password } });
  assert.equal(answer.status, 200, answer.text);
  return browser;
}

/** Signs the owner in with its password in another browser. */
export async function signedInBrowser(app: TestApp): Promise<TestBrowser> {
  const browser = openBrowser(app);
  const answer = await browser.request("POST", "/session", {
    body: { email: app.owner.email, password },
  });
  assert.equal(answer.status, 200, answer.text);
  return browser;
}
