export const listKinds = ["ip", "redirect", "hostname", "asn"] as const;

/** The kind of all items of a list. */
export type ListKind = (typeof listKinds)[number];

export const listNameLengthMax = 50;
export const listNamePattern = "^[a-zA-Z0-9_]+$";
