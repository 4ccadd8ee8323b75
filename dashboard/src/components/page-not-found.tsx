import { Container, Text, Title } from "@mantine/core";

import { AnchorLink } from "./links.tsx";

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
