import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import type { Answer } from "../wire/answers.ts";
import type { Page } from "./api-request.ts";
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

const securityFields = [
  // Swagger UI sets styles from its script.
  "content-security-policy",
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options",
  "nosniff",
  "referrer-policy",
  "no-referrer",
];

/** `/openapi.json` and the page `/docs`, which need no credentials. */
export function reference({
  routes,
  basePath,
  version,
}: Pick<ServerOptions, "routes" | "basePath" | "version">): Page[] {
  // Rendered on demand.
  let document: string | undefined;
  const text = (path: string, type: string, body: string): Page => {
    const answer = {
      status: 200,
      fields: [...securityFields, "content-type", `${type}; charset=utf-8`],
      body,
    };
    return { method: "GET", path, answer: async () => answer };
  };
  const require = createRequire(import.meta.url);
  return [
    {
      method: "GET",
      path: "/openapi.json",
      answer: async () => ({
        status: 200,
        fields: ["content-type", "application/json; charset=utf-8"],
        body: (document ??= JSON.stringify(openApiDocument(routes, { basePath, version }))),
      }),
    },
    text("/docs", "text/html", page),
    text("/docs/start.js", "text/javascript", start),
    ...Object.entries(assets).map(([name, type]): Page => {
      const fields = ["cache-control", "public, max-age=86400", ...securityFields, "content-type", type];
      let file: Promise<Buffer> | undefined;
      const answer = async (): Promise<Answer> => {
        file ??= readFile(require.resolve(`swagger-ui-dist/${name}`));
        return { status: 200, fields, body: await file };
      };
      return { method: "GET", path: `/docs/${name}`, answer };
    }),
  ];
}
