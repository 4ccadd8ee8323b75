import { coveragePage } from "./coverage.ts";
import { settingsPage } from "./settings.ts";

/** The pages that are made from the code, by their path. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  "docs/coverage.md": coveragePage,
  "docs/operating/settings.md": settingsPage,
};
