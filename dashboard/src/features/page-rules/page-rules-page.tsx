import { useMemo } from "react";

import type { PageRule } from "../../../../src/resources/page-rules/schema.ts";
import { call } from "../../api/call.ts";
import { useApiCalls } from "../../api/query.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { MoveButtons } from "../../components/move-buttons.tsx";
import { movedPriorities } from "../../components/priorities.ts";
import { ResourcePage } from "../../components/resource/resource-page.tsx";
import { useZoneOfPage } from "../../components/zone-of-page.ts";
import { pageRules } from "./page-rules.tsx";

/** Settings for the URLs of a zone that match a pattern, in the order in which they are tried. */
export function PageRulesPage() {
  const { zoneId, zone } = useZoneOfPage();
  const resource = useMemo(() => pageRules(zoneId), [zoneId]);
  const { mutate, isPending, error } = useApiCalls(
    ({ rules, id, to }: { readonly rules: readonly PageRule[]; readonly id: string; readonly to: number }) =>
      movedPriorities(rules, id, to).map((moved) =>
        call("editPageRule", { zone_id: zoneId, pagerule_id: moved.id }, { priority: moved.priority }),
      ),
  );
  return (
    <>
      <ErrorAlert title="The order was not changed" error={error} />
      <ResourcePage
        resource={resource}
        of={zone?.name}
        description="Other settings for some URLs. Of the rules that match a URL only the first one holds."
        renderActions={(rule, rules) => (
          <MoveButtons
            name={`the page rule ${resource.nameOf(rule)}`}
            place={rules.indexOf(rule)}
            count={rules.length}
            disabled={isPending}
            onMove={(to) => mutate({ rules, id: rule.id, to })}
          />
        )}
      />
    </>
  );
}
