import type { Operation } from "../operation/operation.ts";
import { advanceClock, changeClock, getClock, type ClockContext } from "./clock-operations.ts";
import { getTestControls, type StatusContext } from "./status.ts";

/** What the operations of the test controls take: each as much of it as it says. */
export interface TestControlsContext extends StatusContext, ClockContext {}

/** All operations of the test controls, in the order of their document. */
export const operations: readonly Operation<TestControlsContext>[] = [
  getTestControls,
  getClock,
  changeClock,
  advanceClock,
];
