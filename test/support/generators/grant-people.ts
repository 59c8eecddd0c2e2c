import { totpAt } from '@app/people/users/totp';
import { PRIVILEGES } from '@app/security/access/privileges';
import {
  clientOf,
  type MadeUser,
  makeCustomer,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../factories/factories';
import { queuedMails } from '../factories/invitations-factories';
import { makeServiceKey, newPublicKey } from '../factories/key-factories';
import { makePasskey } from '../factories/passkey-factories';
import { makeTeam } from '../factories/records';
import { makeSupportLogin } from '../factories/support-factories';
import { showSecret } from '../factories/two-factor-factories';
import { anonymous, ApiClient } from '../service/client';
import type { TestService } from '../service/service';
import { PEOPLE, type PersonName, type PersonRow } from './grant-table';

/** Somebody who asks, with one credential. */
export interface GrantPerson {
  readonly name: PersonName;
  readonly row: PersonRow;
  readonly client: ApiClient;
  /** The organisation that it comes from. */
  readonly organisationId: number;
  /** The user, of an API key too, or the service key. */
  readonly subject: { readonly type: 'user' | 'service_key'; readonly id: number };
}

/** An organisation that receives grants. `team` is the one that its managers name on grants for teams. */
export interface Grantee {
  readonly organisationId: number;
  readonly custadmin: MadeUser;
  readonly plain: MadeUser;
  readonly teamId: number;
  readonly otherTeamId: number;
}

const ALL_ROLES = ['ROLE_APP', 'ROLE_DOMAIN', 'ROLE_MAIL', 'ROLE_SYSTEM'];

export async function makeGrantee(service: TestService, parentId = 1): Promise<Grantee> {
  const customer = await makeCustomer(service, { parentId });
  const teamId = await makeTeam(service, customer.organisationId, {});
  const otherTeamId = await makeTeam(service, customer.organisationId, {});
  await service.sql`UPDATE teams SET auto_add_sshkey = true WHERE organisation_id = ${customer.organisationId}`;
  return { ...customer, teamId, otherTeamId };
}

/** Makes people of one grantee, through Variant A, whose routes a second factor and keys need. */
export class PeopleMaker {
  readonly people: GrantPerson[] = [];

  constructor(
    private readonly service: TestService,
    private readonly grantee: Grantee,
    /** The service that is asked: of another variant on the same database, or the same one. */
    private readonly asked: Pick<TestService, 'url'>,
  ) {}

  add(name: PersonName, { id, organisationId, client }: Omit<MadeUser, 'username'>): void {
    const subject = { type: 'user', id } as const;
    this.people.push({ name, row: PEOPLE[name], organisationId, subject, client: this.asks(client.hash) });
  }

  private asks(hash: string | undefined): ApiClient {
    return new ApiClient(this.asked.url, hash);
  }

  /** A user of the grantee, in a team or in none. */
  async user(roles: readonly string[], teamId?: number): Promise<MadeUser> {
    const user = await makeUser(this.service, { organisationId: this.grantee.organisationId, roles });
    if (teamId !== undefined)
      await this.service.sql`INSERT INTO team_members (team_id, user_id) VALUES (${teamId}, ${user.id})`;
    return user;
  }

  /** The few whom every state meets. */
  async common(): Promise<void> {
    const { custadmin, plain, teamId } = this.grantee;
    this.add('CUSTADMIN', custadmin);
    this.add('plain user', plain);
    const member = await this.user([], teamId);
    await keepSshKey(member);
    this.add('member of the team', member);
    this.add('API key of CUSTADMIN', await keyOf(this.service, custadmin));
    this.add('API key of a member of the team', await keyOf(this.service, member));
    const { id, client } = await makeServiceKey(this.service, this.grantee.organisationId, {
      operations: [...new Set(Object.keys(PRIVILEGES).map((operation) => `${operation.split('.')[0]}.*`))],
      beneath: true,
    });
    const name = 'service key';
    const { organisationId } = this.grantee;
    const subject = { type: 'service_key', id } as const;
    this.people.push({ name, row: PEOPLE[name], organisationId, subject, client: this.asks(client.hash) });
  }

  async others(above: MadeUser, staff: MadeUser): Promise<void> {
    const { custadmin, organisationId, otherTeamId, teamId } = this.grantee;
    const withRoles = 'member of the team with the roles of all records';
    const another = 'member of another team with the roles of all records';
    for (const [name, team] of [[withRoles, teamId] as const, [another, otherTeamId] as const]) {
      const member = await this.user(ALL_ROLES, team);
      await keepSshKey(member);
      this.add(name, member);
    }
    await this.service
      .sql`INSERT INTO support_access (organisation_id, access) VALUES (${organisationId}, 'write')`;
    const support = await makeSupportLogin(this.service, custadmin.id, staff.id, { write: true });
    this.add('support login of CUSTADMIN', { ...custadmin, client: support });
    this.add('CUSTADMIN of a stranger', (await makeCustomer(this.service)).custadmin);
    this.add('CUSTADMIN above the grantee', above);
  }

  /**
   * Two users whom an agency of the grantee invited; a CUSTADMIN of the grantee adds one to the team
   * afterwards.
   */
  async whoCameByGrant(): Promise<void> {
    const { custadmin, organisationId, teamId } = this.grantee;
    const agency = await makeCustomer(this.service);
    const of = `/organisations/${organisationId}`;
    await custadmin.client
      .post(`${of}/grants`, { organisation: agency.organisationId, access: 'manage' })
      .expect(201);
    const came = async (autoTeams: string): Promise<MadeUser> => {
      const email = `came${nextNumber()}@agency.example`;
      const invited = { email, firstName: 'Jan', lastName: 'Peeters', autoTeams };
      const { body } = await agency.custadmin.client.post(`${of}/invitations`, invited).expect(201);
      const { id: inviationId } = (body as { invitation: { id: number } }).invitation;
      const [mail] = await queuedMails(this.service, email);
      const token = mail?.values['link']?.split('/').at(-1) ?? '';
      const registration = { email, organisationId, inviationId, password: PASSWORD };
      await anonymous(this.service).post(`/registerInvitation/${token}`, registration).expect(201);
      const [row] = await this.service.sql<{ id: number }>`SELECT id FROM users WHERE username = ${email}`;
      const id = row?.id as number;
      return { id, organisationId, username: email, client: await clientOf(this.service, id) };
    };
    const user = await came(String(teamId));
    await keepSshKey(user);
    this.add('member of the team who came by a grant', user);
    const added = await came('');
    await custadmin.client.put(`${of}/teams/${teamId}/users/${added.id}`).expect(204);
    await keepSshKey(added);
    this.add('member of the team who came by a grant, and was added by a CUSTADMIN since', added);
  }

  /**
   * Who has a second factor: each with a login, an API key and an SSH key that were made with it, or without
   * it.
   */
  async withFactors(): Promise<void> {
    const { teamId } = this.grantee;
    const custadmin = (): Promise<MadeUser> => this.user(['ROLE_CUSTADMIN']);
    const member = (): Promise<MadeUser> => this.user([], teamId);
    const byPassword = await custadmin();
    await makePasskey(this.service, byPassword);
    this.add('CUSTADMIN with a passkey, by password', byPassword);
    this.add('API key made by password', await keyOf(this.service, byPassword));
    const byPasskey = await withPasskey(this.service, await custadmin());
    this.add('CUSTADMIN by passkey', byPasskey);
    this.add('API key made by passkey', await keyOf(this.service, byPasskey));
    const byCode = await withAuthenticator(this.service, await custadmin());
    this.add('CUSTADMIN with an authenticator', byCode);
    this.add('API key made with an authenticator', await keyOf(this.service, byCode));
    const formerly = await withPasskey(this.service, await custadmin());
    this.add('API key made by passkey, which is gone', await keyOf(this.service, formerly));
    await this.service.sql`DELETE FROM passkeys WHERE user_id = ${formerly.id}`;

    const owner = await member();
    await makePasskey(this.service, owner);
    const passed = await withPasskey(this.service, await member());
    const coded = await withAuthenticator(this.service, await member());
    for (const user of [owner, passed, coded]) await keepSshKey(user);
    this.add('member of the team with a passkey, by password', owner);
    this.add('member of the team by passkey', passed);
    this.add('member of the team with an authenticator', coded);
  }
}

const pathOf = ({ organisationId, id }: Pick<MadeUser, 'organisationId' | 'id'>): string =>
  `/organisations/${organisationId}/users/${id}`;

/** Stores an SSH key with the login of the user. */
const keepSshKey = (user: MadeUser): Promise<unknown> =>
  user.client.post(`${pathOf(user)}/sshkeys`, { content: newPublicKey() }).expect(201);

/** The user with an API key that its login made. */
async function keyOf(service: TestService, user: MadeUser): Promise<MadeUser> {
  const { body } = await user.client
    .post(`${pathOf(user)}/apikeys`, { name: `Key ${nextNumber()}`, whitelist: [] })
    .expect(200);
  const { hash } = (body as { apiKey: { hash: string } }).apiKey;
  return { ...user, client: new ApiClient(service.url, hash) };
}

/** The user with a login by a passkey of its own. */
async function withPasskey(service: TestService, user: MadeUser): Promise<MadeUser> {
  const page = await makePasskey(service, user);
  const { body, status, text } = await page.logIn();
  if (status !== 200) throw new Error(`${status} ${text}`);
  return { ...user, client: new ApiClient(service.url, (body as { hash: string }).hash) };
}

/** The user with an enabled authenticator, and the login that came with it. */
async function withAuthenticator(service: TestService, user: MadeUser): Promise<MadeUser> {
  const { username } = user;
  const secret = await showSecret(service, username);
  const code = totpAt(secret, new Date());
  const { body } = await anonymous(service)
    .post('/activate2fa', { username, password: PASSWORD, '6digitCode': code })
    .expect(200);
  return { ...user, client: new ApiClient(service.url, (body as { hash: string }).hash) };
}
