import { Anchor, Container, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";

/** In place of a page that does not exist. */
export function PageNotFound() {
  return (
    <Container component="main" size="sm" py="xl">
      <Title order={1} mb="xs">
        Page not found
      </Title>
      <Text>
        Continue from the{" "}
        <Anchor underline="always" renderRoot={(root) => <Link {...root} to="/" />}>
          start page
        </Anchor>
        .
      </Text>
    </Container>
  );
}
