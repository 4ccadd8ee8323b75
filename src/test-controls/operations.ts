import type { Operation } from "../operation/operation.ts";
import { getTestControls, type StatusContext } from "./status.ts";

/** What the operations of the test controls take: each as much of it as it says. */
export interface TestControlsContext extends StatusContext {}

/** All operations of the test controls, in the order of their document. */
export const operations: readonly Operation<TestControlsContext>[] = [getTestControls];
