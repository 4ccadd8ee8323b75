import type { MessagePort } from "node:worker_threads";
import { compileExpression, compileValueExpression } from "../core/expression/compile/compile.ts";
import { storedLimits } from "../core/expression/limits.ts";
import { judgeParts, type PartsQuestion } from "../core/judging/request-parts.ts";
import { SharedExpressions } from "../core/judging/shared-expressions.ts";
import { createEngines } from "../engines/engines.ts";
import { toPlainError, type FromWorker, type ToWorker } from "./messages.ts";

/** Milliseconds for the parts of one request; those that come after are not judged. */
export const partsMsMax = 1_000;
const kept = { sizeMax: 4_000, octetsMax: 64 * 1024 * 1024 };

/** Judges the costly parts of rules in this thread: one request after another, without a store. */
export function serveRuleParts(port: MessagePort): void {
  const engines = createEngines();
  const options = { limits: storedLimits };
  const expressions = {
    filters: new SharedExpressions((text) => compileExpression(text, engines, options), kept),
    values: new SharedExpressions((text) => compileValueExpression(text, engines, options), kept),
  };
  const run = (input: unknown): FromWorker => {
    const until = performance.now() + partsMsMax;
    const [filters, values] = [expressions.filters.lease(), expressions.values.lease()];
    const compiled = { filter: filters.get, value: values.get };
    try {
      const result = judgeParts(input as PartsQuestion, compiled, () => performance.now() < until);
      return { kind: "done", result, auditLogId: undefined };
    } catch (error) {
      return { kind: "failed", error: toPlainError(error) };
    } finally {
      filters.release();
      values.release();
    }
  };
  port.on("message", (message: ToWorker) => {
    if (message.kind === "run") port.postMessage(run(message.order.input));
    else if (message.kind === "end") port.close();
  });
}
