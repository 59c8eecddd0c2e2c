import type { Operation } from '@app/security/access/privileges';
import type { Variant } from '../../../qa/variants';
import type { Call, WireResponse } from './access-calls';
import { cellOf, FOR_EVERY_SERVICE_KEY, isByName, READ_ONLY_METHODS, RULES } from './access-table';
import {
  type AccessWorld,
  type Actor,
  NO_RELATION,
  type Place,
  type PlaceUser,
  REGISTERED_ENTITY,
  type Relation,
} from './access-world';
import { type DescribedRoute, type Interface, nameOfRoute } from './interface';
import { IS_FULL } from './sampled';

/** One cell of the matrix: an actor, a route, and what the route addresses. */
export interface MatrixCell {
  readonly actor: Actor;
  readonly route: DescribedRoute;
  readonly place: Place | undefined;
  readonly user: PlaceUser | undefined;
  /** The answer of docs/rules; `allowed` where the guard lets the request go on. */
  readonly expected: string;
}

const DENIALS: Record<Exclude<ReturnType<typeof cellOf>, 'yes'>, string> = {
  no: '403 ACCESS_DENIED',
  role: '500 ROLE_REQUIRED',
  uncovered: '403 GRANT_DOES_NOT_COVER',
  person: '403 API_KEY_REFUSED',
};

/** How a place is related to the organisation that an actor comes from. */
export const relationOf = (
  actor: Pick<Actor, 'home' | 'serviceKey' | 'roles' | 'isInTeam'>,
  place: Place,
): Relation => {
  if (actor.serviceKey !== undefined && actor.home === 'customer') {
    // rule keys 35: beneath with `beneath` alone; rule grants 27: grants give nothing.
    const { own, beneath } = place.relation;
    return { ...NO_RELATION, own, beneath: beneath && actor.serviceKey.beneath };
  }
  if (actor.home === 'customer') {
    // rule grants 19: members of its teams and CUSTADMINs use it, nobody else.
    if (place.relation.grant !== 'manage') return place.relation;
    return actor.roles.includes('ROLE_CUSTADMIN') || actor.isInTeam ? place.relation : NO_RELATION;
  }
  const own = place.organisationId === 1;
  return { ...NO_RELATION, own, beneath: !own };
};

const whomOf = (actor: Actor, user: PlaceUser) => ({
  isSelf: user.id === actor.userId,
  isAdmin: user.isAdmin,
});

/** Status and reason of a cell, in the order of rule rights 23: 401, 404, 403, 500. */
function expectedOf(variant: Variant, { actor, route, place, user }: Omit<MatrixCell, 'expected'>): string {
  if (actor.credential === 'unusable') return '401 UNAUTHORISED';
  // A key's whitelist belongs to the credential: from another address nothing is told, not even what exists.
  if (actor.credential === 'refused address') return '403 ADDRESS_REFUSED';
  if (place?.exists === false) return '404 NOT_FOUND';
  if (actor.isReadOnly === true && !READ_ONLY_METHODS.includes(route.method)) return '403 API_KEY_READ_ONLY';
  const rule = RULES[variant][nameOfRoute(route)];
  if (rule === undefined) throw new Error(`access-table.ts lacks ${nameOfRoute(route)}`);
  if (actor.serviceKey?.operations === 'none' && !FOR_EVERY_SERVICE_KEY.includes(nameOfRoute(route)))
    return '403 OPERATION_NOT_GRANTED';
  if (actor.serviceKey !== undefined && isByName(rule))
    return actor.serviceKey.namesThem ? 'allowed' : '403 OPERATION_NOT_GRANTED';
  const cell = cellOf({
    rule,
    roles: actor.roles,
    withKey: actor.withKey,
    organisation: place && relationOf(actor, place),
    operation: route.operation as Operation,
    user: user && whomOf(actor, user),
  });
  return cell === 'yes' ? 'allowed' : DENIALS[cell];
}

/** Paths that address the organisation that owns the registered entity, which is that of the customer. */
const OF_OWNER: ReadonlySet<string> = new Set(['/v1/entities/systems/:entityId/authorizedkeys']);

