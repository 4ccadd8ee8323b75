import { CheckCircleIcon } from "@heroicons/react/24/outline";
import { Button, Card, Group, List, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { listCertificatePacks } from "../../api/certificates.ts";
import { listDnsRecords } from "../../api/dns-records.ts";
import { useApi } from "../../api/query.ts";
import { managedEntryPoint, noEntryPointCode } from "../../api/rulesets.ts";
import { listTokens, userPath } from "../../api/tokens.ts";
import { zonePath, type Zone } from "../../api/zones.ts";
import { Timestamp } from "../../components/timestamp.tsx";

/** Something to do before a zone is of use. */
interface Step {
  readonly title: string;
  readonly isDone: boolean;
  readonly detail: ReactNode;
  readonly to: string;
  readonly search?: object;
  readonly action: string;
}

const one = { page: 1, per_page: 1 } as const;

/** What is next for a zone, in the order in which it works here; each step ticks itself. What may not be read is left out. */
export function NextSteps({ zone }: { readonly zone: Zone }) {
  const steps = useSteps(zone);
  const next = steps.find(({ isDone }) => !isDone);
  if (steps.length === 0) return undefined;
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="md">
        {next === undefined ? "Everything is set up" : "Next steps"}
      </Title>
      <List listStyleType="none" withPadding={false} spacing="sm">
        {steps.map((step) => (
          <List.Item key={step.title} aria-label={`${step.title}: ${step.isDone ? "done" : "to do"}`}>
            <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
              <Group gap="sm" wrap="nowrap" align="flex-start">
                <ThemeIcon size="sm" radius="xl" variant="default" aria-hidden>
                  {step.isDone && <CheckCircleIcon width={18} />}
                </ThemeIcon>
                <Stack gap={2}>
                  <Text size="sm" fw={600}>
                    {step.title}
                  </Text>
                  <Text component="div" size="sm" c="dimmed">
                    {step.detail}
                  </Text>
                </Stack>
              </Group>
              {!step.isDone && (
                <Button
                  size="xs"
                  variant={step === next ? "filled" : "default"}
                  flex="none"
                  renderRoot={(root) => (
                    <Link {...root} to={step.to} params={{ zoneId: zone.id }} search={step.search ?? {}} />
                  )}
                >
                  {step.action}
                </Button>
              )}
            </Group>
          </List.Item>
        ))}
      </List>
    </Card>
  );
}

function useSteps(zone: Zone): readonly Step[] {
  const records = useApi(listDnsRecords(zone.id, one)).data?.result_info?.total_count;
  const tokens = useApi(listTokens(userPath, { ...one, include_expired: false })).data?.result_info
    ?.total_count;
  const packs = useApi(listCertificatePacks(zone.id)).data?.result;
  const { data: entryPoint, error } = useApi(managedEntryPoint(zonePath(zone.id)));
  const isWithoutRules = error?.hasCode(noEntryPointCode) === true;
  const deployed = entryPoint?.result.rules?.filter(
    ({ action, enabled }) => action === "execute" && enabled,
  ).length;
  const expiry = packs
    ?.flatMap(({ status, certificates }) => (status === "active" ? certificates : []))
    .map(({ expires_on }) => expires_on)
    .toSorted()[0];
  const steps: readonly (Step | false)[] = [
    records !== undefined &&
      zone.type === "secondary" && {
        title: "Fetch the zone",
        isDone: records > 0,
        detail: records === 0 ? "Say which name server it is a copy of." : counted(records, "record"),
        to: "/zones/$zoneId/dns/transfers",
        action: "Zone transfers",
      },
    records !== undefined &&
      zone.type !== "secondary" && {
        title: "Add a record",
        isDone: records > 0,
        detail:
          records === 0 ? "A name that leads somewhere, or a whole zone file." : counted(records, "record"),
        to: "/zones/$zoneId/dns",
        search: { add: true },
        action: "Add a record",
      },
    tokens !== undefined && {
      title: "Make an API token",
      isDone: tokens > 0,
      detail: tokens === 0 ? "What scripts and Terraform sign in with." : counted(tokens, "token"),
      to: "/profile/tokens/new",
      action: "Create a token",
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
      to: "/zones/$zoneId/ssl",
      action: "Certificates",
    },
    (entryPoint !== undefined || isWithoutRules) && {
      title: "Deploy managed rules",
      isDone: (deployed ?? 0) > 0,
      detail: deployed ? counted(deployed, "ruleset") : "They refuse requests that are known to be attacks.",
      to: "/zones/$zoneId/security/waf/managed-rules/new",
      action: "Deploy",
    },
  ];
  return steps.filter((step) => step !== false);
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
