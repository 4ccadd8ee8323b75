import { Box, Code } from "@mantine/core";

import { asCurl, type ApiCall } from "../api/call.ts";
import { CopyButton } from "./copy-button.tsx";
import classes from "./curl-command.module.css";

interface CurlCommandProps {
  readonly call: ApiCall<unknown>;
  /** In place of `$TOKEN`. */
  readonly token?: string;
}

/** A call of the API as the `curl` that sends it, ready to be copied. */
export function CurlCommand({ call, token }: CurlCommandProps) {
  const command = asCurl(call, window.location.origin, token);
  return (
    <Box pos="relative">
      <Code
        block
        pr={44}
        tabIndex={0}
        role="region"
        aria-label={`curl for ${call.method} ${call.path}`}
        className={classes.command ?? ""}
      >
        {command}
      </Code>
      <Box pos="absolute" top={6} right={6}>
        <CopyButton value={command} what="the curl command" />
      </Box>
    </Box>
  );
}
