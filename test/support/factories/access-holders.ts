import type { Access, Holder } from '../service/access-lists';
import type { TestService } from '../service/service';
import { letExpire } from '../service/time';
import { type MadeUser, makeGrant, makeOrganisation, makeUser } from './factories';
import { makeServiceKey, type ServiceKeyOptions } from './key-factories';
import { storePasskey } from './passkey-factories';
import { makeTeam } from './records';

/** A user or service key, how it is related to the organisation, and what it may do there by docs/rules. */
export interface PlantedHolder extends Holder {
  readonly who: string;
  readonly expected: Access;
}

/** An organisation with somebody for every way to it. */
export interface HeldOrganisation {
  readonly organisationId: number;
  readonly custadmin: MadeUser;
  readonly reseller: MadeUser;
  readonly holders: readonly PlantedHolder[];
  /** Organisations to suspend, so that their users lose what they have. */
  readonly suspended: readonly number[];
}

interface OrganisationState {
  /** Demands a second factor of those who manage it by a grant. */
  readonly demands: boolean;
  /** Will be suspended, alone. */
  readonly isSuspended: boolean;
}

/** Which users a grant is for. `former`: it had a team, which is gone. */
type ForTeams = 'all' | 'named' | 'former';
type GrantState = 'in force' | 'expired' | 'grantee suspended';

interface GrantKind {
  readonly access: 'read' | 'manage';
  readonly teams: ForTeams;
  readonly state: GrantState;
}

const ACCESSES = ['read', 'manage'] as const;
const TEAMS = ['all', 'named', 'former'] as const;
const GRANTS: readonly GrantKind[] = ACCESSES.flatMap((access) => [
  ...TEAMS.map((teams): GrantKind => ({ access, teams, state: 'in force' })),
  { access, teams: 'named', state: 'expired' },
  { access, teams: 'named', state: 'grantee suspended' },
]);

interface Person {
  readonly name: string;
  readonly isCustadmin?: boolean;
  readonly isMember?: boolean;
  readonly isDisabled?: boolean;
  readonly factor?: 'authenticator' | 'passkey';
}

const GRANTEES: readonly Person[] = [
  { name: 'CUSTADMIN', isCustadmin: true },
  { name: 'CUSTADMIN with authenticator', isCustadmin: true, factor: 'authenticator' },
  { name: 'disabled CUSTADMIN', isCustadmin: true, isDisabled: true },
  { name: 'member', isMember: true },
  { name: 'member with passkey', isMember: true, factor: 'passkey' },
  { name: 'disabled member', isMember: true, isDisabled: true },
  { name: 'other user', factor: 'authenticator' },
];

/** What a person of the grantee may do on the giver: rule grants 114, rule grants 120, rule grants 122. */
function expectedByGrant(
  { access, teams, state }: GrantKind,
  person: Person,
  giver: OrganisationState,
): Access {
  const isUsed =
    person.isCustadmin === true ||
    (person.isMember === true && teams === 'named') ||
    (access === 'read' && teams === 'all');
  if (state !== 'in force' || giver.isSuspended || person.isDisabled === true || !isUsed) return 'none';
  if (access === 'read') return 'read';
  return giver.demands && person.factor === undefined ? 'none' : 'manage';
}

/** Plants the users and keys of one organisation after another. */
class Planting {
  readonly holders: PlantedHolder[] = [];

  constructor(private readonly service: TestService) {}

