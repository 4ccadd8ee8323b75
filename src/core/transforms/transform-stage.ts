import type { RequestContext } from "../expression/context.ts";
import type { HeaderChange } from "./request-headers.ts";

/** The managed transforms of a zone that are on, in their order. */
export interface TransformStage {
  readonly transforms: readonly {
    readonly id: string;
    readonly changes: (request: RequestContext) => readonly HeaderChange[];
  }[];
}
