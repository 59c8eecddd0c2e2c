import type { Call } from '../../qa/deployment';
import type { Result, Work } from '../../qa/run';
import type { Json } from '../../qa/scenario';
import type { Session } from '../../qa/session';
import type { PerVariant } from '../../qa/variants';

/** A request to the service behind; a POST has an empty object. */
interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly hash?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Milliseconds. */
const PATIENCE = 15_000;

/** An address of no client (RFC 5737). */
const ELSEWHERE = '192.0.2.7';

/** What a client may claim: that it is somebody else, only reads, and calls from elsewhere. */
const claims = (marker: string): Record<string, string> => ({
  'X-Account-User': '2147483647',
  'X-Account-Service-Key': '',
  'X-Account-Username': marker,
  'X-Account-Organisation': '2147483647',
  'X-Account-Roles': 'ROLE_ADMIN',
  'X-Account-Credential': 'login',
  'X-Account-Read-Only': 'false',
  'X-Account-Support': 'true',
  'X-Account-Act': '1',
  X_Account_User: marker,
  'X-Account_User': marker,
  'X-Forwarded-Method': 'GET',
  'X-Original-Method': 'GET',
  'X-HTTP-Method-Override': 'GET',
  'X-Forwarded-For': ELSEWHERE,
  'X-Real-IP': ELSEWHERE,
  Forwarded: `for=${ELSEWHERE}`,
});

const HAS_API_KEYS: PerVariant<boolean> = { A: true, B: false };

/** A key of the run: the collection and the body of its creation. */
interface KeyToMake {
  readonly path: string;
  readonly body: Readonly<Record<string, Json>>;
}

/** Characters of an answer that are shown before the first difference, and at most from there on. */
const SHOWN_BEFORE = 40;
const SHOWN = 120;

/** Where two texts differ: what each has between the beginning and the end that they share. */
function differingPieces(one: string, other: string): readonly [string, string] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const from = Math.max(0, start - SHOWN_BEFORE);
  const pieceOf = (text: string): string => {
    const piece = text.slice(from, text.length - end);
    const shown = piece.slice(0, start - from + SHOWN);
    return `${from > 0 ? '…' : ''}${shown}${shown.length < piece.length || end > 0 ? '…' : ''}`;
  };
  return [pieceOf(one), pieceOf(other)];
}

/** A check proves nothing: the reason. */
class NotChecked extends Error {}

