import { PRIVILEGES } from '@app/security/access/privileges';
import { recordsOfOrganisation, recordsOfUser } from '../factories/domain-records';
import { type MadeUser, makeGrant, makeOrganisation, makeUser, nextNumber } from '../factories/factories';
import { makeApiKey, makeServiceKey } from '../factories/key-factories';
import { passSecondFactor } from '../factories/passkey-factories';
import { makeTeam } from '../factories/records';
import type { TestService } from '../service/service';

/** How an organisation relates to a caller's. */
export interface Relation {
  readonly own: boolean;
  readonly beneath: boolean;
  /** What it gave; a grant to manage for the members of one team and the CUSTADMINs. */
  readonly grant: 'read' | 'manage' | undefined;
}

export const NO_RELATION: Relation = { own: false, beneath: false, grant: undefined };

/** An organisation to address, with everything that a path can name in it. */
export interface Place {
  readonly name: string;
  readonly organisationId: number;
  /** Deleted or never made: 404 for everybody with a credential. */
  readonly exists: boolean;
  /** To the customer that the actors come from; to the operator everything but itself lies beneath. */
  readonly relation: Relation;
  readonly users: readonly PlaceUser[];
  /** Path parameters of records of the organisation. */
  readonly records: Readonly<Record<string, number>>;
}

/** A user to address, with everything that a path can name below it. */
export interface PlaceUser {
  readonly id: number;
  readonly isAdmin: boolean;
  readonly isCustadmin: boolean;
  /** An actor of the tests, which is addressed by itself and by its credentials only. */
  readonly isActor: boolean;
  /** Path parameters of records of the user. */
  readonly records: Readonly<Record<string, number>>;
}

/** Whoever sends a request. */
export interface Actor {
  readonly name: string;
  readonly hash: string | undefined;
  readonly credential: 'unusable' | 'refused address' | 'usable';
  readonly withKey: boolean;
  /** The actor uses a read-only API key. */
  readonly isReadOnly?: boolean;
  /** It is a service key, of every operation or of none that matters here. */
  readonly serviceKey?: {
    readonly operations: 'all' | 'none';
    readonly beneath: boolean;
    /** It names what no group of operations has. */
    readonly namesThem: boolean;
  };
  readonly roles: readonly string[];
  readonly userId: number;
  readonly home: 'customer' | 'operator';
  /** A member of the team whose members use the grant to manage. */
  readonly isInTeam?: boolean;
}

/** A user whose credentials actors carry. */
type Person = MadeUser & { readonly roles: readonly string[]; readonly place: Actor['home'] };

/** Everything that the matrix of access is tried on. */
export interface AccessWorld {
  readonly places: readonly Place[];
  readonly actors: readonly Actor[];
}

/** An id that no row of a test has. */
export const MISSING = 999_999;

/** Id of an entity of each kind in the register. */
export const REGISTERED_ENTITY = 18;

const NOBODY: Omit<Actor, 'name'> = {
  hash: undefined,
  credential: 'unusable',
  withKey: false,
  roles: [],
  userId: 0,
  home: 'customer',
};

/** Everything that a path can name in an organisation and below its users. */
export async function furnish(
  service: TestService,
  place: Pick<Place, 'name' | 'organisationId' | 'relation'>,
  users: readonly (MadeUser & { isAdmin?: boolean; isCustadmin?: boolean; isActor?: boolean })[],
): Promise<Place> {
  const { organisationId } = place;
  const userIds = users.map(({ id }) => id);
  const records = await recordsOfOrganisation(service, { organisationId, userIds });
  const furnished: PlaceUser[] = [];
  for (const user of users) {
    furnished.push({
      id: user.id,
      isAdmin: user.isAdmin ?? false,
      isCustadmin: user.isCustadmin ?? false,
      isActor: user.isActor ?? false,
      records: await recordsOfUser(service, { organisationId, userId: user.id }),
    });
    // Who has a passkey deletes it with a login that has passed it.
    if (user.isActor) await passSecondFactor(service, user.id);
  }
  return { ...place, exists: true, users: furnished, records };
}

