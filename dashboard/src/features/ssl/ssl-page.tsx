import { ArrowUpTrayIcon, PlusIcon } from "@heroicons/react/24/outline";
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useMemo, useState } from "react";

import type { CertificatePack } from "../../../../src/resources/certificate-packs/schema.ts";
import { call, wholeList } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { DataTable, EmptyList } from "../../components/data-table.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { movedPriorities } from "../../components/priorities.ts";
import { useZoneOfPage } from "../../components/zone-of-page.ts";
import { AutomaticCertificates } from "./automatic-certificates.tsx";
import { customColumns, packColumns } from "./certificate-columns.tsx";
import { CertificateTimeline } from "./certificate-timeline.tsx";
import { DeleteCertificate, type Deleted } from "./delete-certificate.tsx";
import { OrderPack } from "./order-pack.tsx";
import { timelineEntries } from "./timeline.ts";
import { TrustAuthority } from "./trust-authority.tsx";
import { UploadCertificate } from "./upload-certificate.tsx";

const issuingRefreshMs = 2_000;

/** Whether a pack becomes something else by itself soon. */
function isUnderway({ status }: CertificatePack): boolean {
  return status === "initializing" || status.startsWith("pending_") || status === "holding_deployment";
}

/** The certificates of a zone: packs that are issued and renewed here, and those that were brought. */
export function SslPage() {
  const { zoneId, zone } = useZoneOfPage();
  const [opened, setOpened] = useState<"order" | "upload">();
  const [deleted, setDeleted] = useState<Deleted>();
  const [isWatched, setWatched] = useState(true);
  const packsCall = call("listCertificatePacks", { zone_id: zoneId }, { ssl_status: "all", ...wholeList });
  const customCall = call("listCustomCertificates", { zone_id: zoneId }, wholeList);
  const packs = useApi(packsCall, { refetchInterval: isWatched && issuingRefreshMs });
  const custom = useApi(customCall);
  const hasOrdered = packs.data?.result.some(({ type }) => type === "advanced") === true;
  const quota = useApi(call("getCertificatePackQuota", { zone_id: zoneId }), { enabled: hasOrdered }).data
    ?.result.advanced;
  const underway = packs.data?.result.some(isUnderway) ?? true;
  if (underway !== isWatched) setWatched(underway);
  const ofPacks = useMemo(
    () => packColumns(zoneId, (pack) => setDeleted({ kind: "pack", of: pack })),
    [zoneId],
  );
  const certificates = custom.data?.result;
  const { mutate: prioritize, error: priorityError } = useApiMutation(
    (priorities: ReturnType<typeof movedPriorities>) =>
      call("prioritizeCustomCertificates", { zone_id: zoneId }, { certificates: [...priorities] }),
  );
  const ofCustom = useMemo(
    () =>
      customColumns(
        certificates ?? [],
        (id, to) => prioritize(movedPriorities(certificates ?? [], id, to)),
        (certificate) => setDeleted({ kind: "certificate", of: certificate }),
      ),
    [certificates, prioritize],
  );
  const close = (): void => setOpened(undefined);
  return (
    <>
      <PageHeader
        title="Certificates"
        of={zone?.name}
        calls={[
          { title: "List the packs", call: packsCall },
          { title: "List the custom certificates", call: customCall },
          {
            title: "Get whether there is a universal pack",
            call: call("getUniversalSettings", { zone_id: zoneId }),
          },
          { title: "Get whether Total TLS is on", call: call("getTotalTls", { zone_id: zoneId }) },
          { title: "Get the local authority", call: call("getCertificateAuthority", {}) },
          {
            title: "Order a pack",
            call: call(
              "orderCertificatePack",
              { zone_id: zoneId },
              {
                type: "advanced",
                hosts: [zone?.name ?? "example.com"],
                validation_method: "txt",
                validity_days: 90,
                certificate_authority: "lets_encrypt",
              },
            ),
          },
        ]}
      >
        <Button
          variant="default"
          leftSection={<ArrowUpTrayIcon width={18} aria-hidden />}
          onClick={() => setOpened("upload")}
        >
          Upload
        </Button>
        <Button leftSection={<PlusIcon width={18} aria-hidden />} onClick={() => setOpened("order")}>
          Order a pack
        </Button>
      </PageHeader>
      <Stack gap="xl">
        <CertificateTimeline entries={timelineEntries(packs.data?.result ?? [], custom.data?.result ?? [])} />
        <section>
          <Group justify="space-between" mb="sm">
            <Title order={2}>Packs</Title>
            {quota !== undefined && (
              <Text size="sm" c="dimmed">
                {quota.used} of {quota.allocated} ordered packs in use
              </Text>
            )}
          </Group>
          <DataTable
            label="Certificate packs"
            query={packs}
            columns={ofPacks}
            rowId={({ id }) => id}
            empty={
              <EmptyList title="No packs yet">
                A zone gets its first one when it becomes active; more can be ordered.
              </EmptyList>
            }
          />
        </section>
        <AutomaticCertificates zoneId={zoneId} isValidating={packs.data !== undefined && underway} />
        <section>
          <Title order={2} mb="sm">
            Custom certificates
          </Title>
          <ErrorAlert title="The priorities were not changed" error={priorityError} />
          <DataTable
            label="Custom certificates"
            query={custom}
            columns={ofCustom}
            rowId={({ id }) => id}
            empty={
              <EmptyList title="None uploaded yet">
                Upload certificates from other authorities here. Their private keys are stored encrypted.
              </EmptyList>
            }
          />
        </section>
        <TrustAuthority />
      </Stack>
      {opened === "order" && zone !== undefined && <OrderPack zone={zone} onDone={close} />}
      {opened === "upload" && <UploadCertificate zoneId={zoneId} onDone={close} />}
      {deleted !== undefined && (
        <DeleteCertificate zoneId={zoneId} deleted={deleted} onDone={() => setDeleted(undefined)} />
      )}
    </>
  );
}
