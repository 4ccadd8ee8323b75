import { ArrowUpTrayIcon, PlusIcon, ArrowDownTrayIcon } from "@heroicons/react/24/outline";
import { Button, Group, Stack, Text, Title, Card, Code } from "@mantine/core";
import { useMemo, useState } from "react";
import { useInViewport } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";

import type { CertificatePack } from "../../../../src/resources/certificate-packs/schema.ts";
import { call, wholeList, urlOf } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { DataTable, EmptyList } from "../../components/data-table.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { movedPriorities } from "../../components/priorities.ts";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { AutomaticCertificates } from "./automatic-certificates.tsx";
import { customColumns, packColumns } from "./certificate-columns.tsx";
import { CertificateTimeline } from "./certificate-timeline.tsx";
import { OrderPack } from "./order-pack.tsx";
import { timelineEntries } from "./timeline.ts";
import { UploadCertificate } from "./upload-certificate.tsx";
import type { CustomCertificate } from "../../../../src/resources/custom-certificates/schema.ts";
import { ConfirmCall } from "../../components/confirm-modal.tsx";
import { sendForText } from "../../api/send.ts";

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

type Deleted =
  | { readonly kind: "pack"; readonly of: CertificatePack }
  | { readonly kind: "certificate"; readonly of: CustomCertificate };

interface DeleteCertificateProps {
  readonly zoneId: string;
  readonly deleted: Deleted;
  readonly onDone: () => void;
}

function DeleteCertificate({ zoneId, deleted, onDone }: DeleteCertificateProps) {
  const { id, hosts } = deleted.of;
  const request =
    deleted.kind === "pack"
      ? call("deleteCertificatePack", { zone_id: zoneId, certificate_pack_id: id })
      : call("deleteCustomCertificate", { zone_id: zoneId, custom_certificate_id: id });
  return (
    <ConfirmCall
      call={request}
      onClose={onDone}
      title={deleted.kind === "pack" ? "Delete the pack" : "Delete the certificate"}
      action="Delete"
    >
      This deletes the {deleted.kind === "pack" ? "certificates" : "certificate"} of{" "}
      <strong>{hosts.join(", ")}</strong> and the private {deleted.kind === "pack" ? "keys" : "key"}, for
      good.
    </ConfirmCall>
  );
}

/** The local authority, which clients have to trust before they take its certificates; nothing where there is none. */
function TrustAuthority() {
  const { ref, inViewport } = useInViewport();
  const { data } = useQuery({
    enabled: inViewport,
    queryKey: ["certificate-authority"],
    queryFn: ({ signal }) => sendForText(call("getCertificateAuthority", {}), signal),
    staleTime: Infinity,
    retry: false,
  });
  if (data === undefined) return <div ref={ref} />;
  return (
    <section>
      <Title order={2} mb="sm">
        Certificate authority
      </Title>
      <Card withBorder padding="lg">
        <Text size="sm" mb="md" maw="42rem">
          Packs are issued by an authority of this server. Clients take their certificates once they trust it:
          add the file to the authorities of a system or browser, or name it, as in{" "}
          <Code>curl --cacert certificate_authority.pem</Code>.
        </Text>
        <Group>
          <Button
            component="a"
            href={urlOf(call("getCertificateAuthority", {}))}
            download="certificate_authority.pem"
            variant="default"
            leftSection={<ArrowDownTrayIcon width={18} aria-hidden />}
          >
            Download the authority
          </Button>
        </Group>
      </Card>
    </section>
  );
}
