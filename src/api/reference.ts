import { createReadStream } from "node:fs";
import { createRequire } from "node:module";

import type { FastifyInstance, FastifyReply } from "fastify";

import { openApiDocument } from "./openapi.ts";
import type { ServerOptions } from "./server-options.ts";

const assets: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Zoneward API reference</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const securityHeaders = {
  // Swagger UI sets styles from its script.
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** Mounts `/openapi.json` and the page `/docs`, which need no credentials. */
export function mountReference(
  server: FastifyInstance,
  { routes, basePath, version }: Pick<ServerOptions, "routes" | "basePath" | "version">,
): void {
  // Rendered on demand.
  let document: string | undefined;
  server.get("/openapi.json", { config: { pattern: "/openapi.json" } }, async (_, reply) => {
    document ??= JSON.stringify(openApiDocument(routes, { basePath, version }));
    return reply.type("application/json").send(document);
  });

  const send = (reply: FastifyReply, type: string, body: unknown): FastifyReply =>
    reply.headers(securityHeaders).type(type).send(body);
  server.get("/docs", { config: { pattern: "/docs" } }, async (_, reply) =>
    send(reply, "text/html; charset=utf-8", page),
  );
  server.get("/docs/start.js", { config: { pattern: "/docs/start.js" } }, async (_, reply) =>
    send(reply, "text/javascript; charset=utf-8", start),
  );
  const require = createRequire(import.meta.url);
  for (const [name, type] of Object.entries(assets)) {
    server.get(`/docs/${name}`, { config: { pattern: `/docs/${name}` } }, async (_, reply) => {
      reply.header("cache-control", "public, max-age=86400");
      return send(reply, type, createReadStream(require.resolve(`@fastify/swagger-ui/static/${name}`)));
    });
  }
}
