import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** A value of `Authorization` for each side. */
export interface Pair {
  readonly old: string;
  readonly new: string;
}

/** What the tool logs in with on both sides. */
export interface Account {
  readonly username: string;
  readonly password: string;
}

export type Credential = Pair | Account;

export const isAccount = (credential: Credential): credential is Account => 'username' in credential;

/** The credentials of `--credentials`, by the names that requests have. */
export type Credentials = ReadonlyMap<string, Credential>;

/** The name of a credential that a file of requests has as a value. */
export const digestName = (authorization: string): string =>
  `sha256:${createHash('sha256').update(authorization.trim()).digest('hex')}`;

/** Reads a file of credentials; a text says what is wrong with it, without a value of it. */
export function readCredentials(path: string): Credentials | string {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === undefined ? `${path} is no JSON.` : `${path} cannot be read: ${code}.`;
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return `${path} needs an object of credentials.`;
  const credentials = new Map<string, Credential>();
  for (const [index, [name, fields]] of Object.entries(value).entries()) {
    const credential = credentialOf(fields);
    if (credential === undefined)
      return `${path}: credential ${index + 1} needs "old" and "new", or "username" and "password".`;
    credentials.set(/^sha256:/i.test(name) ? name.toLowerCase() : name, credential);
  }
  return credentials;
}

function credentialOf(fields: unknown): Credential | undefined {
  if (fields === null || typeof fields !== 'object') return undefined;
  const { old, new: fresh, username, password } = fields as Readonly<Record<string, unknown>>;
  if (isHeader(old) && isHeader(fresh)) return { old, new: fresh };
  if (typeof username !== 'string' || typeof password !== 'string') return undefined;
  return { username, password };
}

/** What can stand in a header. */
const isHeader = (value: unknown): value is string =>
  typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]+$/.test(value);

/** Whether others than the owner of a file may read it. */
export function isReadByOthers(path: string): boolean {
  const OTHERS = 0o077;
  return process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0;
}
