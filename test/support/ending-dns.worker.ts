import { endDnsWorkers } from "./dns-workers.ts";

// A thread of the name server that ends when a test says so.
const ending = new BroadcastChannel(endDnsWorkers);
ending.addEventListener("message", () => process.exit(7));
ending.unref();
await import("../../src/planes/dns/dns.worker.ts");
