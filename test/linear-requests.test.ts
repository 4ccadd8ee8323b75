import { writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { before, describe, test } from "node:test";

import { Type } from "@sinclair/typebox";

import { clientAddressesBehind } from "../src/wire/client-address.ts";
import { openRead } from "../src/operation/open.ts";
import { mount } from "../src/operation/operation.ts";
import { assertLinear } from "./support/growth.ts";
import { thirdOf } from "./support/rounds.ts";
import { newDirectory } from "./support/harness.ts";
import { suiteContext } from "./support/suite-context.ts";
import { createTransport, hand } from "./support/transport.ts";

interface Target {
  readonly method?: "GET" | "POST";
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const asset = "/asset.js";

/** Places in a request for a text that is read before anybody knows who sends it, and texts that cost most there. */
const places: Readonly<
  Record<string, { readonly at: (text: string) => Target; readonly units: readonly string[] }>
> = {
  "a path": {
    at: (text) => ({ url: `/client/v4/ips/${text}` }),
    units: ["a", "/", "/a", "%2f", "%25", "a;", "/.."],
  },
  "a path of the dashboard": {
    at: (text) => ({ url: `/${text}`, headers: { accept: "text/html" } }),
    units: ["a", "a/", "%", "~", "a."],
  },
  "a path that is posted to": { at: (text) => ({ method: "POST", url: `/${text}` }), units: ["a/", "%41"] },
  "a query": {
    at: (text) => ({ url: `/client/v4/ips?${text}` }),
    units: ["[", "a[", "&", "a=&", "%", "?", "#"],
  },
  "what a browser takes": {
    at: (text) => ({ url: "/page", headers: { accept: `${text}text/html` } }),
    units: [",", ";q=0", "a/b,"],
  },
  "the encodings that a browser takes": {
    at: (text) => ({ url: asset, headers: { "accept-encoding": text } }),
    units: [",", "br;", "br;q=0.", "br; ", "br;q=0.0,", "gzip;q=0,"],
  },
  "the address that a proxy names": {
    at: (text) => ({ url: "/client/v4/ips", headers: { "x-forwarded-for": text } }),
    units: [",", "192.0.2.1,", "127.0.0.1, ", ":", "1"],
  },
  "the origin of a page": {
    at: (text) => ({ method: "POST", url: "/session", headers: { origin: `http://${text}`, cookie: text } }),
    units: ["a", "a.", "@", ";", "zoneward_session="],
  },
  "a media type": {
    at: (text) => ({ method: "POST", url: "/client/v4/ips", headers: { "content-type": text } }),
    units: ["a", "a/b;", "; ", 'a="', "\\"],
  },
  "a host": { at: (text) => ({ url: "/client/v4/ips", headers: { host: text } }), units: ["a", ".", ":1"] },
};

describe("the work before anybody knows who sends a request grows no faster than the request", () => {
  const suite = suiteContext();
  let server: Server;
  before(() => {
    const dashboardDirectory = newDirectory(suite);
    writeFileSync(join(dashboardDirectory, "index.html"), "<title>a</title>");
    writeFileSync(join(dashboardDirectory, asset), "x".repeat(2_000));
    const listIps = openRead({
      name: "listIps",
      summary: "Lists",
      path: "/ips",
      result: Type.Null(),
      run: async () => null,
    });
    server = createTransport({
      routes: [mount(listIps, {})],
      dashboardDirectory,
      clientAddresses: clientAddressesBehind(["127.0.0.1"]),
    });
  });

  for (const [title, { at, units }] of Object.entries(places)) {
    test(title, async () => {
      for (const unit of thirdOf(units)) {
        const input = (length: number): string =>
          unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
        const ask = (text: string): Promise<unknown> => hand(server, at(text));
        // Each request costs something, whatever its length.
        await assertLinear(`${title} of ${JSON.stringify(unit)}`, ask, input, { parts: 16 });
      }
    });
  }
});
