import type { RequestContext } from "../expression/context.ts";
import type { HeaderChange } from "./request-headers.ts";

export interface TransformStage {
  readonly transforms: readonly {
    readonly id: string;
    readonly changes: (request: RequestContext) => readonly HeaderChange[];
  }[];
}
