import { Alert } from "@mantine/core";

/** Warns of a token that can create tokens. */
export function TokenWarning({ making }: { readonly making: "alone" | "mixed" | undefined }) {
  if (making === undefined) return undefined;
  return (
    <Alert
      color={making === "mixed" ? "red" : "yellow"}
      title={making === "mixed" ? "It should carry no other permissions" : "It can create any token for you"}
      styles={{ title: { fontWeight: 600 } }}
      role="note"
    >
      A token that can create tokens can give them access to any of your resources.{" "}
      {making === "mixed" &&
        "Create a separate token for that, and another one for everything else that this one may do. "}
      Restrict it to client addresses or a short time.
    </Alert>
  );
}
