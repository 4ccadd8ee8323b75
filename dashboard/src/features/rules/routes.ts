import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "../../components/lazy-page.ts";
import { textOf } from "../../components/list-search.ts";
import { accountRoute, zoneRoute } from "../../routes.ts";

/** What another page proposes for a new rule. */
interface NewRuleSearch {
  /** An exception, which comes first. */
  readonly action?: "skip" | undefined;
  readonly expression?: string | undefined;
  readonly description?: string | undefined;
}

function readNewRuleSearch(search: Readonly<Record<string, unknown>>): NewRuleSearch {
  const expression = textOf(search["expression"]);
  const description = textOf(search["description"]);
  return {
    ...(search["action"] === "skip" && { action: "skip" }),
    ...(expression !== undefined && { expression }),
    ...(description !== undefined && { description }),
  };
}

const rules = {
  path: "/rules",
  component: lazyPage(() => import("./rules-page.tsx"), "RulesPage"),
} as const;
/** `$ruleset` is a phase, or the id of a ruleset. */
const ruleset = {
  path: "/rules/$ruleset",
  component: lazyPage(() => import("./ruleset-page.tsx"), "RulesetPage"),
} as const;
const newRule = {
  path: "/rules/$ruleset/new",
  validateSearch: readNewRuleSearch,
  component: lazyPage(() => import("./rule-page.tsx"), "RulePage"),
} as const;
const editRule = {
  path: "/rules/$ruleset/$ruleId",
  component: lazyPage(() => import("./rule-page.tsx"), "RulePage"),
} as const;

export const zoneRulesRoutes = [
  createRoute({ getParentRoute: () => zoneRoute, ...rules }),
  createRoute({ getParentRoute: () => zoneRoute, ...ruleset }),
  createRoute({ getParentRoute: () => zoneRoute, ...newRule }),
  createRoute({ getParentRoute: () => zoneRoute, ...editRule }),
] as const;

export const accountRulesRoutes = [
  createRoute({ getParentRoute: () => accountRoute, ...rules }),
  createRoute({ getParentRoute: () => accountRoute, ...ruleset }),
  createRoute({ getParentRoute: () => accountRoute, ...newRule }),
  createRoute({ getParentRoute: () => accountRoute, ...editRule }),
] as const;