/**
 * A customer H with actors of every kind, everything that H can be related to, and the operator's own people:
 *
 *     operator ── above ─┬─ H ─┬─ by parent, beneath it (reseller only) deep
 *                        │     └─ by reseller (parent: the operator)
 *                        └─ sibling        granted, unrelated, deleted: children of the operator
 */
export async function makeAccessWorld(service: TestService): Promise<AccessWorld> {
  const organisation = (options: { parentId?: number; resellerId?: number } = {}) =>
    makeOrganisation(service, options);
  const above = await organisation();
  const home = await organisation({ parentId: above });
  const byParent = await organisation({ parentId: home });
  const granted = await organisation();
  const managed = await organisation();
  const others: [string, number, Partial<Relation>][] = [
    ['beneath by parent', byParent, { beneath: true }],
    ['beneath by reseller', await organisation({ resellerId: home }), { beneath: true }],
    ['two levels beneath, mixed', await organisation({ resellerId: byParent }), { beneath: true }],
    ['above', above, {}],
    ['sibling', await organisation({ parentId: above }), {}],
    ['granted', granted, { grant: 'read' }],
    ['managed', managed, { grant: 'manage' }],
    ['unrelated', await organisation(), {}],
  ];
  await makeGrant(service, granted, home);
  await service.sql`INSERT INTO entities (kind, object_id, organisation_id, name, domains)
     SELECT kind, ${REGISTERED_ENTITY}, ${home}, 'entity', CASE kind WHEN 'mailgroup' THEN '[]'::jsonb END
     FROM unnest(ARRAY['app', 'domain', 'mailgroup', 'system']) kind`;

  const people = new Map<string, Person>();
  for (const [name, place, roles] of [
    ['plain user', 'customer', []],
    ['ROLE_FINANCE', 'customer', ['ROLE_FINANCE']],
    ['CUSTADMIN', 'customer', ['ROLE_CUSTADMIN']],
    ['plain operator user', 'operator', []],
    ['operator CUSTADMIN', 'operator', ['ROLE_CUSTADMIN']],
    ['admin', 'operator', ['ROLE_ADMIN']],
  ] as const) {
    const made = await makeUser(service, { organisationId: place === 'customer' ? home : 1, roles });
    people.set(name, { ...made, roles, place });
  }
  const staffOf = (place: Actor['home']) =>
    [...people.values()]
      .filter((person) => person.place === place)
      .map((user) => ({
        ...user,
        isActor: true,
        isAdmin: user.roles.includes('ROLE_ADMIN'),
        isCustadmin: user.roles.includes('ROLE_CUSTADMIN'),
      }));
  const grantId = await makeGrant(service, managed, home, { access: 'manage' });
  const teamId = await makeTeam(service, home, { userIds: [people.get('plain user')?.id as number] });
  await service.sql`INSERT INTO acl_teams (acl_id, team_id) VALUES (${grantId}, ${teamId})`;

  const places = [
    await furnish(service, { name: 'own', organisationId: home, relation: { ...NO_RELATION, own: true } }, [
      await makeUser(service, { organisationId: home }),
      ...staffOf('customer'),
    ]),
    await furnish(service, { name: 'operator', organisationId: 1, relation: NO_RELATION }, [
      await makeUser(service, { organisationId: 1 }),
      { ...(await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] })), isAdmin: true },
      ...staffOf('operator'),
    ]),
  ];
  for (const [name, organisationId, relation] of others) {
    const user = await makeUser(service, { organisationId });
    places.push(
      await furnish(service, { name, organisationId, relation: { ...NO_RELATION, ...relation } }, [
        user,
        ...(relation.grant === 'manage'
          ? [
              {
                ...(await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] })),
                isCustadmin: true,
              },
            ]
          : []),
      ]),
    );
  }
  places.push(await makeDeletedPlace(service));
  places.push({
    ...(places[0] as Place),
    name: 'missing',
    organisationId: MISSING,
    exists: false,
    relation: NO_RELATION,
  });
  // Nobody's use of a credential is written down while the tests compare what is stored.
  const actors = await makeActors(service, people, home);
  for (const table of ['logins', 'api_keys', 'service_keys'])
    await service.sql(`UPDATE ${table} SET last_used_at = now() + interval '1 hour'`);
  return { places, actors };
}

