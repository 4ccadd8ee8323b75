/**
 * The peer: what `node:http` alone costs. `node bench/servers/peer.ts MODE PORT [FILE]`
 *
 * stringify  answers the JSON of FILE, rendered for every request
 * prebuilt   answers the bytes of FILE
 * echo       parses the body of the request and renders it again
 * empty      answers `{}`
 * json-rpc   answers every JSON-RPC call with a quantity
 */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

const [mode = "empty", port, file = ""] = process.argv.slice(2);
const text = file === "" ? "{}" : readFileSync(file, "utf8");
const value: unknown = JSON.parse(text);
const bytes = Buffer.from(text);

function answer(response: ServerResponse, body: string | Buffer): void {
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk: string) => {
    body += chunk;
  });
  request.on("end", () => answer(response, JSON.stringify(body === "" ? {} : JSON.parse(body))));
}

/** An Ethereum mainnet on which nothing happens. */
function call(request: IncomingMessage, response: ServerResponse): void {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk: string) => {
    body += chunk;
  });
  request.on("end", () => {
    const { id = null, method = "" } = JSON.parse(body === "" ? "{}" : body) as {
      id?: number;
      method?: string;
    };
    const block = '{"number":"0x10","hash":"0x10","parentHash":"0xf","timestamp":"0x0"}';
    const result = method === "eth_getBlockByNumber" ? block : '"0x1"';
    answer(response, `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  });
}

const server = createServer((request, response) => {
  if (mode === "echo") echo(request, response);
  else if (mode === "json-rpc") call(request, response);
  else answer(response, mode === "stringify" ? JSON.stringify(value) : bytes);
});
server.listen(Number(port), "127.0.0.1");
process.once("SIGTERM", () => server.close());
