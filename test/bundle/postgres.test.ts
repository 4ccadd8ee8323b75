import { test } from "node:test";

import { bundledCopy, keepsRecords } from "../support/bundled-copy.ts";

const { program } = bundledCopy();

test("a bundled server loads the driver of PostgreSQL where its settings name one, and keeps records there", (t) =>
  keepsRecords(t, "postgres", program));
