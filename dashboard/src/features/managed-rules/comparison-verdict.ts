import type { MigrationReport } from "../../../../src/resources/waf-replay/schema.ts";
import { counted } from "../../components/counted.ts";

type ComparedReport = Pick<MigrationReport, "migration_state" | "requests">;

/** The result of a report, as sentences; undefined where no visitor's request met a managed rule. */
export function verdictOf({
  migration_state: state,
  requests: { both, only_new, only_previous, none },
}: ComparedReport): string | undefined {
  if (both + only_new + only_previous + none === 0) return undefined;
  if (state !== "validation") {
    const version = state === "start" ? "previous" : "new";
    return `The ${version} version stopped ${counted(only_new + only_previous, "request")}.`;
  }
  if (only_new + only_previous === 0)
    return both === 0
      ? "Both versions agree: neither stopped a request."
      : `Both versions agree: they stopped the same ${counted(both, "request")}.`;
  return [
    ...(only_previous === 0
      ? []
      : [`The new version let ${counted(only_previous, "request")} pass that the previous one stopped.`]),
    ...(only_new === 0
      ? []
      : [
          `${only_previous === 0 ? "The new version" : "It"} stopped ${counted(only_new, "request")} that the previous one let pass.`,
        ]),
  ].join(" ");
}
