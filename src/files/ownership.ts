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

/**
 * What is wrong with a file or directory that the server is to trust, or with anything in it: it is another user's, as a link or
 * where that leads, or anybody may write to it. Files that nobody else reaches, as their directory is closed, may have any mode.
 */
export function complaintOf(path: string): string | undefined {
  // Below a file there is nothing: whoever opens it says so.
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

/** Not so the `lost+found` of a file system. */
const mayList = ({ uid, mode }: Stats): boolean =>
  ownId() === 0 || uid === ownId() || (mode & readableByAll) !== 0;
