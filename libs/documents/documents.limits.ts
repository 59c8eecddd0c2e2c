/** Largest file of a document, in bytes (held by a constraint of the table). */
export const MAX_FILE_BYTES = 10_485_760;

/** Longest name of a document, in characters. */
export const MAX_NAME_LENGTH = 200;

/** Most documents of an organisation (counted by a trigger of the table). */
export const DOCUMENTS_OF_ORGANISATION = 5000;

/**
 * Files that are received at once, how many more wait for a place, and for how many milliseconds: a file is in memory
 * as a whole until it is stored.
 */
export const MAX_RECEIVING = 3;
export const MAX_WAITING_FILES = 20;
export const MAX_FILE_WAIT = 5000;
