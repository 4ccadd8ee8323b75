import type { MessagePort } from "node:worker_threads";

import { compileExpression, compileValueExpression } from "../core/expression/compile.ts";
import { storedLimits } from "../core/expression/limits.ts";
import { ExpressionCache } from "../core/judging/expression-cache.ts";
import { judgeParts, type PartsQuestion } from "../core/judging/judge-parts.ts";
import { createEngines } from "../engines/engines.ts";
import { toPlainError, type FromWorker, type ToWorker } from "./messages.ts";

/** Milliseconds for the parts of one request; those that come after are not judged. */
export const partsMsMax = 1_000;
/** Compiled parts that are kept, and octets of their memory. */
const compiledMax = 4_000;
const compiledOctetsMax = 64 * 1024 * 1024;

/** What the threads do that judge the costly parts of rules: one request after another, without a store. */
export function serveRuleParts(port: MessagePort): void {
  const engines = createEngines();
  const options = { limits: storedLimits };
  const filters = new ExpressionCache((text) => compileExpression(text, engines, options));
  const values = new ExpressionCache((text) => compileValueExpression(text, engines, options));
  const compiled = {
    filter: (text: string) => filters.get(text),
    value: (text: string) => values.get(text),
  };
  const run = (input: unknown): FromWorker => {
    const until = performance.now() + partsMsMax;
    try {
      const result = judgeParts(input as PartsQuestion, compiled, () => performance.now() < until);
      return { kind: "done", result, auditLogId: undefined };
    } catch (error) {
      return { kind: "failed", error: toPlainError(error) };
    } finally {
      filters.trim(compiledMax, compiledOctetsMax);
      values.trim(compiledMax, compiledOctetsMax);
    }
  };
  port.on("message", (message: ToWorker) => {
    if (message.kind === "run") port.postMessage(run(message.order.input));
    else if (message.kind === "end") port.close();
  });
}
