import { Container, Title } from "@mantine/core";
import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";

import { ErrorAlert } from "./error-alert.tsx";

/** In place of a page that could not be shown at all. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Container component="main" size="sm" py="xl">
      <Title order={1} mb="md">
        Zoneward
      </Title>
      <ErrorAlert
        title="This page could not be shown"
        error={error instanceof Error ? error : new Error("An unknown error")}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </Container>
  );
}
