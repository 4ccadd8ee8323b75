import { lstatSync, realpathSync, statSync, type Stats } from "node:fs";
import { dirname } from "node:path";

const writableByGroup = 0o020;
const writableByAll = 0o002;
const sticky = 0o1000;
const forOthers = 0o077;

/** The id of the user that runs this process; undefined where the system has none. */
const ownId = (): number | undefined => process.getuid?.();

/** What is an administrator's is as good as one's own. */
const isTrusted = ({ uid }: Stats): boolean => uid === 0 || uid === ownId();

/**
 * Whether a directory is this user's, is no symbolic link, is closed to all others, and cannot be put aside by anybody else: each
 * directory above it is this user's or an administrator's. What lies in it may be run. Throws where it cannot be looked at.
 */
export function isPrivateDirectory(path: string): boolean {
  const own = lstatSync(path);
  if (!own.isDirectory()) return false;
  const id = ownId();
  if (id === undefined) return true;
  return own.uid === id && (own.mode & forOthers) === 0 && isOutOfReach(dirname(realpathSync(path)));
}

/** Whether nobody but this user and administrators can move or replace what lies in a directory. */
export function isOutOfReach(directory: string): boolean {
  const facts = statSync(directory);
  const isShared = (facts.mode & (writableByGroup | writableByAll)) !== 0 && (facts.mode & sticky) === 0;
  if (!isTrusted(facts) || isShared) return false;
  const above = dirname(directory);
  return above === directory || isOutOfReach(above);
}

/** What is wrong with a file or directory that the server is to trust: it is another user's, or anybody may write to it. */
export function complaintOf(path: string): string | undefined {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined || ownId() === undefined) return undefined;
  if (!isTrusted(facts)) return `${path} belongs to another user (${facts.uid})`;
  if ((facts.mode & writableByAll) !== 0) return `anybody may write to ${path}`;
  return undefined;
}
