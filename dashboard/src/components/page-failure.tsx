import { Container, Title, Text } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";

import { ErrorAlert } from "./error-alert.tsx";
import { CodeNotLoadedError } from "./lazy-page.ts";
import { AnchorLink } from "./links.tsx";

/** In place of the whole dashboard, where not even its frame can be shown. */
export function DashboardFailure(props: ErrorComponentProps) {
  return (
    <Container component="main" size="sm" py="xl">
      <PageFailure {...props} />
    </Container>
  );
}

/** In place of a page that could not be shown. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { online } = useNetwork();
  const retry = (): void => {
    // Browsers may remember that a module could not be loaded.
    if (error instanceof CodeNotLoadedError) window.location.reload();
    reset();
    void router.invalidate();
  };
  return (
    <>
      <Title order={1} mb="md">
        Zoneward
      </Title>
      <ErrorAlert
        title="This page could not be shown"
        error={error instanceof Error ? error : new Error("An unknown error")}
        onRetry={online ? retry : undefined}
      />
    </>
  );
}

/** In place of a page that does not exist. */
export function PageNotFound() {
  return (
    <Container component="main" size="sm" py="xl">
      <Title order={1} mb="xs">
        Page not found
      </Title>
      <Text>
        Continue from the{" "}
        <AnchorLink underline="always" to="/">
          start page
        </AnchorLink>
        .
      </Text>
    </Container>
  );
}
