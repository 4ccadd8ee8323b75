import { describePermission } from "../../src/core/policy/permission.ts";
import type { RouteDescription } from "../../src/api/route.ts";
import { operations } from "../../src/server/operations.ts";

/** `docs/permissions.md`: what a caller needs for each operation. */
export function permissionsPage(): string {
  const lines = operations.map(
    (route) => `| \`${route.method} ${route.path}\` | \`${route.operation}\` | ${neededFor(route)} |`,
  );
  return `# Permissions

<!-- Made by \`npm run docs\`. -->

What a caller needs for each operation. A *Write* group includes its *Read* group. E-mail and key have the rights of the
user's roles, and so does a signed-in browser ([dashboard](operating/dashboard.md)). A token has the rights of its policies,
within what its owner may do.

| Operation | Name | Permission |
| --- | --- | --- |
${lines.join("\n")}
`;
}

function neededFor({ access, schemes }: RouteDescription): string {
  if (access === "open") return "open to everybody";
  if (access === "credentials") return "checks the token itself";
  if (access === "session") return schemes?.length === 0 ? "open to browsers" : "a signed-in browser";
  return describePermission(access);
}