/** Every actor with every route and everything that the route can address. */
export function cellsOf({ routes, service }: Interface, { actors, places }: AccessWorld): MatrixCell[] {
  const cells: MatrixCell[] = [];
  for (const route of routes.filter(({ operation }) => operation !== undefined)) {
    const addressed = route.path.includes(':organisationId')
      ? places
      : [OF_OWNER.has(route.path) ? places.find(({ name }) => name === 'own') : undefined];
    for (const actor of actors) {
      for (const place of addressed) {
        const users = route.path.includes(':userId')
          ? (place as Place).users.filter(({ isActor, id }) => !isActor || id === actor.userId)
          : [undefined];
        for (const user of users) {
          const cell = { actor, route, place, user };
          cells.push({ ...cell, expected: expectedOf(service.variant, cell) });
        }
      }
    }
  }
  return cells;
}

/** Everything that the contract lets the answer depend on: alike are places of one relation to the actor. */
export function kindOfCell({ actor, route, place, user }: MatrixCell): string {
  const isTold = actor.credential === 'usable' && place?.exists === true;
  const relation = actor.credential === 'usable' && place && (isTold ? relationOf(actor, place) : 'none');
  const whom = isTold && user && whomOf(actor, user);
  return JSON.stringify([nameOfRoute(route), actor.name, relation, whom]);
}

/**
 * Picks one of the cells that are alike (all of them with `FULL=1`), and a cell for each name that none of
 * these has. The place of the one changes with the route and the actor, so that few are missing.
 */
export function sampleOf(
  cells: readonly MatrixCell[],
  alikeBy: (cell: MatrixCell) => string,
  nameOfCells: readonly ((cell: MatrixCell) => string)[] = [],
): readonly MatrixCell[] {
  if (IS_FULL) return cells;
  const routes = [...new Set(cells.map(({ route }) => route))];
  const actors = [...new Set(cells.map(({ actor }) => actor))];
  const groups = new Map<string, MatrixCell[]>();
  for (const cell of cells) {
    const alike = groups.get(alikeBy(cell));
    if (alike === undefined) groups.set(alikeBy(cell), [cell]);
    else alike.push(cell);
  }
  const sample = [...groups.values()].map((alike) => {
    const [{ route, actor }] = alike as [MatrixCell];
    return alike[(routes.indexOf(route) + actors.indexOf(actor)) % alike.length] as MatrixCell;
  });
  for (const nameOf of nameOfCells) {
    const borne = new Set(sample.map(nameOf));
    for (const cell of cells) {
      if (borne.has(nameOf(cell))) continue;
      borne.add(nameOf(cell));
      sample.push(cell);
    }
  }
  return sample;
}

/** The path of a cell, every record in it being one of what it addresses. */
export function pathOfCell({ route, place, user }: Pick<MatrixCell, 'route' | 'place' | 'user'>): string {
  const ofUser = /users\/:userId\/./.test(route.path) ? user?.records : undefined;
  const values: Readonly<Record<string, number | undefined>> = {
    entityId: REGISTERED_ENTITY,
    ...place?.records,
    ...ofUser,
    organisationId: place?.organisationId,
    userId: user?.id,
    // The path names the organisation that received it.
    ...(route.path.includes('/grants/:grantId/teams/') && { grantId: place?.records['receivedGrantId'] }),
    pricegroupId: 1,
  };
  return route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`Nothing to fill in for ${name} of ${route.path}`);
    return String(values[name]);
  });
}

/** The request of a cell; a body goes with routes that take one. */
export const callOf = (cell: MatrixCell, body: object | undefined): Call => ({
  method: cell.route.method,
  path: pathOfCell(cell),
  hash: cell.actor.hash,
  body: Object.keys(cell.route.fields).length === 0 ? undefined : body,
});

/** A response in the words of `expected`. */
export function wordsOf({ status, reason }: WireResponse): string {
  if ([401, 403, 404].includes(status) || status === 500) return `${status} ${reason ?? 'without a reason'}`;
  return 'allowed';
}

/** A cell as a failing test names it. */
export const nameOfCell = ({ actor, route, place, user }: MatrixCell): string => {
  const whom =
    user === undefined ? '' : user.id === actor.userId ? ', self' : user.isAdmin ? ', an admin' : ', another';
  return `${actor.name}: ${nameOfRoute(route)} (${place?.name ?? 'no organisation'}${whom})`;
};
