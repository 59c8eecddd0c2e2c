import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import { urlOf } from '../support/faults/proxy';
import { against, leftovers, NOTHING, qa } from '../support/service/qa';
import { useService } from '../support/service/service';

/** What a service behind forward-auth may do wrong. */
type Flaw =
  | 'asks nothing'
  | 'caches'
  | 'passes on every header'
  | 'does not say the method'
  | 'shows the claims'
  | 'echoes an address';

const READ_ONLY = 'a read-only API key does not write';

/** The checks that a variant has no credential for. */
const UNCHECKED: PerVariant<readonly string[]> = { A: [], B: [READ_ONLY] };

/** Each with the checks that fail. */
const FLAWS: readonly (readonly [Flaw, readonly string[]])[] = [
  [
    'asks nothing',
    [
      'no credential is refused',
      'an unknown credential is refused',
      'a credential that has ended is refused',
      READ_ONLY,
      'a key is refused from an address that its whitelist lacks',
      'a credential of a suspended organisation is refused',
    ],
  ],
  [
    'caches',
    [
      'a credential that has ended is refused',
      READ_ONLY,
      'a key is refused from an address that its whitelist lacks',
      'a credential of a suspended organisation is refused',
    ],
  ],
  ['passes on every header', [READ_ONLY, 'a key is refused from an address that its whitelist lacks']],
  ['does not say the method', [READ_ONLY]],
  ['shows the claims', ['what the client claims of itself changes nothing']],
  ['echoes an address', ['what the client claims of itself changes nothing']],
];

/** A service that asks the account API about every request, as a proxy does, and shows whose it is. */
async function startBehind(accountUrl: string, flaw?: Flaw): Promise<Server> {
  const cache = new Map<string, Response>();
  const ask = async (headers: IncomingHttpHeaders, method: string): Promise<Response> => {
    const { authorization = '' } = headers;
    const cached = flaw === 'caches' ? cache.get(authorization) : undefined;
    if (cached !== undefined) return cached;
    const answer = await fetch(`${accountUrl}/v1/access/forward`, {
      headers: {
        authorization,
        ...(flaw !== 'does not say the method' && { 'x-forwarded-method': method }),
        'x-forwarded-for': '127.0.0.1',
        ...(flaw === 'passes on every header' && {
          'x-forwarded-method': String(headers['x-forwarded-method'] ?? method),
          'x-forwarded-for': String(headers['x-forwarded-for'] ?? '127.0.0.1'),
        }),
      },
    });
    cache.set(authorization, answer);
    return answer;
  };
  const server = createServer((request, response) => {
    void (async () => {
      const { headers, method = '' } = request;
      const answer =
        flaw === 'asks nothing' ? new Response(null, { status: 204 }) : await ask(headers, method);
      const username = flaw === 'shows the claims' ? headers['x-account-username'] : undefined;
      response.writeHead(answer.status === 204 ? 200 : answer.status);
      const zonesOf = username ?? answer.headers.get('x-account-username');
      const page = { zonesOf, filler: 'x'.repeat(500), address: String(headers['x-real-ip'] ?? 'none') };
      response.end(JSON.stringify(flaw === 'echoes an address' ? page : { zonesOf }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe.each(VARIANTS)('npm run qa --behind in Variant %s', (variant) => {
  const service = useService(variant, { settings: { trustedProxies: ['127.0.0.1'] } });

  let notes: readonly string[];

  async function check(flaw?: Flaw) {
    const server = await startBehind(service.url, flaw);
    const url = `${urlOf(server)}/zones`;
    const { status, report } = await qa([...against(service.url, variant), '--behind', url, '--json']);
    server.close();
    const { results } = report;
    const titlesOf = (outcome: string) =>
      results.filter((result) => result.outcome === outcome).map(({ title }) => title);
    notes = results.flatMap((result) => result.notes);
    return { status, failed: titlesOf('failed'), unchecked: titlesOf('not checked'), of: results.length };
  }

  it('finds no fault in a service that stands behind forward-auth', async () => {
    expect(await check()).toEqual({ status: 0, failed: [], unchecked: UNCHECKED[variant], of: 8 });
    expect(await leftovers(service)).toEqual(NOTHING);
  });

  it.each(FLAWS)('names the faults of one that %s', async (flaw, failed) => {
    const unchecked = UNCHECKED[variant];
    const found = failed.filter((title) => !unchecked.includes(title));
    expect(await check(flaw)).toEqual({ status: found.length > 0 ? 1 : 0, failed: found, unchecked, of: 8 });
  });

  it('shows the piece of the answer that the claims change, not the whole page', async () => {
    await check('echoes an address');
    const differing = notes.filter((note) => note.includes('differs'));
    const before = `${'x'.repeat(27)}","address":"`;
    expect(differing).toEqual([
      `the answer differs where the client claims to be somebody else: it has …${before}192.0.2.7… instead of …${before}none…`,
    ]);
  });

  it('exits with 1 where nobody is let in or nobody answers', async () => {
    const server = createServer((_, response) => response.writeHead(503).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = urlOf(server);
    const run = () => qa([...against(service.url, variant), '--behind', url]);
    const closed = await run();
    expect(closed.status).toBe(1);
    expect(closed.output).toContain('needs a credential that the service lets in; it answers 503');
    server.close();
    const away = await run();
    expect(away.status).toBe(1);
    expect(away.output).toContain('ECONNREFUSED');
  });
});
