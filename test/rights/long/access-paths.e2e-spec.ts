import { VARIANTS } from '../../../qa/variants';
import { type Call, Wire, type WireResponse } from '../../support/generators/access-calls';
import { storedState } from '../../support/generators/access-state';
import { type AccessWorld, makeAccessWorld } from '../../support/generators/access-world';
import { useService } from '../../support/service/service';

/** Other ways to write the number of an identifier; none of them names anything (rule requests 42). */
const SPELLINGS: readonly ((id: number) => string)[] = [
  (id) => `0${id}`,
  (id) => `+${id}`,
  (id) => `%2B${id}`,
  (id) => `%20${id}`,
  (id) => `${id}%20`,
  (id) => `${id}%09`,
  (id) => `${id}%0A`,
  (id) => `${id}%00`,
  (id) => `${id}.0`,
  (id) => `${id}e0`,
  (id) => `0x${id.toString(16)}`,
  (id) => `-${id}`,
  (id) => `${id};a=1`,
  (id) => `${id}%3Ba=1`,
  (id) => `${id},${id}`,
  (id) => `${id + 2 ** 32}`,
  (id) => `${id}%2F`,
  (id) => `${id}%23`,
  (id) => `${id}%3F`,
  // Digits of Arabic and of full width, which \d of other languages would take.
  (id) =>
    encodeURIComponent([...String(id)].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join('')),
  (id) =>
    encodeURIComponent([...String(id)].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')),
];

/** Other ways to write a path: an answer is that of the plain path, or that there is no such path. */
const REWRITINGS: readonly ((path: string) => string)[] = [
  (path) => path.replaceAll('/', '//'),
  (path) => `//${path}`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/v1/', '/v1/./'),
  (path) => path.replace('/v1/', '/v1/%2e/'),
  (path) => path.replace('/v1/', '/v1/x/../'),
  (path) => path.replace('/v1/', '/v1/x/%2e%2e/'),
  (path) => path.replace('/v1/', '/v1/login/..%2f'),
  (path) => path.replace('/v1/', '/v1/login/%2e%2e%2f'),
  (path) => path.replace('/v1/', '/v1%2f'),
  (path) => path.replace('/v1/', '/v1\\'),
  (path) => path.replace('/v1/', '/health/live/../../v1/'),
  (path) => path.replace('/v1/', '/docs/../v1/'),
  (path) => path.replace('organisations', '%6frganisations'),
  (path) => path.replace('/organisations', ';/organisations'),
  (path) => `${path};`,
  (path) => `${path};.css`,
  (path) => `${path}.json`,
  (path) => `${path}%00`,
  (path) => `${path}%20`,
  (path) => `${path}%`,
  (path) => `${path}#/v1/login`,
  (path) => `${path}?/v1/login`,
  (path) => `http://operator.example${path}`,
];

const OVERRIDES: readonly Readonly<Record<string, string>>[] = [
  { 'x-http-method-override': 'DELETE' },
  { 'x-http-method': 'DELETE' },
  { 'x-method-override': 'DELETE' },
];

/** Headers by which a proxy tells where a request was meant for: they mean nothing here. */
const REROUTINGS = (path: string): readonly Readonly<Record<string, string>>[] => [
  { 'x-original-url': path },
  { 'x-rewrite-url': path },
  { 'x-forwarded-path': path },
  { 'x-forwarded-prefix': '/v1' },
];

describe.each(VARIANTS)('ways around the access guard, Variant %s,', (variant) => {
  afterAll(() => wire.close());
  const service = useService(variant);
  let wire: Wire;
  beforeAll(() => {
    wire = new Wire(service.url);
  });
  const placeNamed = (name: string) => world.places.find((place) => place.name === name) ?? fail(name);
  const actorNamed = (name: string) => world.actors.find((actor) => actor.name === name) ?? fail(name);
  let world: AccessWorld;
  beforeAll(async () => {
    world = await makeAccessWorld(service);
  });

  /** The callers that a trick could help: who may not, who may only read, and nobody. */
  const CALLERS = ['no credential', 'plain user', 'CUSTADMIN', 'refused key of admin', 'disabled user'];

  /** Responses of `trick` that neither the plain call gives nor mean that there is no such thing. */
  async function gains(plain: Call, tricks: readonly Call[]): Promise<string[]> {
    const usual = await wire.send(plain);
    const responses = await wire.sendAll(tricks);
    return tricks.flatMap((trick, index) => {
      const response = responses[index] as WireResponse;
      const isSame = response.status === usual.status && comparable(response) === comparable(usual);
      const isNothing = [400, 401, 404, 405].includes(response.status);
      return isSame || isNothing
        ? []
        : [`${trick.method} ${trick.path}: ${response.status} ${response.text}`];
    });
  }

  const pathsToTry = (): string[] =>
    ['own', 'unrelated', 'above', 'granted'].flatMap((name) => {
      const { organisationId, users } = placeNamed(name);
      const base = `/v1/organisations/${organisationId}`;
      return [base, `${base}/users`, `${base}/invitations`, `${base}/users/${users[0]?.id}/contacts`];
    });

  it.each(CALLERS)('do not lead %s further by rewriting the path', async (name) => {
    const { hash } = actorNamed(name);
    const before = await storedState(service);
    for (const path of pathsToTry()) {
      for (const method of ['GET', 'DELETE', 'HEAD']) {
        // A deletion that is allowed would be one: what is its own is only read here.
        if (method === 'DELETE' && path.includes(`/${placeNamed('own').organisationId}`)) continue;
        const tricks = REWRITINGS.map((rewrite) => ({ method, path: rewrite(path), hash }));
        expect(await gains({ method, path, hash }, tricks)).toEqual([]);
      }
    }
    expect(await storedState(service)).toEqual(before);
  });

  it.each(CALLERS)('do not lead %s further by headers', async (name) => {
    const { hash } = actorNamed(name);
    const before = await storedState(service);
    for (const path of pathsToTry()) {
      for (const method of ['GET', 'POST']) {
        const body = method === 'POST' ? {} : undefined;
        const tricks = [...OVERRIDES, ...REROUTINGS('/health/live')].map((headers) => ({
          method,
          path,
          hash,
          body,
          headers,
        }));
        expect(await gains({ method, path, hash, body }, tricks)).toEqual([]);
      }
    }
    const target = `/v1/organisations/${placeNamed('unrelated').organisationId}`;
    const outside = REROUTINGS(target).map((headers) => ({
      method: 'GET',
      path: '/v1/whoami',
      hash,
      headers,
    }));
    expect(await gains({ method: 'GET', path: '/v1/whoami', hash }, outside)).toEqual([]);
    expect(await storedState(service)).toEqual(before);
  });

  it('know no other spelling of an identifier: 404 for an admin too', async () => {
    const { hash } = actorNamed('admin');
    const { organisationId, users, records } = placeNamed('own');
    const [user] = users;
    const tried = SPELLINGS.flatMap((spell) => [
      `/v1/organisations/${spell(organisationId)}`,
      `/v1/organisations/${spell(organisationId)}/users/${user?.id}`,
      `/v1/organisations/${organisationId}/users/${spell(user?.id ?? 0)}`,
      `/v1/organisations/${organisationId}/users/${user?.id}/contacts/${spell(user?.records['contactId'] ?? 0)}`,
      `/v1/organisations/${organisationId}/teams/${spell(records['teamId'] ?? 0)}`,
    ]);
    const responses = await wire.sendAll(tried.map((path) => ({ method: 'GET', path, hash })));
    expect(tried.filter((_, index) => responses[index]?.status !== 404)).toEqual([]);
  });

  it('take no identifier from query or body', async () => {
    const { hash } = actorNamed('CUSTADMIN');
    const own = placeNamed('own');
    const unrelated = placeNamed('unrelated');
    const path = `/v1/organisations/${unrelated.organisationId}/users`;
    const queries = [
      `organisationId=${own.organisationId}`,
      `organisationId=${own.organisationId}&organisationId=${unrelated.organisationId}`,
      `organisationId[]=${own.organisationId}`,
      `userId=${own.users[0]?.id}`,
      'roles=ROLE_ADMIN&_method=GET',
      '__proto__[roles]=ROLE_ADMIN',
      'constructor[prototype][roles]=ROLE_ADMIN',
    ];
    const tricks = queries.map((query) => ({ method: 'GET', path: `${path}?${query}`, hash }));
    const responses = await wire.sendAll(tricks);
    expect(responses.map(({ status }) => status)).toEqual(queries.map(() => 403));
    const ownUsers = await wire.send({
      method: 'GET',
      hash,
      path: `/v1/organisations/${own.organisationId}/users`,
    });
    const polluted = await wire.send({
      method: 'GET',
      hash,
      path: `/v1/organisations/${own.organisationId}/users?organisationId=${unrelated.organisationId}`,
    });
    expect(polluted.text).toBe(ownUsers.text);
    const moved = await wire.send({
      method: 'PUT',
      path: `/v1/organisations/${unrelated.organisationId}`,
      hash,
      body: { organisationId: own.organisationId, name: 'x', taxNumber: 'x' },
    });
    expect(moved.status).toBe(403);
  });

  it('find no credential but in its header', async () => {
    const { hash } = actorNamed('admin');
    const path = '/v1/whoami';
    const responses = await wire.sendAll([
      { method: 'GET', path: `${path}?Authorization=${hash}&hash=${hash}&access_token=${hash}` },
      { method: 'GET', path, headers: { cookie: `Authorization=${hash}; hash=${hash}` } },
      { method: 'GET', path, headers: { 'x-authorization': hash ?? '', 'proxy-authorization': hash ?? '' } },
      { method: 'GET', path, hash: `Basic ${Buffer.from(`admin:${hash}`).toString('base64')}` },
      { method: 'GET', path, hash: `${hash}, ${hash}` },
      { method: 'GET', path, hash: hash?.toUpperCase() },
      { method: 'GET', path, hash: `${hash}'--` },
    ]);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 401));
    expect((await wire.send({ method: 'GET', path, hash: `Bearer ${hash}` })).status).toBe(200);
  });

  it('find no address of a key but that of the connection', async () => {
    const { hash } = actorNamed('refused key of admin');
    const claims = [
      'x-forwarded-for',
      'x-real-ip',
      'x-client-ip',
      'forwarded',
      'cf-connecting-ip',
      'true-client-ip',
    ];
    const responses = await wire.sendAll(
      claims.map((header) => ({
        method: 'GET',
        path: '/v1/whoami',
        hash,
        headers: { [header]: header === 'forwarded' ? 'for=192.0.2.1' : '192.0.2.1' },
      })),
    );
    expect(responses.map(({ status, reason }) => `${status} ${reason}`)).toEqual(
      claims.map(() => '403 ADDRESS_REFUSED'),
    );
  });
});

/** The body without what differs from one answer to the next. */
const comparable = ({ text }: WireResponse): string => text.replaceAll(/"requestId":"[^"]*"/g, '');

const fail = (name: string): never => {
  throw new Error(`The world has no ${name}`);
};
