import { type PerVariant, VARIANTS } from '../../qa/variants';
import { Wire } from '../support/generators/access-calls';
import {
  callOf,
  cellsOf,
  kindOfCell,
  type MatrixCell,
  nameOfCell,
  sampleOf,
  wordsOf,
} from '../support/generators/access-cells';
import { lowerWriteBarrier, raiseWriteBarrier, storedState } from '../support/generators/access-state';
import { RULES } from '../support/generators/access-table';
import { type AccessWorld, makeAccessWorld } from '../support/generators/access-world';
import { Interface, nameOfRoute } from '../support/generators/interface';
import { triedRoutes } from '../support/generators/own-routes';
import { IS_FULL } from '../support/generators/sampled';
import { useService } from '../support/service/service';

const nameOfMeeting = ({ actor, place, user }: MatrixCell): string =>
  `${actor.name} ${place?.name} ${user?.id ?? 'no user'}`;

const nameOfRouteAtPlace = ({ route, place }: MatrixCell): string => `${nameOfRoute(route)} ${place?.name}`;

/** How many cells there are at least: in B of the routes that A lacks or describes in another way. */
const LEAST: PerVariant<number> = { A: 8_000, B: 2_000 };

describe.each(VARIANTS)('every route with every kind of caller in Variant %s', (variant) => {
  afterAll(() => wire.close());
  const service = useService(variant);
  let description: Interface;
  let world: AccessWorld;
  let all: readonly MatrixCell[];
  let cells: readonly MatrixCell[];
  let wire: Wire;
  beforeAll(() => {
    wire = new Wire(service.url);
  });

  beforeAll(async () => {
    description = await Interface.of(service);
    world = await makeAccessWorld(service);
    const tried = triedRoutes(variant);
    all = cellsOf(description, world).filter(({ route }) => tried.has(nameOfRoute(route)));
    cells = sampleOf(all, kindOfCell, [nameOfMeeting, nameOfRouteAtPlace]);
  });

  /** What went otherwise than expected, one line for each cell. */
  async function mismatches(asked: readonly MatrixCell[], bodyOf: (cell: MatrixCell) => object) {
    const responses = await wire.sendAll(asked.map((cell) => callOf(cell, bodyOf(cell))));
    return asked.flatMap((cell, index) => {
      const answered = wordsOf(responses[index] as (typeof responses)[number]);
      return answered === cell.expected
        ? []
        : [`${nameOfCell(cell)} is ${cell.expected}, answered ${answered}`];
    });
  }

  it('has a row in access-table.ts, and no row is without a route', () => {
    const served = description.routes.filter(({ operation }) => operation !== undefined).map(nameOfRoute);
    expect(served.sort()).toEqual(Object.keys(RULES[variant]).sort());
  });

  it('is asked for every answer: 401, 403 with each reason, 404, 500 and done', () => {
    const asked = new Set(cells.map(({ expected }) => expected));
    expect([...asked].sort()).toEqual([
      '401 UNAUTHORISED',
      '403 ACCESS_DENIED',
      '403 ADDRESS_REFUSED',
      '403 API_KEY_READ_ONLY',
      // No route that Variant B alone has gives this answer.
      ...(variant === VARIANTS[0] || IS_FULL ? ['403 API_KEY_REFUSED'] : []),
      '403 GRANT_DOES_NOT_COVER',
      '403 OPERATION_NOT_GRANTED',
      '404 NOT_FOUND',
      '500 ROLE_REQUIRED',
      'allowed',
    ]);
    expect(world.actors).toHaveLength(26);
    expect(world.places).toHaveLength(12);
    expect(cells.length).toBeGreaterThan(LEAST[variant]);
  });

  it.each<[string, (cell: MatrixCell) => string]>([
    ['kind of cell', kindOfCell],
    ['actor at every place, and of every user there', nameOfMeeting],
    ['route at every place', nameOfRouteAtPlace],
  ])('is asked for every %s', (_what, nameOf) => {
    expect(new Set(cells.map(nameOf))).toEqual(new Set(all.map(nameOf)));
  });

  it('is 401, 403, 404 or 500 with the reason of access-table.ts, and writes nothing', async () => {
    const before = await storedState(service);
    const plausible = new Map(
      description.routes.map((route) => [nameOfRoute(route), description.exampleBody(route)]),
    );
    const denied = cells.filter(({ expected }) => expected !== 'allowed');
    expect(await mismatches(denied, ({ route }) => plausible.get(nameOfRoute(route)) ?? {})).toEqual([]);
    expect(await storedState(service)).toEqual(before);
  });

  it('goes on where access-table.ts lets the caller in', async () => {
    const allowed = cells.filter(({ expected }) => expected === 'allowed');
    await raiseWriteBarrier(service);
    try {
      expect(await mismatches(allowed, () => ({}))).toEqual([]);
    } finally {
      await lowerWriteBarrier(service);
    }
  });
});
