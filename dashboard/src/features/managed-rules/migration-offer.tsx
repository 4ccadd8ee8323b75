import { ArrowUpCircleIcon, NoSymbolIcon } from "@heroicons/react/24/outline";
import { Button, Card, Group, List, Stack, Text, ThemeIcon, Title, Skeleton, Badge } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { notifications } from "@mantine/notifications";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { plainText } from "../../api/api-error.ts";
import type { Answer } from "../../api/send.ts";
import { UriOverrides } from "./uri-overrides.tsx";
import { call, type ResultOf } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorAlert, Pending } from "../../components/error-alert.tsx";
import { managedPhase } from "../../rule-phases.ts";
import { phaseTwo, useEntryPoint } from "./entry-point.ts";
import type { RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import type { ProposedRuleset } from "../../../../src/core/waf-plan/plan.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { rowsAtHand } from "../../components/rows-at-hand.ts";
import { readConsequences, type Consequence } from "./consequences.ts";
import { RuleText } from "./rule-text.tsx";

interface MigrationOfferProps {
  readonly zone: Zone;
  readonly isCompatible: boolean;
  /** The reasons why the zone cannot update. */
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

/** Deploys the proposed configuration: beside the previous version on Enterprise, else in its place. */
function Deploy({ zone }: { readonly zone: Zone }) {
  const [asking, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>Deploy</Button>
      {asking && <AskToDeploy zone={zone} onClose={close} />}
    </>
  );
}

interface AskToDeployProps {
  readonly zone: Zone;
  readonly onClose: () => void;
}

/** Asks once it knows the proposal, and which rules it replaces. */
function AskToDeploy({ zone, onClose }: AskToDeployProps) {
  const proposal = useApi(call("proposeConfiguration", { zone_id: zone.id }, phaseTwo));
  const entryPoint = useEntryPoint(zone.id);
  const isEnterprise = zone.plan.legacy_id === "enterprise";
  const callOf = (body: ResultOf<"proposeConfiguration">) =>
    call("replaceEntryPoint", { zone_id: zone.id, ruleset_phase: managedPhase }, body, {
      waf_migration: isEnterprise ? "validation" : "pending",
      ...phaseTwo,
    });
  const { mutate, isPending, error } = useApiMutation(callOf, {
    invalidates: [call("getZone", { zone_id: zone.id })],
    onSuccess: () =>
      notifications.show({
        message: isEnterprise
          ? "Both versions of the managed rules are in force now."
          : "The zone now has the new WAF managed rules.",
      }),
  });
  const title = "Deploy the new WAF managed rules";
  const body = proposal.data?.result;
  if (body === undefined || entryPoint.isLoading || entryPoint.error !== null)
    return (
      <Dialog opened onClose={onClose} title={title} centered size="lg">
        {proposal.error === null && entryPoint.error === null ? (
          <Skeleton height={160} radius="md" />
        ) : (
          <ErrorAlert title="Nothing can be deployed now" error={proposal.error ?? entryPoint.error} />
        )}
      </Dialog>
    );
  const replaced = entryPoint.rules.length;
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={title}
      action="Deploy"
      color="harbor"
      {...(!isEnterprise && { typed: zone.name })}
      call={callOf(body)}
      pending={isPending}
      error={error}
      onConfirm={() => mutate(body)}
    >
      <Stack gap="xs">
        <Text size="sm">
          {isEnterprise
            ? `${zone.name} enters validation mode: the new version judges each request before the previous one. The previous version stays until you turn it off.`
            : `${zone.name} gets the configuration, and its previous version is turned off at the same time. A zone on the new version cannot return to the previous one.`}
        </Text>
        {replaced > 0 && (
          <Text size="sm">
            The {replaced === 1 ? "rule" : `${replaced} rules`} that the new version already has will be
            replaced.
          </Text>
        )}
      </Stack>
    </ConfirmModal>
  );
}

/** The successor of each setting of the previous version, and the rules that the zone would get. */
function ProposedConfiguration({ zoneId }: { readonly zoneId: string }) {
  const { data, error, refetch } = useApi(call("proposeConfiguration", { zone_id: zoneId }, phaseTwo));
  const rulesets = useApi(call("listRulesets", { zone_id: zoneId })).data?.result ?? [];
  if (data === undefined)
    return (
      <Pending
        height={240}
        title="The configuration could not be proposed"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  const { result: proposal, messages } = data;
  const consequences = readConsequences(messages);
  return (
    <Stack gap="md" pt="xs">
      <div>
        <Title order={3} mb="xs">
          What becomes of the settings
        </Title>
        <DataTable
          label="What becomes of the settings"
          query={rowsAtHand(consequences)}
          rowId={({ setting, becomes }) => `${setting} ${becomes}`}
          columns={consequenceColumns}
          empty={<EmptyList title="Nothing to migrate" />}
        />
      </div>
      <div>
        <Title order={3} mb="xs">
          The rules of the new version
        </Title>
        <DataTable
          label="Rules of the new version"
          query={rowsAtHand(proposal.rules.map((rule, index) => ({ rule, place: index + 1 })))}
          rowId={({ place }) => String(place)}
          columns={ruleColumns(rulesets)}
          empty={<EmptyList title="No rules" />}
        />
      </div>
    </Stack>
  );
}

const consequenceColumns: readonly Column<Consequence>[] = [
  { key: "setting", header: "Previous version", width: "50%", cell: ({ setting }) => setting },
  {
    key: "becomes",
    header: "New version",
    cell: ({ becomes }) =>
      becomes ?? (
        <Badge variant="light" color="orange" tt="none">
          Lost: create it again
        </Badge>
      ),
  },
];

interface ProposedRule {
  readonly rule: ProposedRuleset["rules"][number];
  /** From 1 on. */
  readonly place: number;
}

function ruleColumns(rulesets: readonly RulesetHead[]): readonly Column<ProposedRule>[] {
  return [
    { key: "place", header: "Order", width: "4.5rem", cell: ({ place }) => place },
    { key: "rule", header: "Rule", cell: ({ rule }) => <RuleText rule={rule} rulesets={rulesets} /> },
    {
      key: "enabled",
      header: "Status",
      width: "7rem",
      cell: ({ rule: { enabled } }) => (
        <Text size="sm" c={enabled ? "inherit" : "dimmed"}>
          {enabled ? "Enabled" : "Disabled"}
        </Text>
      ),
    },
  ];
}
