/** The prefix lengths that the public service accepts in IP Access Rules and zone lockdowns, by version. */
export const rangeBits = { 4: [16, 24], 6: [32, 48, 64] } as const;

export const rangeRule = `must be a range of /${rangeBits[4].join(" or /")} (IPv4), or /${rangeBits[6].join(", /")} (IPv6)`;
