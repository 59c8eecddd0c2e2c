import { CONTACT_GROUPS } from '@app/people/contacts/contact.types';
import { ENTITY_KINDS, type EntityKind } from '@app/records/entities/entity.types';
import { type MadeUser, makeCustomer, makeOrganisation, makeUser, nextNumber } from '../factories/factories';
import { makeContact, register } from '../factories/records';
import { suspend } from '../factories/suspensions-factories';
import { asAdmin } from '../service/client';
import type { TestService } from '../service/service';
import { letExpire } from '../service/time';
import { furnish, NO_RELATION, type Place, REGISTERED_ENTITY } from './access-world';
import { type Grantee, type GrantPerson, makeGrantee, PeopleMaker } from './grant-people';
import { type Kind, KINDS, type PersonName, type State, STATES } from './grant-table';

/** An organisation that may have given a grant, with everything that a path can name in it. */
export interface Giver extends Place {
  readonly kind: Kind;
  readonly state: State;
  readonly custadmin: MadeUser;
  readonly plain: MadeUser;
  /** A record of each kind of the register, which both teams of the grantee hold. */
  readonly entities: Readonly<Record<EntityKind, number>>;
  /** Who is asked about it. */
  readonly people: readonly GrantPerson[];
  /**
   * Addresses of contacts with every group: its own one, and one with every group but System that a grant
   * made.
   */
  readonly mailed: { readonly own: string; readonly byGrant: string | undefined };
}

export interface GrantWorld {
  readonly granteeId: number;
  readonly givers: readonly Giver[];
  readonly people: readonly GrantPerson[];
}

const FEW: readonly PersonName[] = [
  'CUSTADMIN',
  'plain user',
  'member of the team',
  'API key of CUSTADMIN',
  'API key of a member of the team',
  'service key',
];

/**
 * Whom each state meets: where nothing is in force, or only a factor counts, the others would say the same
 * again.
 */
const MET: Readonly<Record<State, (name: PersonName) => boolean>> = {
  'in force': (name) => !/passkey|authenticator|by password/.test(name),
  'giver suspended': (name) =>
    FEW.includes(name) || name === 'member of the team with the roles of all records',
  expired: (name) => FEW.includes(name) || name === 'member of the team with the roles of all records',
  'giver demands a second factor': (name) =>
    FEW.includes(name) || /passkey|authenticator|by password/.test(name),
  'grantee suspended': (name) => FEW.includes(name),
};

/** Text that only the news of this giver have. */
export const newsOf = (organisationId: number): string => `zorb-${organisationId}-news`;

/**
 * A giver for each kind of grant in each state, all to one grantee, but for those whose grantee is suspended:
 *
 *     operator ─┬─ above ── grantee        agency: manages the grantee, and invited two of its users
 *               ├─ suspended grantee
 *               └─ givers, a stranger
 */
export async function makeGrantWorld(service: TestService, asked: TestService): Promise<GrantWorld> {
  const admin = await asAdmin(service);
  const above = await makeCustomer(service);
  const grantee = await makeGrantee(service, above.organisationId);
  const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
  await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${staff.id}`;
  const maker = new PeopleMaker(service, grantee, asked);
  await maker.common();
  await maker.whoCameByGrant();
  await maker.others(above.custadmin, staff);
  await maker.withFactors();
  const suspended = await makeGrantee(service);
  const ofSuspended = new PeopleMaker(service, suspended, asked);
  await ofSuspended.common();

  await makeContact(service, { organisationId: grantee.organisationId, groups: CONTACT_GROUPS });
  for (const [id, { organisationId, subject }] of new Map(
    maker.people.map((person) => [person.subject.id, person]),
  ))
    if (subject.type === 'user')
      await makeContact(service, {
        organisationId,
        userId: id,
        groups: CONTACT_GROUPS,
        name: addressOf(id),
      });

  const givers: Giver[] = [];
  for (const state of Object.keys(STATES) as State[]) {
    for (const kind of KINDS) {
      if (kind === 'none' && state !== 'in force') continue;
      const isOfSuspended = state === 'grantee suspended';
      const { people } = isOfSuspended ? ofSuspended : maker;
      const met = people.filter(({ name }) => MET[state](name));
      givers.push(
        await makeGiver(service, { kind, state, people: met }, isOfSuspended ? suspended : grantee),
      );
    }
  }
  // One that no other path names.
  await register(
    service,
    ...ENTITY_KINDS.map((kind) => ({
      kind,
      id: REGISTERED_ENTITY,
      name: kind,
      organisationId: grantee.organisationId,
    })),
  );
  for (const { organisationId, state } of givers) {
    if (state === 'giver suspended') await suspend(admin, organisationId);
    if (state === 'expired')
      await letExpire(service, 'acls', {
        organisation_id: organisationId,
        grantee_id: grantee.organisationId,
      });
    if (state === 'giver demands a second factor')
      await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${organisationId}`;
  }
  await suspend(admin, suspended.organisationId);
  // Nobody's use of a credential is written down while the tests ask.
  for (const table of ['logins', 'api_keys', 'service_keys'])
    await service.sql(`UPDATE ${table} SET last_used_at = now() + interval '1 hour'`);
  return { givers, people: maker.people, granteeId: grantee.organisationId };
}

