/** A number from 0 to just below 1 that looks random, and is the same for the same seed and position. */
export function seededFraction(seed: number, position: number): number {
  // The mixing of SplitMix (Steele, Lea and Flood 2014), on 32 bits.
  let mixed = (seed ^ Math.imul(position + 1, 0x9e37_79b9)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0_aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
