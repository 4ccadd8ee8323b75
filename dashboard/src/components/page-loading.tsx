import { Center, Loader } from "@mantine/core";

/** In place of a page that takes more than a moment to come. */
export function PageLoading() {
  return (
    <Center mih="60vh" role="status" aria-label="Loading">
      <Loader aria-hidden />
    </Center>
  );
}
