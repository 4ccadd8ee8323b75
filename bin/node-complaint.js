const needed = { major: 24, minor: 15 };

/**
 * Says what is wrong with the Node.js that runs this; undefined where it can run Zoneward.
 * @returns {string | undefined}
 */
export function nodeComplaint() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > needed.major || (major === needed.major && minor >= needed.minor)) return undefined;
  return `needs Node.js ${needed.major}.${needed.minor} or newer, and this is ${process.version}`;
}
