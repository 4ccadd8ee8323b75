/**
 * The peer of the edge and the gateway: what `node:http` and undici alone cost. `node bench/servers/undici-proxy.ts
 * PORT TARGET`
 */
import { createServer } from "node:http";

import { Pool } from "undici";

const [port, target] = process.argv.slice(2);
const pool = new Pool(`http://127.0.0.1:${target}`, { connections: 64 });

const server = createServer((request, response) => {
  const { method = "GET", url = "/", headers } = request;
  pool.stream(
    { method, path: url, headers, body: method === "GET" ? null : request },
    ({ statusCode, headers: answered }) => {
      response.writeHead(statusCode, answered);
      return response;
    },
    () => undefined,
  );
});
server.keepAliveTimeout = 0;
server.listen(Number(port), "127.0.0.1");
