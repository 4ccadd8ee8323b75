import { auditLogPage } from "./audit-log.ts";
import { coveragePage } from "./coverage.ts";
import { expressionsPage } from "./expressions.ts";
import { inForcePage } from "./in-force.ts";
import { permissionsPage } from "./permissions.ts";
import { publicSchemaPage } from "./public-schema.ts";
import { settingsPage } from "./settings.ts";

/** The pages that are made from the code, by their path. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  "docs/coverage.md": coveragePage,
  "docs/expressions.md": expressionsPage,
  "docs/in-force.md": inForcePage,
  "docs/permissions.md": permissionsPage,
  "docs/contract/public-schema.md": publicSchemaPage,
  "docs/operating/audit-log.md": auditLogPage,
  "docs/operating/settings.md": settingsPage,
};
