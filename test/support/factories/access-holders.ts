import type { Holder } from '../service/access-lists';
import type { TestService } from '../service/service';
import { letExpire } from '../service/time';
import { type MadeUser, makeGrant, makeOrganisation, makeUser } from './factories';
import { makeServiceKey, type ServiceKeyOptions } from './key-factories';
import { storePasskey } from './passkey-factories';
import { makeTeam } from './records';

/** An organisation with somebody for every way to it. */
export interface HeldOrganisation {
  readonly organisationId: number;
  readonly custadmin: MadeUser;
  readonly reseller: MadeUser;
  readonly holders: readonly Holder[];
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
  readonly isCustadmin?: boolean;
  readonly isMember?: boolean;
  readonly isDisabled?: boolean;
  readonly factor?: 'authenticator' | 'passkey';
}

const GRANTEES: readonly Person[] = [
  { isCustadmin: true },
  { isCustadmin: true, factor: 'authenticator' },
  { isCustadmin: true, isDisabled: true },
  { isMember: true },
  { isMember: true, factor: 'passkey' },
  { isMember: true, isDisabled: true },
  { factor: 'authenticator' },
];

/** Plants the users and keys of one organisation after another. */
class Planting {
  readonly holders: Holder[] = [];

  constructor(private readonly service: TestService) {}

  async user(organisationId: number, person: Person): Promise<MadeUser> {
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
    this.holders.push({ kind: 'user', id, organisationId, client });
    return user;
  }

  /** Returns the CUSTADMIN. */
  async staff(organisationId: number): Promise<MadeUser> {
    await this.user(organisationId, {});
    await this.user(organisationId, { isCustadmin: true, isDisabled: true });
    return this.user(organisationId, { isCustadmin: true });
  }

  async key(organisationId: number, options: ServiceKeyOptions): Promise<void> {
    const { id, client } = await makeServiceKey(this.service, organisationId, options);
    this.holders.push({ kind: 'serviceKey', id, organisationId, client });
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
  const custadmin = await planting.staff(organisationId);
  const manager = await planting.staff(reseller);
  await planting.staff(parent);
  await planting.staff(top);
  await planting.staff(await makeOrganisation(service));

  await planting.key(organisationId, MANAGING);
  await planting.key(organisationId, {});
  await planting.key(organisationId, { operations: ['contacts.list'] });
  await planting.key(organisationId, { ...MANAGING, expiresIn: '-1 day' });
  for (const above of [reseller, parent, top]) {
    await planting.key(above, { ...MANAGING, beneath: true });
    await planting.key(above, { beneath: true });
    await planting.key(above, MANAGING);
  }
  await planting.key(1, { ...MANAGING, asAdmin: true });

  const suspended = state.isSuspended ? [organisationId] : [];
  for (const kind of GRANTS) {
    const grantee = await makeOrganisation(service);
    const members: number[] = [];
    for (const person of GRANTEES) {
      const { id } = await planting.user(grantee, person);
      if (person.isMember === true) members.push(id);
    }
    await planting.key(grantee, { ...MANAGING, beneath: true });
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
