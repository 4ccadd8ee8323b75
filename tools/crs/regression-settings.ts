import type { RegressionTest } from "./regression-tests.ts";

/** The variables that the official runs of the regression tests set. */
export const settings: ReadonlyMap<string, string> = new Map([
  ["paranoia_level", "4"],
  ["executing_paranoia_level", "4"],
  ["blocking_paranoia_level", "4"],
  ["detection_paranoia_level", "4"],
  ["crs_validate_utf8_encoding", "1"],
  ["arg_name_length", "100"],
  ["arg_length", "400"],
  ["total_arg_length", "64000"],
  ["max_num_args", "255"],
  ["max_file_size", "64100"],
  ["combined_file_size", "65535"],
  ["combined_file_sizes", "65535"],
]);

/** Whether the rules that a request matched are those that its test expects. */
export function passes({ matching, others }: RegressionTest, matched: ReadonlySet<number>): boolean {
  return matching.every((id) => matched.has(id)) && !others.some((id) => matched.has(id));
}