  async user(who: string, organisationId: number, person: Person, expected: Access): Promise<MadeUser> {
    const { service } = this;
    const roles = person.isCustadmin === true ? ['ROLE_CUSTADMIN'] : [];
    const user = await makeUser(service, { organisationId, roles, enabled: person.isDisabled !== true });
    if (person.factor === 'authenticator')
      await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${user.id}`;
    if (person.factor === 'passkey') {
      const passkeyId = await storePasskey(service, user.id, 'Telephone');
      await service.sql`UPDATE logins SET passkey_id = ${passkeyId} WHERE user_id = ${user.id}`;
    }
    const { id, client } = user;
    this.holders.push({ kind: 'user', id, organisationId, client, who: `${person.name} ${who}`, expected });
    return user;
  }

  /** Returns the CUSTADMIN. */
  async staff(who: string, organisationId: number, manager: Access, other: Access): Promise<MadeUser> {
    await this.user(who, organisationId, { name: 'user' }, other);
    await this.user(who, organisationId, { name: 'disabled', isCustadmin: true, isDisabled: true }, 'none');
    return this.user(who, organisationId, { name: 'CUSTADMIN', isCustadmin: true }, manager);
  }

  async key(
    who: string,
    organisationId: number,
    options: ServiceKeyOptions,
    expected: Access,
  ): Promise<void> {
    const { id, client } = await makeServiceKey(this.service, organisationId, options);
    this.holders.push({
      kind: 'serviceKey',
      id,
      organisationId,
      client,
      who: `service key ${who}`,
      expected,
    });
  }
}

const MANAGING = { operations: ['organisations.*'] };

/**
 * An organisation under a parent and resellers, with grants of all kinds. Suspend what it returns for that.
 */
export async function makeHeldOrganisation(
  service: TestService,
  state: OrganisationState,
): Promise<HeldOrganisation> {
  const planting = new Planting(service);
  const { holders } = planting;
  const top = await makeOrganisation(service);
  const reseller = await makeOrganisation(service, { resellerId: top });
  const parent = await makeOrganisation(service);
  const organisationId = await makeOrganisation(service, {
    parentId: parent,
    resellerId: reseller,
    required2fa: state.demands,
  });
  const own = (access: Access): Access => (state.isSuspended ? 'none' : access);
  const custadmin = await planting.staff('of its own', organisationId, own('manage'), own('read'));
  const manager = await planting.staff('of its reseller', reseller, 'manage', 'none');
  await planting.staff('of its parent', parent, 'manage', 'none');
  await planting.staff("of its reseller's reseller", top, 'manage', 'none');
  await planting.staff('of a stranger', await makeOrganisation(service), 'none', 'none');

  await planting.key('of its own', organisationId, MANAGING, own('manage'));
  await planting.key('that reads', organisationId, {}, own('read'));
  await planting.key('with a list alone', organisationId, { operations: ['contacts.list'] }, 'none');
  await planting.key('that has ended', organisationId, { ...MANAGING, expiresIn: '-1 day' }, 'none');
  for (const [name, above] of Object.entries({ reseller, parent, top })) {
    await planting.key(`of ${name} with beneath`, above, { ...MANAGING, beneath: true }, 'manage');
    await planting.key(`of ${name} that reads beneath`, above, { beneath: true }, 'read');
    await planting.key(`of ${name}`, above, MANAGING, 'none');
  }
  await planting.key('of the operator', 1, { ...MANAGING, asAdmin: true }, 'manage');

  const suspended = state.isSuspended ? [organisationId] : [];
  for (const kind of GRANTS) {
    const grantee = await makeOrganisation(service);
    const who = `by a grant: ${kind.access}, ${kind.teams}, ${kind.state}`;
    const members: number[] = [];
    for (const person of GRANTEES) {
      const { id } = await planting.user(who, grantee, person, expectedByGrant(kind, person, state));
      if (person.isMember === true) members.push(id);
    }
    await planting.key(who, grantee, { ...MANAGING, beneath: true }, 'none');
    const grantId = await makeGrant(service, organisationId, grantee, { access: kind.access });
    const teamId = await makeTeam(service, grantee, { userIds: members });
    if (kind.teams !== 'all')
      await service.sql`INSERT INTO acl_teams (acl_id, team_id) VALUES (${grantId}, ${teamId})`;
    if (kind.teams === 'former') await service.sql`DELETE FROM acl_teams WHERE acl_id = ${grantId}`;
    if (kind.state === 'expired') await letExpire(service, 'acls', { id: grantId });
    if (kind.state === 'grantee suspended') suspended.push(grantee);
  }
  return { organisationId, custadmin, reseller: manager, holders, suspended };
}