const messageOf = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message}: ${cause.message}` : message;

/**
 * Sends a service behind forward-auth credentials that count and credentials that do not
 * (docs/other-services.md).
 */
export const checkBehind =
  (url: string): Work =>
  async (session, results, isInterrupted) => {
    const checks = new ChecksBehind(session, url);
    for (const [title, method, run] of checks.all) {
      if (isInterrupted()) break;
      const started = performance.now();
      const result = await run().then(
        (notes) => ({ outcome: notes.length === 0 ? 'ok' : 'failed', notes }) as const,
        (error: Error) =>
          ({
            outcome: error instanceof NotChecked ? 'not checked' : 'failed',
            notes: [messageOf(error)],
          }) as const,
      );
      const operation = `${method} ${new URL(url).pathname}`;
      const named: Omit<Result, 'outcome' | 'notes'> = {
        area: 'behind',
        scenario: 'who is let in',
        operation,
        title,
        milliseconds: performance.now() - started,
      };
      results.push({ ...named, ...result });
    }
    return [];
  };

class ChecksBehind {
  private readonly marker: string;
  private readonly serviceKey: KeyToMake;
  /** Absent where the variant has none. */
  private readonly apiKey: KeyToMake | undefined;

  constructor(
    private readonly session: Session,
    private readonly url: string,
  ) {
    this.marker = `smuggled-${session.unique}`;
    const { id, organisationId } = session.admin as { readonly id: number; readonly organisationId: number };
    const body = { name: this.marker, whitelist: [] };
    this.serviceKey = {
      path: `/organisations/${session.organisationId}/servicekeys`,
      body: { ...body, operations: ['organisations.read'] },
    };
    const path = `/organisations/${organisationId}/users/${id}/apikeys`;
    if (HAS_API_KEYS[session.options.variant]) this.apiKey = { path, body };
  }

  /** Title, method, and what gives the faults. */
  readonly all: readonly (readonly [string, string, () => Promise<string[]>])[] = [
    ['a login is let in', 'GET', () => this.letIn()],
    ['no credential is refused', 'GET', () => this.refused(401, {})],
    ['an unknown credential is refused', 'GET', () => this.refused(401, { hash: 'f'.repeat(64) })],
    ['a credential that has ended is refused', 'GET', () => this.ended()],
    ['a read-only API key does not write', 'POST', () => this.reading()],
    ['a key is refused from an address that its whitelist lacks', 'GET', () => this.elsewhere()],
    ['a credential of a suspended organisation is refused', 'GET', () => this.suspended()],
    ['what the client claims of itself changes nothing', 'GET', () => this.claimed()],
  ];

  /** An answer that is neither a refusal nor a failure. */
  private async assertLetIn(hash: string): Promise<void> {
    const { status } = await this.send({ hash });
    if (status === 401 || status === 403 || status >= 500)
      throw new NotChecked(`needs a credential that the service lets in; it answers ${status} to this one`);
  }

  /** Without this one the others would prove nothing. */
  private async letIn(): Promise<string[]> {
    await this.assertLetIn(this.session.hash).catch((error: Error) => {
      throw error instanceof NotChecked ? new Error(error.message) : error;
    });
    return [];
  }

  /** Sends it as it is, and with the claims. */
  private async refused(status: number, asked: Asked): Promise<string[]> {
    const notes: string[] = [];
    for (const [headers, when] of [
      [{}, ''],
      [claims(this.marker), ' where the client claims more'],
    ] as const) {
      const found = await this.send({ ...asked, headers });
      if (found.status !== status) notes.push(`status is ${found.status}, expected ${status}${when}`);
    }
    return notes;
  }

  private async ended(): Promise<string[]> {
    const { hash, path } = await this.made(this.apiKey ?? this.serviceKey);
    await this.assertLetIn(hash);
    await this.account({ method: 'DELETE', path });
    return this.refused(401, { hash });
  }

  private async reading(): Promise<string[]> {
    if (this.apiKey === undefined)
      throw new NotChecked('needs a read-only API key, which this variant lacks');
    const { path, body } = this.apiKey;
    const { hash } = await this.made({ path, body: { ...body, readOnly: true } });
    await this.assertLetIn(hash);
    return this.refused(403, { hash, method: 'POST' });
  }

  private async elsewhere(): Promise<string[]> {
    const key = this.apiKey ?? this.serviceKey;
    const { hash, path } = await this.made(key);
    await this.assertLetIn(hash);
    await this.account({ method: 'PUT', path, body: { ...key.body, whitelist: [ELSEWHERE] } });
    return this.refused(403, { hash });
  }

  private async suspended(): Promise<string[]> {
    const own = `/organisations/${this.session.organisationId}`;
    const { hash } = await this.made(this.serviceKey);
    await this.assertLetIn(hash);
    await this.account({ method: 'POST', path: `${own}/actions`, body: { type: 'disable' } });
    try {
      return await this.refused(401, { hash });
    } finally {
      await this.account({ method: 'POST', path: `${own}/actions`, body: { type: 'enable' } });
    }
  }

  private async claimed(): Promise<string[]> {
    const { hash } = this.session;
    await this.assertLetIn(hash);
    const first = await this.send({ hash });
    const claimed = await this.send({ hash, headers: claims(this.marker) });
    const last = await this.send({ hash });
    if (claimed.text.includes(this.marker)) return ['the answer shows what the client claims of itself'];
    if (first.text !== last.text || first.status !== last.status)
      throw new NotChecked('needs a page whose answer stays the same from one request to the next');
    const when = 'where the client claims to be somebody else';
    if (claimed.status !== first.status)
      return [`status is ${claimed.status}, expected ${first.status} ${when}`];
    if (claimed.text === first.text) return [];
    const [found, expected] = differingPieces(claimed.text, first.text);
    return [`the answer differs ${when}: it has ${found} instead of ${expected}`];
  }

  private async made({ path, body }: KeyToMake): Promise<{ hash: string; path: string }> {
    const [record] = Object.values(await this.account({ method: 'POST', path, body })) as {
      readonly id: number;
      readonly hash: string;
    }[];
    if (record === undefined) throw new Error(`POST ${path} shows no key`);
    return { hash: record.hash, path: `${path}/${record.id}` };
  }

  private async account(call: Call): Promise<object> {
    const response = await this.session.deployment.send({ ...call, hash: this.session.hash });
    const { status, text } = response;
    if (status >= 300)
      throw new NotChecked(`needs ${call.method} ${call.path}: ${status} ${text.slice(0, 200)}`);
    return response.body as object;
  }

  private async send({
    method = 'GET',
    hash,
    headers = {},
  }: Asked): Promise<{ status: number; text: string }> {
    const response = await fetch(this.url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
      headers: {
        ...headers,
        ...(hash !== undefined && { Authorization: hash }),
        ...(method === 'POST' && { 'Content-Type': 'application/json' }),
      },
      ...(method === 'POST' && { body: '{}' }),
    });
    return { status: response.status, text: await response.text() };
  }
}
