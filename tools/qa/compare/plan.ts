import { validateHeaderName, validateHeaderValue } from 'node:http';
import { type ServerAddress, targetOf } from './addresses';
import { digestName } from './credentials';
import { type Description, type Operation, retriesJob, unknownOperation, withoutNames } from './description';
import type { RecordedRequest } from './files/recorded';
import { USER_AGENT } from './logins';
import { decoded, hasSecretName } from './secrets';
import type { SkipReason } from './tallies';

/** Which requests of a file are sent. */
export interface Choice {
  readonly old: ServerAddress;
  readonly anyHost: boolean;
  /** GETs outside of the description too. */
  readonly all: boolean;
  readonly writes: boolean;
  /** Names of operations; none: all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

export interface Skipped {
  readonly skipped: SkipReason;
  readonly operation?: Operation;
}

/** A request that is to be sent. */
export interface Planned {
  readonly operation: Operation;
  readonly isWrite: boolean;
  readonly method: string;
  /** Counted from the address of a server, as servers read it. */
  readonly path: string;
  /** The path as it is sent: as the file has it, byte for byte. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The name of its credential. */
  readonly as?: string;
}

const READS = new Set(['GET', 'HEAD']);

/** Chooses the requests that are sent. */
export class Planner {
  private readonly only: ReadonlySet<string>;
  private readonly skip: ReadonlySet<string>;

  constructor(
    private readonly description: Description,
    private readonly choice: Choice,
    private readonly hasCredential: (name: string) => boolean,
  ) {
    this.only = new Set(choice.only.map(withoutNames));
    this.skip = new Set(choice.skip.map(withoutNames));
  }

  plan(recorded: RecordedRequest): Planned | Skipped {
    const { method } = recorded;
    const target = targetOf(recorded.target, this.choice.old);
    if (target === undefined) return { skipped: 'unreadable' };
    const { path, line, host } = target;
    if (host !== undefined && !this.choice.anyHost && host !== this.choice.old.host)
      return { skipped: 'another host' };
    if (retriesJob(path)) return { skipped: 'acts, though it is a GET' };
    const names = namesInQuery(path);
    const isWrite = !READS.has(method) || names.some((name) => NAMES_METHOD.test(name));
    const described = this.description.find(method, path);
    const operation =
      described ?? (this.choice.all && method === 'GET' ? unknownOperation(method, path) : undefined);
    if (operation === undefined) return { skipped: 'not in the description' };
    // No operation of the description has one: it would be the old server's, and reach the new one.
    if (names.some(hasSecretName)) return { skipped: 'a credential in its query', operation };
    const skipped = this.reasonAgainst(recorded, operation, isWrite);
    if (skipped !== undefined) return { skipped, operation };
    const as = this.nameOf(recorded);
    if (as !== undefined && !this.hasCredential(as)) return { skipped: 'no credential', operation };
    const { body } = recorded;
    return {
      operation,
      isWrite,
      method,
      path,
      line,
      headers: headersOf(recorded, isWrite),
      ...(isWrite && body !== undefined && { body }),
      ...(as !== undefined && { as }),
    };
  }

  private reasonAgainst(
    { lacksBody }: RecordedRequest,
    operation: Operation,
    isWrite: boolean,
  ): SkipReason | undefined {
    const name = withoutNames(operation.name);
    if ((this.only.size > 0 && !this.only.has(name)) || this.skip.has(name)) return 'not chosen';
    if (!isWrite) return undefined;
    if (!this.choice.writes) return 'a write';
    return lacksBody === true ? 'a write whose body the file lacks' : undefined;
  }

  private nameOf({ as, perhapsAs, headers }: RecordedRequest): string | undefined {
    if (as !== undefined) return as;
    const authorization = headers.get('authorization');
    if (authorization !== undefined && authorization.trim() !== '') return digestName(authorization);
    return perhapsAs !== undefined && this.hasCredential(perhapsAs) ? perhapsAs : undefined;
  }
}

/** Servers that take a method from the query would do it; PHP reads `.method` and `_method[]` so too. */
const NAMES_METHOD = /^\W*(?:[ ._[]method|x[-_]http[-_]method)/i;

const namesInQuery = (path: string): string[] => {
  const [, query = ''] = path.split(/\?(.*)/s);
  return query.split(/[&;]/).map((pair) => decoded(pair.split('=')[0] ?? ''));
};

/**
 * Recorded headers that are sent; of content-type with writes alone. Others may hold credentials of the old
 * server, or turn a read into a write there, as `X-HTTP-Method-Override` does.
 */
const SENT: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type']);

function headersOf({ headers, body }: RecordedRequest, isWrite: boolean): Record<string, string> {
  const sent: Record<string, string> = { accept: '*/*' };
  if (isWrite && body !== undefined) sent['content-type'] = 'application/json';
  for (const [name, value] of headers) {
    if (SENT.has(name) && (isWrite || name !== 'content-type') && isValid(name, value)) sent[name] = value;
  }
  return { ...sent, 'user-agent': USER_AGENT, 'accept-encoding': 'gzip' };
}

function isValid(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
