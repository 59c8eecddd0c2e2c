import { type PerVariant, VARIANTS } from '../../../qa/variants';
import { type Call, Wire, type WireResponse } from '../../support/generators/access-calls';
import {
  callOf,
  cellsOf,
  kindOfCell,
  type MatrixCell,
  nameOfCell,
  pairOfCell,
  sampleOf,
  wordsOf,
} from '../../support/generators/access-cells';
import { lowerWriteBarrier, raiseWriteBarrier } from '../../support/generators/access-state';
import { type AccessWorld, type Actor, makeAccessWorld } from '../../support/generators/access-world';
import { Interface, nameOfRoute } from '../../support/generators/interface';
import { triedRoutes } from '../../support/generators/own-routes';
import { useService } from '../../support/service/service';

interface Told {
  readonly verdict: string;
  readonly status: number | null;
  readonly reason: string;
  readonly message: string;
  readonly step: string;
  readonly because: string;
}

/** How many questions there are at least. */
const LEAST: PerVariant<number> = { A: 3_000, B: 800 };

/** Milliseconds that the questions may take with FULL=1 where others work too. */
const BUSY_MACHINE = 600_000;

describe.each(VARIANTS)('what is explained of the privilege table, Variant %s', (variant) => {
  afterAll(async () => {
    wire.close();
    await lowerWriteBarrier(service);
  });
  const service = useService(variant);
  let wire: Wire;
  beforeAll(() => {
    wire = new Wire(service.url);
  });
  let world: AccessWorld;
  let cells: MatrixCell[];
  beforeAll(async () => {
    world = await makeAccessWorld(service);
    // Without any credential there is nobody to ask about.
    const tried = triedRoutes(variant);
    cells = cellsOf(await Interface.of(service), world).filter(
      ({ actor, route }) => actor.hash !== undefined && tried.has(nameOfRoute(route)),
    );
    await raiseWriteBarrier(service);
  });

  const actorNamed = (name: string): Actor =>
    world.actors.find((actor) => actor.name === name) ?? fail(`the world has no ${name}`);

  const question = (asker: Actor, { method, path }: Call, whom: object): Call => ({
    method: 'POST',
    path: '/v1/access/explain',
    hash: asker.hash,
    body: { method, path, address: '127.0.0.1', ...whom },
  });

  const askAll = (asker: Actor, whomOf: (actor: Actor) => object, asked: readonly MatrixCell[]) =>
    wire.sendAll(asked.map((cell) => question(asker, callOf(cell, {}), whomOf(cell.actor))));

  const toldBy = ({ text }: WireResponse): Told | undefined =>
    (JSON.parse(text) as { explanation?: Told }).explanation;

  /** The answer that an explanation says the service gives: status, reason and message. */
  const wordsTold = (response: WireResponse): string => {
    const told = toldBy(response);
    if (told === undefined) return `${response.status} instead of an explanation`;
    return told.status === null ? 'allowed' : `${told.status} ${told.reason} ${told.message}`;
  };

  const wordsMet = (response: WireResponse): string => {
    const words = wordsOf(response);
    if (words === 'allowed') return words;
    return `${words} ${(JSON.parse(response.text) as { message: string }).message}`;
  };

  const differences = (asked: readonly MatrixCell[], met: readonly string[], told: readonly string[]) =>
    asked.flatMap((cell, index) =>
      met[index] === told[index] ? [] : [`${nameOfCell(cell)}: ${met[index]}, told ${told[index]}`],
    );

  it(
    'is what the service answers, asked by credential and by user',
    async () => {
      const asked = sampleOf(cells, pairOfCell);
      expect(asked.length).toBeGreaterThan(LEAST[variant]);
      const admin = actorNamed('admin');
      const met = (await wire.sendAll(asked.map((cell) => callOf(cell, {})))).map(wordsMet);
      expect(new Set(met.map((words) => words.split(' ')[0])).size).toBe(5);
      const byHash = await askAll(admin, ({ hash }) => ({ hash }), asked);
      expect(differences(asked, met, byHash.map(wordsTold))).toEqual([]);

      const withLogin = asked.filter(
        ({ actor: { withKey, support, credential } }) =>
          !withKey && support === undefined && credential === 'usable',
      );
      const byUser = await askAll(admin, ({ userId }) => ({ userId }), withLogin);
      const metWithLogin = met.filter((_, index) => withLogin.includes(asked[index] as MatrixCell));
      expect(differences(withLogin, metWithLogin, byUser.map(wordsTold))).toEqual([]);
    },
    BUSY_MACHINE,
  );

  it(
    'is for a manager the same within its reach, and 404 outside whether it exists or not',
    async () => {
      const admin = actorNamed('admin');
      const manager = actorNamed('CUSTADMIN');
      const ofHome = sampleOf(cells, kindOfCell).filter(({ actor: { name } }) =>
        ['plain user', 'API key of CUSTADMIN', 'refused key of plain user'].includes(name),
      );
      const whom = ({ hash }: Actor) => ({ hash });
      const told = await askAll(manager, whom, ofHome);
      const toldAdmin = await askAll(admin, whom, ofHome);
      const wrong = ofHome.flatMap((cell, index) => {
        const { place, route } = cell;
        // What these name need not be there: they make it.
        const records =
          !['entities.register', 'documents.put'].includes(route.operation ?? '') &&
          route.path.replaceAll(/:(?:organisationId|userId)/g, '').includes(':');
        const inReach =
          place === undefined
            ? !records
            : place.relation.own ||
              place.relation.beneath ||
              place.relation.manages ||
              (place.relation.granted && !records);
        const expected = inReach && place?.exists !== false ? toldAdmin[index]?.text : '404';
        const answered = told[index]?.status === 404 ? '404' : told[index]?.text;
        return answered === expected ? [] : [`${nameOfCell(cell)}: ${answered}, not ${expected}`];
      });
      expect(wrong).toEqual([]);
      const hidden = told.filter(({ status }) => status === 404).map(({ text }) => withoutRequestId(text));
      expect(new Set(hidden)).toEqual(
        new Set(['{"code":404,"message":"Target not found","reason":"NOT_FOUND"}']),
      );
    },
    BUSY_MACHINE,
  );

  it('knows who is out of reach as little as who is nobody', async () => {
    const manager = actorNamed('CUSTADMIN');
    const call = { method: 'GET', path: '/v1/whoami' };
    const ask = (whom: object) => wire.send(question(manager, call, whom));
    const outsiders = [
      'admin',
      'plain operator user',
      'operator CUSTADMIN',
      'API key of admin',
      'deleted user',
    ];
    const users = ['unrelated', 'above', 'sibling', 'granted'].map(
      (name) => world.places.find((place) => place.name === name)?.users[0]?.id,
    );
    const responses = await Promise.all([
      ...[...outsiders.map((name) => actorNamed(name).userId), ...users, 999_999].map((userId) =>
        ask({ userId }),
      ),
      ...[...outsiders.map((name) => actorNamed(name).hash), 'f'.repeat(64), 'x'.repeat(299)].map((hash) =>
        ask({ hash }),
      ),
    ]);
    expect(new Set(responses.map(({ status, text }) => `${status} ${withoutRequestId(text)}`))).toEqual(
      new Set([
        '404 {"code":404,"message":"User not found","reason":"NOT_FOUND"}',
        '404 {"code":404,"message":"Credential not found","reason":"NOT_FOUND"}',
      ]),
    );
  });

  it('is what the service answers to odd paths', async () => {
    const { hash } = actorNamed('CUSTADMIN');
    const home = world.places.find(({ name }) => name === 'own');
    const base = `/v1/organisations/${home?.organisationId}`;
    const paths = [
      `${base}/`,
      `/${base}`,
      base.toUpperCase(),
      `${base}?token=secret`,
      `${base}%20`,
      `${base}%`,
      `${base}%2F`,
      `${base}.0`,
      `/v1/organisations/0${home?.organisationId}`,
      `/v1/organisations/99999999999/users`,
      `${base}/users/x/contacts`,
      `${base}/nothing`,
      '/v1/nothing',
      '/v1',
      '/nothing',
      '/v1/./whoami',
      '/health/live',
      '/v1/domains/check',
    ];
    const calls = paths.flatMap((path) => ['GET', 'HEAD', 'DELETE'].map((method) => ({ method, path })));
    const met = await wire.sendAll(calls.map((call) => ({ ...call, hash })));
    const told = await wire.sendAll(calls.map((call) => question(actorNamed('admin'), call, { hash })));
    const statusOf = (response: WireResponse): number => (response.status < 400 ? 0 : response.status);
    expect(calls.map((call, index) => [call, toldBy(told[index] as WireResponse)?.status ?? 0])).toEqual(
      calls.map((call, index) => {
        const { status } = met[index] as WireResponse;
        // Past the guard: the deletion fails on the write barrier, or on users that are there.
        const isPast = call.method === 'DELETE' && [400, 503].includes(status);
        return [call, isPast ? 0 : statusOf(met[index] as WireResponse)];
      }),
    );
  });

  it('says clearly what no guard answers', async () => {
    const admin = actorNamed('admin');
    const ask = async (method: string, path: string) =>
      toldBy(await wire.send(question(admin, { method, path }, { userId: admin.userId })));
    expect(await ask('GET', '/nothing')).toMatchObject({
      verdict: '404',
      step: 'path',
      message: 'Resource not found',
    });
    expect(await ask('DELETE', '/whoami')).toMatchObject({ verdict: '405', step: 'path' });
    // The other variant has it: a method there is as unknown as a path.
    const foreign = `/organisations/1/users${variant === 'A' ? '' : '/1/enable2fa'}`;
    const method = variant === 'A' ? 'POST' : 'PATCH';
    expect(await ask(method, foreign)).toMatchObject({ verdict: '404', step: 'path' });
    expect(await ask('POST', '/login')).toMatchObject({
      verdict: 'allow',
      step: 'route',
      route: { publicBecause: expect.stringMatching(/\w/), operation: '' },
    });
    expect(await ask('GET', '/downloadpdf/1/2/abc')).toMatchObject({ verdict: 'allow', step: 'route' });
    expect(await ask('GET', '/domains/check')).toMatchObject(
      { A: { verdict: '404', step: 'path' }, B: { verdict: '501', reason: 'AREA_NOT_HERE', step: 'route' } }[
        variant
      ],
    );
    expect(await ask('GET', '/organisations/x')).toMatchObject({
      verdict: '404',
      step: 'target',
      message: 'Organisation not found',
    });
  });
});

const withoutRequestId = (text: string): string => text.replace(/,"requestId":"[^"]*"/, '');

const fail = (why: string): never => {
  throw new Error(why);
};
