import { Text, Textarea } from "@mantine/core";
import { useState } from "react";

import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { Draft, FormModal } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { FileChoice } from "../../components/file-choice.tsx";
import { Form, FormButtons } from "../../components/form.tsx";
import { showDone } from "../../components/notices.tsx";

interface UploadCertificateProps {
  readonly zoneId: string;
  readonly onDone: () => void;
}

const pem = {
  required: true,
  withAsterisk: false,
  autosize: true,
  minRows: 4,
  maxRows: 8,
  spellCheck: false,
  styles: { input: { fontFamily: "var(--mantine-font-family-monospace)" } },
};

/** Brings a certificate with its private key. */
export function UploadCertificate({ zoneId, onDone }: UploadCertificateProps) {
  const [certificate, setCertificate] = useState("");
  const [privateKey, setPrivateKey] = useState("");
  const { mutate, isPending, error } = useApiMutation(
    () => call("createCustomCertificate", { zone_id: zoneId }, { certificate, private_key: privateKey }),
    {
      onSuccess: ({ result }) => {
        showDone(`The certificate of ${result.hosts.join(", ")} was uploaded.`);
        onDone();
      },
    },
  );
  return (
    <FormModal opened onClose={onDone} title="Upload a certificate">
      <Draft isChanged={certificate !== "" || privateKey !== ""} />
      <Form onSend={() => mutate(undefined)}>
        <FileChoice
          label="Choose a certificate"
          accept=".pem,.crt,.cer"
          onFile={({ text }) => setCertificate(text)}
        />
        <Textarea
          label="Certificate"
          description="PEM, followed by its issuers' certificates"
          {...pem}
          value={certificate}
          onChange={(event) => setCertificate(event.currentTarget.value)}
          error={error?.about("/certificate")}
        />
        <Textarea
          label="Private key"
          description="PEM, without a passphrase"
          {...pem}
          autoComplete="off"
          value={privateKey}
          onChange={(event) => setPrivateKey(event.currentTarget.value)}
          error={error?.about("/private_key")}
        />
        <Text size="sm" c="dimmed">
          The key is stored encrypted and never shown again.
        </Text>
        <ErrorAlert
          title="The certificate was not uploaded"
          error={error}
          saidAt={["/certificate", "/private_key"]}
        />
        <FormButtons action="Upload" pending={isPending} onCancel={onDone} />
      </Form>
    </FormModal>
  );
}
