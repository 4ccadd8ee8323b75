import type { Operation } from "../operation/operation.ts";
import { advanceClock, changeClock, getClock, type ClockContext } from "./clock-operations.ts";
import * as faults from "./fault-operations.ts";
import * as journal from "./journal-operations.ts";
import {
  deleteSnapshot,
  exportSnapshot,
  importSnapshot,
  listSnapshots,
  resetServer,
  restoreSnapshot,
  saveSnapshot,
  type StateContext,
} from "./state-operations.ts";
import { changeProfile, getProfile, type ProfileContext } from "./profile.ts";
import { getTestControls, type StatusContext } from "./status.ts";

/** The context of all operations of the test controls. */
export interface TestControlsContext extends StatusContext, ClockContext, StateContext, ProfileContext {}

/** All operations of the test controls, in the order of their document. */
export const operations = [
  getTestControls,
  resetServer,
  listSnapshots,
  saveSnapshot,
  restoreSnapshot,
  deleteSnapshot,
  exportSnapshot,
  importSnapshot,
  getClock,
  changeClock,
  advanceClock,
  getProfile,
  changeProfile,
  faults.listFaults,
  faults.createFaults,
  faults.switchFault,
  faults.deleteFault,
  faults.deleteFaults,
  journal.listJournal,
  journal.searchJournal,
  journal.verifyJournal,
  journal.clearJournal,
  journal.followJournal,
] as const satisfies readonly Operation<TestControlsContext>[];
