/** The form of names of snapshots, which cannot change the path of a URL that contains them. */
export const snapshotNamePattern = /^[A-Za-z0-9][\w.-]{0,63}$/;
