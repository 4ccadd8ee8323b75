import { nodeComplaint } from "./node-complaint.js";

const complaint = nodeComplaint();
if (complaint !== undefined) throw new Error(`zoneward/testing ${complaint}`);
