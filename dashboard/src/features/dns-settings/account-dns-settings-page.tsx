import { useAccountOfPage } from "../../components/account-of-page.ts";
import { Card, Stack, Switch, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import type { ZoneDnsSettingsBody } from "../../../../src/resources/dns-settings/schema.ts";
import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";
import { ErrorAlert, Pending } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { AnswersForm, SoaForm } from "./settings-forms.tsx";
import { showDone } from "../../components/notices.tsx";

/** The DNS settings with which new zones of an account begin, and what holds for all of its zones. */
export function AccountDnsSettingsPage() {
  const { accountId, account } = useAccountOfPage();
  const request = call("getAccountDnsSettings", { account_id: accountId });
  const { data, error } = useApi(request);
  const form = {
    root: "/zone_defaults",
    callOf: (zone_defaults: ZoneDnsSettingsBody) =>
      call("editAccountDnsSettings", { account_id: accountId }, { zone_defaults }),
  };
  return (
    <>
      <PageHeader
        title="DNS defaults"
        of={account?.name}
        description="What new zones of the account begin with. Zones that exist keep their settings."
        calls={[
          { title: "Get the defaults", call: request },
          {
            title: "Change what new zones begin with",
            call: call(
              "editAccountDnsSettings",
              { account_id: accountId },
              { zone_defaults: { soa: { min_ttl: 600 } } },
            ),
          },
          {
            title: "Let no name of any zone be proxied",
            call: call("editAccountDnsSettings", { account_id: accountId }, { enforce_dns_only: true }),
          },
        ]}
      />
      {data === undefined ? (
        <Pending height={320} title="The defaults could not be shown" error={error} />
      ) : (
        <Stack gap="lg">
          <AnswersForm settings={data.result.zone_defaults} {...form} />
          <SoaForm settings={data.result.zone_defaults} {...form} />
          <DnsOnlyCard accountId={accountId} isEnforced={data.result.enforce_dns_only} />
        </Stack>
      )}
    </>
  );
}

interface DnsOnlyCardProps {
  readonly accountId: string;
  readonly isEnforced: boolean;
}

function DnsOnlyCard({ accountId, isEnforced }: DnsOnlyCardProps) {
  const [isAsking, { open, close }] = useDisclosure();
  const change = useApiMutation(
    (enforce_dns_only: boolean) =>
      call("editAccountDnsSettings", { account_id: accountId }, { enforce_dns_only }),
    {
      onSuccess: ({ result }) => {
        showDone(
          result.enforce_dns_only
            ? "No name of any zone is proxied."
            : "The zones say again what is proxied.",
        );
        close();
      },
    },
  );
  return (
    <Card withBorder padding="lg" maw="40rem">
      <Stack>
        <Title order={2}>All zones of the account</Title>
        <Text size="sm" c="dimmed">
          This holds at once, for zones that exist too.
        </Text>
        <Switch
          label="DNS only"
          description="No name of any zone is proxied, whatever its records and settings say"
          checked={isEnforced}
          disabled={change.isPending}
          onChange={(event) => (event.currentTarget.checked ? open() : change.mutate(false))}
        />
        <ErrorAlert title="It was not changed" error={isAsking ? null : change.error} />
      </Stack>
      <ConfirmModal
        opened={isAsking}
        onClose={close}
        title="Let no name of any zone be proxied"
        action="Let none be proxied"
        pending={change.isPending}
        error={change.error}
        call={call("editAccountDnsSettings", { account_id: accountId }, { enforce_dns_only: true })}
        onConfirm={() => change.mutate(true)}
      >
        Every proxied record of every zone is answered with its own content: visitors reach the origins
        directly, and no rule or certificate of the edge protects them.
      </ConfirmModal>
    </Card>
  );
}
