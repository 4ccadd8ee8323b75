import { existsSync, lstatSync, readdirSync, realpathSync, statSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";

const writableByGroup = 0o020;
const writableByAll = 0o002;
const readableByAll = 0o004;
const searchableByAll = 0o001;
const sticky = 0o1000;
const forOthers = 0o077;

/** The id of the user that runs this process; undefined where the system has none. */
const ownId = (): number | undefined => process.getuid?.();

/** Whether a file belongs to this user or to an administrator. */
const isTrusted = ({ uid }: Stats): boolean => uid === 0 || uid === ownId();

/**
 * Whether a directory belongs to this user, is no symbolic link, is closed to all others, and cannot be
 * replaced by anybody else: each directory above it belongs to this user or to an administrator. Files in it
 * may be run. Throws where it cannot be read.
 */
export function isPrivateDirectory(path: string): boolean {
  const own = lstatSync(path);
  if (!own.isDirectory()) return false;
  const id = ownId();
  if (id === undefined) return true;
  return own.uid === id && (own.mode & forOthers) === 0 && isOutOfReach(dirname(realpathSync(path)));
}

/** Whether only this user and administrators can move or replace the files of a directory. */
export function isOutOfReach(directory: string): boolean {
  const facts = statSync(directory);
  const isShared = (facts.mode & (writableByGroup | writableByAll)) !== 0 && (facts.mode & sticky) === 0;
  if (!isTrusted(facts) || isShared) return false;
  const above = dirname(directory);
  return above === directory || isOutOfReach(above);
}

/**
 * A complaint about a file or directory that the server has to trust, or about anything in it: it belongs to another
 * user, as a link or at the end of the link, or anybody may write to it. Files in a closed directory may have any mode.
 */
export function complaintOf(path: string): string | undefined {
  // A file has no entries. The error for a path below one comes from opening the path.
  const isPlace = statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (ownId() === undefined || !isPlace) return undefined;
  return complaintAt(path, true) ?? (existsSync(path) ? complaintIn(realpathSync(path), true) : undefined);
}

function complaintAt(path: string, isWithinReach: boolean): string | undefined {
  const facts = statSync(path, { throwIfNoEntry: false });
  const link = lstatSync(path, { throwIfNoEntry: false });
  const foreign = [link, facts].find((one) => one !== undefined && !isTrusted(one));
  if (foreign !== undefined) return `${path} belongs to another user (${foreign.uid})`;
  const isOpen = isWithinReach && facts !== undefined && (facts.mode & writableByAll) !== 0;
  return isOpen ? `anybody may write to ${path}` : undefined;
}

function complaintIn(directory: string, isWithinReach: boolean): string | undefined {
  const facts = statSync(directory);
  if (!facts.isDirectory() || !mayList(facts)) return undefined;
  const isOpen = isWithinReach && (facts.mode & searchableByAll) !== 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    const complaint =
      complaintAt(path, isOpen) ?? (entry.isDirectory() ? complaintIn(path, isOpen) : undefined);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

/** Whether a directory may be listed; the `lost+found` of a file system may not. */
const mayList = ({ uid, mode }: Stats): boolean =>
  ownId() === 0 || uid === ownId() || (mode & readableByAll) !== 0;
