import { Group, Text, Button } from "@mantine/core";

import type { CertificatePack } from "../../../../src/resources/certificate-packs/schema.ts";
import type { CustomCertificate } from "../../../../src/resources/custom-certificates/schema.ts";
import type { Column } from "../../components/data-table.tsx";
import { RemoveButton } from "../../components/icon-button.tsx";
import { MoveButtons } from "../../components/move-buttons.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { packKinds } from "./timeline.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";

function Hosts({ hosts }: { readonly hosts: readonly string[] }) {
  return (
    <Text size="sm" fw={500} lineClamp={2} title={hosts.join(", ")}>
      {hosts.join(", ")}
    </Text>
  );
}

/** The earliest time at which a certificate of a pack expires. */
function firstExpiry({ certificates }: CertificatePack): string | undefined {
  return certificates.map(({ expires_on }) => expires_on).toSorted()[0];
}

export function packColumns(
  zoneId: string,
  onDelete: (pack: CertificatePack) => void,
): readonly Column<CertificatePack>[] {
  return [
    { key: "hosts", header: "Hosts", cell: ({ hosts }) => <Hosts hosts={hosts} /> },
    { key: "type", header: "Type", width: "7rem", cell: ({ type }) => packKinds[type] },
    {
      key: "status",
      header: "Status",
      width: "11rem",
      cell: (pack) => (
        <>
          <StatusBadge status={pack.status} />
          {pack.validation_errors?.map(({ message }) => (
            <Text key={message} size="xs" c="var(--mantine-color-error)" mt={4}>
              {message}
            </Text>
          ))}
          {/timed_out|pending_validation/.test(pack.status) && (
            <RestartValidation zoneId={zoneId} pack={pack} />
          )}
        </>
      ),
    },
    {
      key: "issuer",
      header: "Issued by",
      cell: ({ certificates }) => [...new Set(certificates.map(({ issuer }) => issuer))].join(", ") || "–",
    },
    {
      key: "expires",
      header: "Expires",
      width: "8rem",
      cell: (pack) => <Timestamp at={firstExpiry(pack)} />,
    },
    {
      key: "actions",
      header: "Actions",
      width: "4rem",
      isActions: true,
      cell: (pack) =>
        pack.type === "advanced" && (
          <RemoveButton
            label={`Delete the pack of ${pack.hosts.join(", ")}`}
            onClick={() => onDelete(pack)}
          />
        ),
    },
  ];
}

/** `onMove` puts a certificate at another place of `certificates`, the highest priority first. */
export function customColumns(
  certificates: readonly CustomCertificate[],
  onMove: (id: string, to: number) => void,
  onDelete: (certificate: CustomCertificate) => void,
): readonly Column<CustomCertificate>[] {
  return [
    { key: "hosts", header: "Hosts", cell: ({ hosts }) => <Hosts hosts={hosts} /> },
    { key: "status", header: "Status", width: "7rem", cell: ({ status }) => <StatusBadge status={status} /> },
    { key: "issuer", header: "Issued by", cell: ({ issuer }) => issuer },
    { key: "priority", header: "Priority", width: "6rem", cell: ({ priority }) => priority },
    {
      key: "expires",
      header: "Expires",
      width: "8rem",
      cell: ({ expires_on }) => <Timestamp at={expires_on} />,
    },
    {
      key: "actions",
      header: "Actions",
      width: "8rem",
      isActions: true,
      cell: (certificate) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {certificates.length > 1 && (
            <MoveButtons
              name={`the certificate of ${certificate.hosts.join(", ")}`}
              place={certificates.indexOf(certificate)}
              count={certificates.length}
              disabled={false}
              onMove={(to) => onMove(certificate.id, to)}
            />
          )}
          <RemoveButton
            label={`Delete the certificate of ${certificate.hosts.join(", ")}`}
            onClick={() => onDelete(certificate)}
          />
        </Group>
      ),
    },
  ];
}

interface RestartValidationProps {
  readonly zoneId: string;
  readonly pack: CertificatePack;
}

/** Has the validation of a pack begin again. */
function RestartValidation({ zoneId, pack }: RestartValidationProps) {
  const { mutate, isPending, error } = useApiMutation(
    () => call("editCertificatePack", { zone_id: zoneId, certificate_pack_id: pack.id }),
    {},
  );
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        mt={6}
        loading={isPending}
        onClick={() => mutate(undefined)}
      >
        Validate again
      </Button>
      <ErrorAlert title="The validation was not restarted" error={error} />
    </>
  );
}
