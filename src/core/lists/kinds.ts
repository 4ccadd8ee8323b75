export const listKinds = ["ip", "redirect", "hostname", "asn"] as const;

export type ListKind = (typeof listKinds)[number];

export const listNameLengthMax = 50;
export const listNamePattern = "^[a-zA-Z0-9_]+$";