/** The address of a contact of a person of the grantee, with every group. */
export const addressOf = (userId: number): string => `person${userId}@grantee.example`;

async function makeGiver(
  service: TestService,
  { kind, state, people }: Pick<Giver, 'kind' | 'state' | 'people'>,
  grantee: Grantee,
): Promise<Giver> {
  const name = `${kind}, ${state}`;
  const organisationId = await makeOrganisation(service, { name });
  const user = (roles: readonly string[], username?: string): Promise<MadeUser> =>
    makeUser(service, { organisationId, roles, ...(username !== undefined && { username }) });
  const custadmin = await user(['ROLE_CUSTADMIN']);
  // In the order of ADDRESSED.
  const plain = await user([]);
  const users = [plain, { ...custadmin, isCustadmin: true }, await user([], `name${nextNumber()}`)];
  const place = await furnish(service, { name, organisationId, relation: NO_RELATION }, users);
  const groups = ['System'];
  const systemContactId = await makeContact(service, { organisationId, groups });
  const userSystemContactId = await makeContact(service, { organisationId, userId: plain.id, groups });

  const entities = Object.fromEntries(ENTITY_KINDS.map((of) => [of, 2_000_000 + nextNumber()]));
  for (const [of, id] of Object.entries(entities) as [EntityKind, number][])
    await register(service, {
      kind: of,
      id,
      name: `${of} of ${name}`,
      organisationId,
      ...(of === 'mailgroup' && { domains: [] }),
    });
  for (const teamId of [grantee.teamId, grantee.otherTeamId])
    await service.sql`INSERT INTO team_entities (team_id, kind, object_id)
      SELECT ${teamId}, kind || 's', object_id FROM entities WHERE organisation_id = ${organisationId}`;

  await give(grantee, custadmin, kind);
  const mailed = {
    own: `own${organisationId}@giver.example`,
    byGrant: kind.startsWith('manage') ? `agency${organisationId}@giver.example` : undefined,
  };
  await makeContact(service, { organisationId, name: mailed.own, groups: CONTACT_GROUPS });
  if (mailed.byGrant !== undefined && state !== 'grantee suspended')
    await grantee.custadmin.client
      .post(`/organisations/${organisationId}/contacts`, {
        type: 'email',
        name: mailed.byGrant,
        preferences: CONTACT_GROUPS.filter((group) => group !== 'System').join(),
      })
      .expect(201);
  await publish(custadmin);
  return {
    ...place,
    kind,
    state,
    custadmin,
    plain,
    people,
    mailed,
    records: {
      ...place.records,
      systemContactId,
      userSystemContactId,
      entityId: entities['system'] as number,
    },
    entities: entities as Giver['entities'],
  };
}

/** Gives the grant, and names the team, as people do. */
async function give(grantee: Grantee, { client, organisationId }: MadeUser, kind: Kind): Promise<void> {
  if (kind === 'none') return;
  const access = kind.startsWith('manage') ? 'manage' : 'read';
  const { body } = await client
    .post(`/organisations/${organisationId}/grants`, { organisation: grantee.organisationId, access })
    .expect(201);
  if (!kind.endsWith('teams')) return;
  const { id } = (body as { grant: { id: number } }).grant;
  const received = `/organisations/${grantee.organisationId}/grants/${id}/teams`;
  await grantee.custadmin.client.put(`${received}/${grantee.teamId}`).expect(204);
}

/** Groups that news of programs are in, by the text of each. */
export const POSTED = ['App', 'Crm', 'Domain', 'Finance', 'Mail', 'System'] as const;

/** News of every group as programs post them, and one that the service itself tells System. */
async function publish({ client, organisationId }: MadeUser): Promise<void> {
  for (const group of POSTED)
    await client
      .post(`/organisations/${organisationId}/notifications`, {
        type: `posted${group}`,
        group,
        params: { subject: `${newsOf(organisationId)} ${group}` },
      })
      .expect(201);
  await client
    .post(`/organisations/${organisationId}/servicekeys`, {
      name: newsOf(organisationId),
      operations: ['users.list'],
    })
    .expect(201);
}
