/** Names of snapshots; none of them changes the path of a URL that it stands in. */
export const snapshotNamePattern = /^[A-Za-z0-9][\w.-]{0,63}$/;
