import { ArrowDownTrayIcon } from "@heroicons/react/24/outline";
import { Button, Card, Code, Group, Text, Title } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";

import { call, urlOf } from "../../api/call.ts";
import { sendForText } from "../../api/send.ts";

/** The local authority, which clients have to trust before they take its certificates; nothing where there is none. */
export function TrustAuthority() {
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
