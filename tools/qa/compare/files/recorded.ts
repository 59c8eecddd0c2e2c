/** A text as the bytes that a request line has, each of them one character. */
export const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

/** The text of such bytes. */
export const textOfBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

/** A request as a file tells of it. */
export interface RecordedRequest {
  /** Its number in the file, from 1. */
  readonly position: number;
  readonly method: string;
  /** A path with its query, or a URL; its bytes as {@link bytesOf} has them. */
  readonly target: string;
  /** By names in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body?: string | Buffer;
  /** Whose request it is, where the file has names for that. */
  readonly as?: string;
  /** A name that is a credential only where the credentials have it: the user of an access log. */
  readonly perhapsAs?: string;
  /** Whether the file may lack its body, as an access log does. */
  readonly lacksBody?: boolean;
}

/** An entry of a file that tells of no request. */
export interface Unreadable {
  readonly position: number;
  readonly unreadable: string;
}

export type Entry = RecordedRequest | Unreadable;

/** The rest of the file cannot be read. */
export class BrokenFile extends Error {}

/** Characters of one request; files may have longer entries, which nobody can send. */
export const MOST_OF_REQUEST = 16 * 1024 * 1024;
