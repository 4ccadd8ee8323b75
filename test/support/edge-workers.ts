/** The channel on which `ending-edge.worker.ts` is told to end. */
export const endEdgeWorkers = "end the threads of the edge";
