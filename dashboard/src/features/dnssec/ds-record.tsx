import { Card, Stack, Text, Title } from "@mantine/core";

import type { Dnssec } from "../../../../src/resources/dnssec/schema.ts";
import { Copied } from "../../components/copied.tsx";
import { Facts } from "../../components/facts.tsx";

/** The DS record for the parent zone: as one line, and in the parts that forms of registrars ask for. */
export function DsRecord({ dnssec, ds }: { readonly dnssec: Dnssec; readonly ds: string }) {
  const { key_tag, algorithm, key_type, digest_type, digest_algorithm, digest, flags, public_key } = dnssec;
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="xs">
        DS record
      </Title>
      <Text size="sm" c="dimmed" mb="md" maw="42rem">
        What the registrar hands to the parent zone: the line, or its parts. A few registrars ask for the key
        instead.
      </Text>
      <Stack gap="md">
        <Copied value={ds} what="the DS record" isWhole />
        <Facts
          facts={{
            "Key tag": <Copied value={String(key_tag)} what="the key tag" />,
            Algorithm: <Numbered value={algorithm} name={key_type} what="the algorithm" />,
            "Digest type": <Numbered value={digest_type} name={digest_algorithm} what="the digest type" />,
            Digest: <Copied value={digest ?? ""} what="the digest" isWhole />,
            "Flags of the key": <Copied value={String(flags)} what="the flags" />,
            "Public key": <Copied value={public_key ?? ""} what="the public key" isWhole />,
          }}
        />
      </Stack>
    </Card>
  );
}

interface NumberedProps {
  readonly value: string | null;
  readonly name: string | null;
  readonly what: string;
}

/** A number of DNSSEC, which is what is copied, and what it is called. */
function Numbered({ value, name, what }: NumberedProps) {
  return (
    <>
      <Copied value={value ?? ""} what={what} />
      <Text size="xs" c="dimmed">
        {name}
      </Text>
    </>
  );
}
