import type { Operation } from '@app/security/access/privileges';
import type { Variant } from '../../../qa/variants';
import { refusalTo } from '../../rights/stand-ins-table';
import type { Call } from './access-calls';
import { pathOfCell } from './access-cells';
import type { PlaceUser } from './access-world';
import { BEYOND, CLASS_OF, KEYS_NEVER, OUTSIDE, type OutsideOperation } from './grant-classes';
import type { GrantPerson } from './grant-people';
import {
  ADDRESSED,
  type Addressed,
  answerOf,
  type Circle,
  CLASSES,
  type ClassName,
  type Kind,
  type Way,
} from './grant-table';
import type { Giver, GrantWorld } from './grant-world';
import { type DescribedRoute, type Interface, nameOfRoute } from './interface';

/** A person, a route, and what it addresses. */
export interface GrantCell {
  readonly person: GrantPerson;
  readonly route: DescribedRoute;
  readonly operation: Operation;
  readonly of: ClassName;
  readonly giver: Giver;
  readonly user: PlaceUser | undefined;
  readonly addressed: Addressed | undefined;
  readonly path: string;
}

const guarded = ({ triedRoutes }: Interface): (DescribedRoute & { readonly operation: Operation })[] =>
  triedRoutes.flatMap((route) =>
    route.operation === undefined ? [] : [{ ...route, operation: route.operation }],
  );

const isOutside = (operation: Operation): operation is OutsideOperation => operation in OUTSIDE;

/** Every route that is tried with every organisation and everybody who is asked about it. */
export function cellsOfGrants(description: Interface, { givers }: GrantWorld): GrantCell[] {
  const cells: GrantCell[] = [];
  for (const route of guarded(description)) {
    const { operation } = route;
    if (isOutside(operation)) continue;
    const of = CLASS_OF[operation];
    for (const giver of givers) {
      const isWhole = giver.state === 'in force' && (of === 'read' || 'butNotOn' in CLASSES[of]);
      const users = route.path.includes(':userId')
        ? giver.users.slice(0, isWhole ? ADDRESSED.length : 1)
        : [undefined];
      for (const [index, user] of users.entries()) {
        const addressed = user && ADDRESSED[index];
        const path = pathOfCell({ route, place: giver, user });
        for (const person of giver.people)
          cells.push({ person, route, operation, of, giver, user, addressed, path });
      }
    }
  }
  return cells;
}

/** Routes that address no organisation, with everybody. */
export function cellsOutside(
  description: Interface,
  { people }: GrantWorld,
): { person: GrantPerson; route: DescribedRoute; path: string; expected: string }[] {
  return guarded(description).flatMap((route) => {
    const { operation } = route;
    // A logout would end the login.
    if (!isOutside(operation) || operation === 'session.logout') return [];
    const path = pathOfCell({ route, place: undefined, user: undefined });
    return people.map((person) => ({
      person,
      route,
      path,
      expected: answerOutside(operation, person, route),
    }));
  });
}

/** As the person is answered at home. A service key acts as a CUSTADMIN (rule keys 34). */
function answerOutside(
  operation: OutsideOperation,
  { name, row }: GrantPerson,
  route: DescribedRoute,
): string {
  const support =
    row.credential === 'support login'
      ? refusalTo('support login with write', { ...route, operation })
      : undefined;
  if (support !== undefined) return `403 ${support}`;
  const isCustadmin = /CUSTADMIN(?! since)|API key made|service key/.test(name);
  switch (OUTSIDE[operation]) {
    case 'everybody':
      return 'allowed';
    case 'CUSTADMINs':
      return isCustadmin ? 'allowed' : '500 ROLE_REQUIRED';
    case 'admins':
      return '500 ROLE_REQUIRED';
    case 'admins alone':
      return '403 ACCESS_DENIED';
  }
}

/** The answer of the tables to a cell, asked in one of the ways. */
export function expectedOf(
  { person: { row }, route, operation, of, giver, addressed }: GrantCell,
  way: Way,
): string {
  const { kind, state } = giver;
  const expected = answerOf(CLASSES[of], { person: row, kind, state, way, addressed });
  if (state === 'grantee suspended') return expected;
  if (row.credential === 'support login') {
    const refusal = refusalTo('support login with write', { ...route, operation });
    return refusal === undefined ? expected : `403 ${refusal}`;
  }
  if (row.credential === 'service key' && of === 'of no person') return '403 OPERATION_NOT_GRANTED';
  // rule grants 23: what no API key does is refused to it before anything else is asked.
  return row.credential === 'API key' && KEYS_NEVER.includes(operation) ? '403 ACCESS_DENIED' : expected;
}

export const nameOfGrantCell = ({
  person,
  route,
  giver,
  addressed,
}: Omit<GrantCell, 'path' | 'of' | 'operation' | 'user'>): string =>
  `${person.name} by ${giver.name}: ${nameOfRoute(route)}${addressed === undefined ? '' : ` of ${addressed}`}`;

/** A request of somebody who manages that the body puts beyond every grant. */
export interface BeyondCell {
  readonly name: string;
  readonly call: Call;
}

export function cellsBeyond({ givers }: GrantWorld, variant: Variant): BeyondCell[] {
  const met = givers.filter(({ state }) => state === 'in force');
  return met.flatMap((giver) =>
    giver.people
      .filter(({ row }) => row.credential === 'login' && row.circles.includes(manages(giver.kind)))
      .flatMap((person) =>
        BEYOND.filter(({ isOfVariantA }) => isOfVariantA !== true || variant === 'A').map((beyond) => ({
          name: `${person.name} by ${giver.name}: ${beyond.what}`,
          call: {
            method: beyond.method,
            path: `/v1/organisations/${giver.organisationId}${beyond.path.replaceAll(
              /:(\w+)/g,
              (_, id: string) => String(id === 'userId' ? giver.plain.id : giver.records[id]),
            )}`,
            hash: person.client.hash,
            body: beyond.body && withName(beyond.body, giver.plain.username),
          },
        })),
      ),
  );
}

const manages = (kind: Kind): Circle => (kind === 'none' ? 'nobody' : CLASSES.write.by[kind]);

/** The body with the user's own name where it stands for it. */
const withName = (body: object, username: string): object =>
  'username' in body && body.username === ':username' ? { ...body, username } : body;
