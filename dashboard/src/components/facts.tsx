import { Box, Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";

import classes from "./facts.module.css";

/** Names and what they stand for, in two columns; one below the other on a phone. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <Box component="dl" className={classes.facts ?? ""}>
      {Object.entries(facts).map(([name, value]) => (
        <Fragment key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" className={classes.value ?? ""}>
            {value}
          </Text>
        </Fragment>
      ))}
    </Box>
  );
}