async function makeDeletedPlace(service: TestService): Promise<Place> {
  const organisationId = await makeOrganisation(service);
  const user = await makeUser(service, { organisationId, enabled: false });
  const place = await furnish(service, { name: 'deleted', organisationId, relation: NO_RELATION }, [user]);
  await service.sql`UPDATE organisations SET deleted_at = now() WHERE id = ${organisationId}`;
  return { ...place, exists: false };
}

async function makeActors(
  service: TestService,
  people: ReadonlyMap<string, Person>,
  home: number,
): Promise<Actor[]> {
  const actors: Actor[] = [];
  const usable = { credential: 'usable', withKey: false } as const;
  for (const [name, { client, roles, id, place }] of people) {
    const isInTeam = name === 'plain user';
    actors.push({ ...usable, name, hash: client.hash, roles, userId: id, home: place, isInTeam });
  }
  for (const name of ['plain user', 'CUSTADMIN', 'admin']) {
    const { id, roles, place } = people.get(name) as Person;
    const key = await makeApiKey(service, id);
    const refused = await makeApiKey(service, id, { whitelist: ['192.0.2.1', '2001:db8::/32'] });
    const reading = await makeApiKey(service, id, { readOnly: true });
    const common = { withKey: true, roles, userId: id, home: place, isInTeam: name === 'plain user' };
    const readOnly = { hash: reading.client.hash, credential: 'usable', isReadOnly: true } as const;
    actors.push(
      { ...common, name: `API key of ${name}`, hash: key.client.hash, credential: 'usable' },
      { ...common, name: `read-only key of ${name}`, ...readOnly },
      { ...common, name: `refused key of ${name}`, hash: refused.client.hash, credential: 'refused address' },
    );
  }
  const all = [...new Set(Object.keys(PRIVILEGES).map((operation) => `${operation.split('.')[0]}.*`))];
  const byName = Object.entries(PRIVILEGES).flatMap(([operation, { serviceKeys }]) =>
    serviceKeys === 'byName' ? [operation] : [],
  );
  for (const [name, place, operations, beneath] of [
    ['service key', 'customer', 'all', true],
    ['service key without beneath', 'customer', 'all', false],
    ['service key without the operation', 'customer', 'none', true],
    ['service key that an admin made', 'operator', 'all', false],
  ] as const) {
    const asAdmin = place === 'operator';
    const key = await makeServiceKey(service, asAdmin ? 1 : home, {
      operations: operations === 'all' ? [...all, ...(asAdmin ? byName : [])] : ['session.whoami'],
      whitelist: asAdmin ? ['127.0.0.1', '::1'] : [],
      beneath,
      asAdmin,
    });
    actors.push({
      name,
      hash: key.client.hash,
      credential: 'usable',
      withKey: true,
      userId: 0,
      home: place,
      roles: [asAdmin ? 'ROLE_ADMIN' : 'ROLE_CUSTADMIN'],
      serviceKey: { operations, beneath, namesThem: asAdmin },
    });
  }
  const unusable = async (name: string, spoil: string): Promise<Actor> => {
    const { id, client } = await makeUser(service, { organisationId: home, roles: ['ROLE_CUSTADMIN'] });
    await service.sql(spoil, [id]);
    return { ...NOBODY, name, hash: client.hash, userId: id };
  };
  const expired = await makeApiKey(service, (people.get('admin') as MadeUser).id, { expiresIn: '-1 second' });
  actors.push(
    { ...NOBODY, name: 'no credential' },
    { ...NOBODY, name: 'wrong credential', hash: `wrong${nextNumber()}` },
    { ...NOBODY, name: 'expired API key of admin', hash: expired.client.hash },
    await unusable('revoked login', `DELETE FROM logins WHERE user_id = $1`),
    await unusable('expired login', `UPDATE logins SET expires_at = now() WHERE user_id = $1`),
    await unusable('disabled user', `UPDATE users SET enabled = false WHERE id = $1`),
    await unusable('deleted user', `UPDATE users SET deleted_at = now() WHERE id = $1`),
  );
  return actors;
}
