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
        {command.split("\n").map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no other identity
          <Line key={index} line={line} />
        ))}
      </Code>
      <Box pos="absolute" top={6} right={6}>
        <CopyButton value={command} what="the curl command" />
      </Box>
    </Box>
  );
}

/** A line of the command. The backslash that continues it is not left alone where the line has to wrap. */
function Line({ line }: { readonly line: string }) {
  const end = /\S{0,4} \\$/.exec(line)?.[0] ?? "";
  return (
    <>
      {line.slice(0, line.length - end.length)}
      <span className={classes.end ?? ""}>{end}</span>
      {"\n"}
    </>
  );
}
