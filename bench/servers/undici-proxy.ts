/**
 * The peer of the edge and the gateway: what `node:http` and undici alone cost. `node bench/servers/undici-proxy.ts
 * PORT TARGET [same]`
 *
 * same  sends origins and visitors the headers that the edge adds
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";

import { Pool } from "undici";

const [port, target, mode] = process.argv.slice(2);
const pool = new Pool(`http://127.0.0.1:${target}`, { connections: 64 });
const isSame = mode === "same";

function forOrigin({ headers, socket }: IncomingMessage, ray: string): IncomingHttpHeaders {
  const address = socket.remoteAddress ?? "";
  return {
    ...headers,
    "accept-encoding": "gzip, br",
    "x-forwarded-for": address,
    "cf-connecting-ip": address,
    "cf-ipcountry": "XX",
    "cf-ray": ray,
    "cf-visitor": '{"scheme":"http"}',
    "x-forwarded-proto": "http",
    "cdn-loop": "bare-01234567",
  };
}

const forVisitor = (headers: IncomingHttpHeaders, ray: string): IncomingHttpHeaders => ({
  ...headers,
  "cf-cache-status": "DYNAMIC",
  server: "bare",
  "cf-ray": ray,
});

const server = createServer((request, response) => {
  const { method = "GET", url = "/", headers } = request;
  const ray = isSame ? `${randomBytes(8).toString("hex")}-ZWD` : "";
  pool.stream(
    {
      method,
      path: url,
      headers: isSame ? forOrigin(request, ray) : headers,
      body: method === "GET" ? null : request,
    },
    ({ statusCode, headers: answered }) => {
      response.writeHead(statusCode, isSame ? forVisitor(answered, ray) : answered);
      return response;
    },
    () => undefined,
  );
});
server.keepAliveTimeout = 0;
server.listen(Number(port), "127.0.0.1");
