import { ArrowUpCircleIcon, NoSymbolIcon } from "@heroicons/react/24/outline";
import { Button, Card, Group, List, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";

import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { plainText } from "../../api/api-error.ts";
import type { Answer } from "../../api/send.ts";
import { Deploy } from "./deploy.tsx";
import { ProposedConfiguration } from "./proposed-configuration.tsx";
import { UriOverrides } from "./uri-overrides.tsx";

interface MigrationOfferProps {
  readonly zone: Zone;
  readonly isCompatible: boolean;
  /** What keeps the zone from updating. */
  readonly obstacles: Answer<unknown>["messages"];
}

/** Whether a zone can update and why not, what its settings would become, and the way there. */
export function MigrationOffer({ zone, isCompatible, obstacles }: MigrationOfferProps) {
  const [shown, { toggle }] = useDisclosure();
  if (!isCompatible)
    return (
      <Offer eligible={false} title="This zone cannot update to the new WAF managed rules yet">
        <Reasons reasons={obstacles} />
        <UriOverrides zoneId={zone.id} />
      </Offer>
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
          <Deploy zone={zone} />
        </>
      }
    >
      <Text size="sm" maw="46rem">
        {isEnterprise
          ? "Deploy enables the new version beside the previous one. Both judge requests until you turn the previous one off."
          : "Deploy saves the configuration that you can review and turns the previous version off at the same time: the zone stays protected throughout. This cannot be undone."}
      </Text>
      {shown && <ProposedConfiguration zoneId={zone.id} />}
    </Offer>
  );
}

function Reasons({ reasons }: { readonly reasons: Answer<unknown>["messages"] }) {
  return (
    <List size="sm" spacing={4}>
      {reasons.map(({ code, message }) => (
        <List.Item key={`${code} ${message}`}>
          {plainText(message)}{" "}
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
