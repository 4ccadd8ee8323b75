import { ArrowUpCircleIcon, NoSymbolIcon } from "@heroicons/react/24/outline";
import { Button, Card, Collapse, Group, List, Skeleton, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";

import { useApi } from "../../api/query.ts";
import { proposeConfiguration } from "../../api/waf-migration.ts";
import type { Zone } from "../../api/zones.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Deploy } from "./deploy.tsx";
import { useEntryPoint } from "./entry-point.ts";
import { ProposedConfiguration } from "./proposed-configuration.tsx";
import { UriOverrides } from "./uri-overrides.tsx";

/** Whether a zone can update and why not, what its settings would become, and the way there. */
export function MigrationOffer({ zone }: { readonly zone: Zone }) {
  const proposal = useApi(proposeConfiguration(zone.id));
  const { rules } = useEntryPoint(zone.id);
  const [shown, { toggle }] = useDisclosure();
  if (proposal.data === undefined)
    return proposal.error === null ? (
      <Skeleton height={132} radius="md" />
    ) : proposal.error.status === 400 ? (
      <Offer eligible={false} title="This zone cannot update to the new WAF managed rules yet">
        <Reasons reasons={proposal.error.details} />
        <UriOverrides zoneId={zone.id} />
      </Offer>
    ) : (
      <ErrorAlert
        title="It is unknown whether this zone can update"
        error={proposal.error}
        onRetry={() => void proposal.refetch()}
      />
    );
  const isEnterprise = zone.plan.legacy_id === "enterprise";
  return (
    <Offer
      eligible
      title="This zone can update to the new WAF managed rules"
      actions={
        <>
          <Button variant="default" onClick={toggle} aria-expanded={shown}>
            {shown ? "Hide the configuration" : "Review the configuration"}
          </Button>
          <Deploy zone={zone} proposal={proposal.data.result} rules={rules} />
        </>
      }
    >
      <Text size="sm" maw="46rem">
        {isEnterprise
          ? "Deploy enables the new version beside the previous one. Both judge requests until you turn the previous one off."
          : "Deploy saves the configuration below and turns the previous version off at the same time: the zone stays protected throughout. This cannot be undone."}
      </Text>
      <Collapse expanded={shown}>
        <ProposedConfiguration
          zoneId={zone.id}
          proposal={proposal.data.result}
          messages={proposal.data.messages}
        />
      </Collapse>
    </Offer>
  );
}

function Reasons({ reasons }: { readonly reasons: readonly { code: number; message: string }[] }) {
  return (
    <List size="sm" spacing={4}>
      {reasons.map(({ code, message }) => (
        <List.Item key={`${code} ${message}`}>
          {message}{" "}
          <Text span size="sm" c="dimmed">
            (code {code})
          </Text>
        </List.Item>
      ))}
    </List>
  );
}

interface OfferProps {
  readonly eligible: boolean;
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

function Offer({ eligible, title, actions, children }: OfferProps) {
  const Icon = eligible ? ArrowUpCircleIcon : NoSymbolIcon;
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="migration-offer">
      <Stack gap="md">
        <Group justify="space-between" gap="md">
          <Group gap="sm" wrap="nowrap" flex="1 1 20rem">
            <ThemeIcon variant="light" color={eligible ? "harbor" : "yellow"} size="lg" radius="xl">
              <Icon width={22} aria-hidden />
            </ThemeIcon>
            <Title order={2} id="migration-offer">
              {title}
            </Title>
          </Group>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}
