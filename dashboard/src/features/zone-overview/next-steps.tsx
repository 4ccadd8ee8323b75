import { Skeleton } from "@mantine/core";

import type { CertificatePack } from "../../../../src/resources/certificate-packs/schema.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { noEntryPointCode } from "../../api/api-error.ts";
import { call, wholeList } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { Checklist, type Step } from "../../components/checklist.tsx";
import { counted } from "../../components/counted.ts";
import { Timestamp } from "../../components/timestamp.tsx";
import { managedPhase } from "../../rule-phases.ts";

const one = { page: 1, per_page: 1 } as const;

/** The next steps for a zone, in the order in which they work. A step that may not be read is left out. */
export function NextSteps({ zone }: { readonly zone: Zone }) {
  const steps = useSteps(zone);
  if (steps === undefined) return <Skeleton height={340} radius="md" />;
  const isOver = steps.every(({ isDone }) => isDone);
  return <Checklist title={isOver ? "Everything is set up" : "Next steps"} steps={steps} />;
}

/** Undefined until all is known, so that what stands below them does not move. */
function useSteps(zone: Zone): readonly Step[] | undefined {
  const page = `/zones/${zone.id}`;
  const recordList = useApi(call("listDnsRecords", { zone_id: zone.id }, one));
  const tokenList = useApi(call("listTokens", {}, { ...one, include_expired: false }));
  const packList = useApi(
    call("listCertificatePacks", { zone_id: zone.id }, { ssl_status: "all", ...wholeList }),
  );
  const managedRules = useApi(call("getEntryPoint", { zone_id: zone.id, ruleset_phase: managedPhase }));
  if ([recordList, tokenList, packList, managedRules].some(({ isPending }) => isPending)) return undefined;
  const records = recordList.data?.result_info?.total_count;
  const tokens = tokenList.data?.result_info?.total_count;
  const packs = packList.data?.result;
  const { data: entryPoint, error } = managedRules;
  const isWithoutRules = error?.hasCode(noEntryPointCode) === true;
  const deployed = entryPoint?.result.rules?.filter(
    ({ action, enabled }) => action === "execute" && enabled,
  ).length;
  const expiry = packs && nextExpiry(packs);
  const steps: readonly (Step | false)[] = [
    records !== undefined &&
      zone.type === "secondary" && {
        title: "Fetch the zone",
        isDone: records > 0,
        detail: records === 0 ? "Say which name server it is a copy of." : counted(records, "record"),
        link: { to: `${page}/dns/transfers`, text: "Zone transfers" },
      },
    records !== undefined &&
      zone.type !== "secondary" && {
        title: "Add a record",
        isDone: records > 0,
        detail:
          records === 0 ? "A name that leads somewhere, or a whole zone file." : counted(records, "record"),
        link: { to: `${page}/dns`, search: { add: true }, text: "Add a record" },
      },
    tokens !== undefined && {
      title: "Make an API token",
      isDone: tokens > 0,
      detail: tokens === 0 ? "What scripts and Terraform sign in with." : counted(tokens, "token"),
      link: { to: "/profile/tokens/new", text: "Create a token" },
    },
    {
      title: "Activate the zone",
      isDone: zone.status === "active",
      detail:
        zone.status === "active" ? (
          <>
            Active since <Timestamp at={zone.activated_on} />
          </>
        ) : (
          "Its rules and certificates are in force once it is active. What it waits for stands below."
        ),
    },
    packs !== undefined && {
      title: "Have a certificate",
      isDone: expiry !== undefined,
      detail:
        expiry === undefined ? (
          "One comes by itself once the zone is active, or is uploaded."
        ) : (
          <>
            The next one expires <Timestamp at={expiry} />
          </>
        ),
      link: { to: `${page}/ssl`, text: "Certificates" },
    },
    (entryPoint !== undefined || isWithoutRules) && {
      title: "Deploy managed rules",
      isDone: (deployed ?? 0) > 0,
      detail: deployed ? counted(deployed, "ruleset") : "They refuse requests that are known to be attacks.",
      link: { to: `${page}/security/waf/managed-rules/new`, text: "Deploy" },
    },
  ];
  return steps.filter((step) => step !== false);
}

/** The earliest end of a certificate in use; undefined where there is none. */
function nextExpiry(packs: readonly CertificatePack[]): string | undefined {
  return packs
    .flatMap(({ status, certificates }) => (status === "active" ? certificates : []))
    .map(({ expires_on }) => expires_on)
    .filter((expires) => Date.parse(expires) > Date.now())
    .toSorted()[0];
}
