/** The channel on which `ending-dns.worker.ts` is told to end. */
export const endDnsWorkers = "end the threads of the name server";
