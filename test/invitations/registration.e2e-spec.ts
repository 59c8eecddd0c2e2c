import request from 'supertest';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import {
  type Customer,
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import {
  type InvitationOptions,
  type MadeInvitation,
  makeInvitation,
  registrationOf,
} from '../support/factories/invitations-factories';
import { makeTeam } from '../support/factories/records';
import { anonymous, failingFields, loggedIn } from '../support/service/client';
import { describeService, useService } from '../support/service/service';

interface RegisteredUser {
  id: number;
  roles: string[];
  teams: { id: number }[];
}

/** Whether an invitation may name teams that its user will be in. */
const TAKES_TEAMS: PerVariant<boolean> = { A: true, B: false };

describeService(VARIANTS, 'POST /registerInvitation in Variant %s', (service, variant) => {
  let customer: Customer;
  beforeEach(async () => {
    customer = await makeCustomer(service);
  });

  const make = (options: Partial<InvitationOptions> = {}): Promise<MadeInvitation> =>
    makeInvitation(service, {
      organisationId: customer.organisationId,
      inviterId: customer.custadmin.id,
      ...options,
    });
  const register = (invitation: MadeInvitation, changed: object = {}) =>
    anonymous(service).post(`/registerInvitation/${invitation.token}`, {
      ...registrationOf(invitation, PASSWORD),
      ...changed,
    });
  const registered = async (invitation: MadeInvitation): Promise<RegisteredUser> => {
    const response = await register(invitation).expect(201);
    return (response.body as { user: RegisteredUser }).user;
  };
  const usersNamed = (username: string) =>
    service.sql`SELECT id FROM users WHERE lower(username) = lower(${username}) AND deleted_at IS NULL`;
  const isOpen = async (invitation: MadeInvitation): Promise<boolean> => {
    const [row] = await service.sql<{ open: boolean }>(
      `SELECT accepted_at IS NULL AND deleted_at IS NULL AS open FROM invitations WHERE id = $1`,
      [invitation.id],
    );
    return row?.open ?? false;
  };

  it('creates the user with roles, teams, first contact and notification', async () => {
    const team = TAKES_TEAMS[variant] ? await makeTeam(service, customer.organisationId) : undefined;
    const invitation = await make({
      firstName: 'Anna',
      lastName: 'Smit',
      language: 'fr',
      autoRoles: ['ROLE_CUSTADMIN', 'ROLE_MAIL'],
      autoTeams: team === undefined ? [] : [team],
    });
    const response = await register(invitation, { email: invitation.email.toUpperCase() }).expect(201);
    const { user } = response.body as { user: RegisteredUser };
    expect(user).toMatchObject({
      username: invitation.email,
      roles: ['ROLE_CUSTADMIN', 'ROLE_MAIL'],
      language: 'fr',
      teams: team === undefined ? [] : [{ id: team }],
    });
    const contacts = await service.sql`SELECT type, name FROM contacts WHERE user_id = ${user.id}`;
    expect(contacts).toEqual([{ type: 'email', name: invitation.email }]);
    const notifications = await service.sql(
      `SELECT notification_group, type, entity_class, entity_id, user_id FROM notifications WHERE organisation_id = $1`,
      [customer.organisationId],
    );
    expect(notifications).toEqual([
      { notification_group: 'Crm', type: 'new', entity_class: 'User', entity_id: user.id, user_id: user.id },
    ]);
  });

  it('understands both spellings of the invitation id, as number or text, and needs one', async () => {
    for (const spelling of ['inviationId', 'invitationId']) {
      const invitation = await make();
      const changed = { inviationId: undefined, [spelling]: String(invitation.id) };
      await register(invitation, changed).expect(201);
    }
    const invitation = await make();
    const missing = await register(invitation, { inviationId: '' }).expect(400);
    expect(missing.body).toMatchObject({
      errors: { children: { inviationId: { errors: [expect.any(String)] } } },
    });
    await register(invitation, { invitationId: invitation.id + 1 }).expect(400);
    expect(await isOpen(invitation)).toBe(true);
  });

  it('answers 400 for a body that does not match the invitation', async () => {
    const invitation = await make();
    const other = await make();
    for (const changed of [
      { email: other.email },
      { organisationId: 1 },
      { inviationId: other.id },
      { email: 'no address' },
      { organisationId: 'x' },
      { password: null },
    ]) {
      await register(invitation, changed).expect(400);
    }
    expect(await usersNamed(invitation.email)).toEqual([]);
    expect(await isOpen(invitation)).toBe(true);
  });

  it('answers 400 for an expired invitation, also one that a newer took the place of', async () => {
    const expired = await make({ validFor: '-1 second' });
    await register(expired).expect(400);
    const path = `/organisations/${customer.organisationId}/invitations`;
    await customer.custadmin.client
      .post(path, { email: expired.email, firstName: 'A', lastName: 'B' })
      .expect(201);
    await register(expired).expect(400);
    expect(await usersNamed(expired.email)).toEqual([]);
  });

  it('lets of two organisations that invite one address the first win; the other invitation stays open', async () => {
    const first = await make();
    const other = await makeCustomer(service);
    const second = await makeInvitation(service, {
      organisationId: other.organisationId,
      inviterId: other.custadmin.id,
      email: first.email.toUpperCase(),
    });
    await register(first).expect(201);
    const refused = await register(second).expect(400);
    expect(failingFields(refused)).toEqual(['email']);
    expect(await isOpen(second)).toBe(true);
    expect(await usersNamed(first.email)).toHaveLength(1);
  });

  it('adds a user to an organisation that requires 2FA; login then demands it', async () => {
    const { organisationId, custadmin } = await makeCustomer(service, { required2fa: true });
    const invitation = await make({ organisationId, inviterId: custadmin.id });
    await register(invitation).expect(201);
    const login = await anonymous(service)
      .post('/login', { username: invitation.email, password: PASSWORD })
      .expect(401);
    expect(login.body).toMatchObject({ message: '2FA is required' });
  });

  describe('roles', () => {
    const autoRoles = ['ROLE_CUSTADMIN', 'ROLE_APP'];

    it.each([
      ['was disabled', `UPDATE users SET enabled = false WHERE id = $1`],
      ['was deleted', `UPDATE users SET deleted_at = now() WHERE id = $1`],
      ['is no manager any more', `UPDATE users SET roles = '{ROLE_FINANCE}' WHERE id = $1`],
    ])('are left out when the inviter %s', async (_, change) => {
      const invitation = await make({ autoRoles });
      await service.sql(change, [customer.custadmin.id]);
      expect((await registered(invitation)).roles).toEqual([]);
    });

    it('are given by a manager from above', async () => {
      const below = await makeOrganisation(service, { parentId: customer.organisationId });
      const deep = await makeOrganisation(service, { resellerId: below });
      expect((await registered(await make({ organisationId: deep, autoRoles }))).roles).toEqual(autoRoles);
    });

    it('are answered for by whoever changed the invitation last', async () => {
      const invitation = await make({ autoRoles });
      const successor = await makeUser(service, {
        organisationId: customer.organisationId,
        roles: ['ROLE_CUSTADMIN'],
      });
      await successor.client
        .put(`/organisations/${customer.organisationId}/invitations/${invitation.id}`, {
          email: invitation.email,
          firstName: 'Anna',
          lastName: 'Smit',
        })
        .expect(204);
      await service.sql`UPDATE users SET enabled = false WHERE id = ${customer.custadmin.id}`;
      expect((await registered(invitation)).roles).toEqual(autoRoles);
    });

    it('lose ROLE_ADMIN alone when the inviter is a manager but no admin any more', async () => {
      const inviter = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN', 'ROLE_CUSTADMIN'] });
      const options = { organisationId: 1, inviterId: inviter.id, autoRoles: ['ROLE_ADMIN', 'ROLE_APP'] };
      expect((await registered(await make(options))).roles).toEqual(['ROLE_ADMIN', 'ROLE_APP']);
      const later = await make(options);
      await service.sql`UPDATE users SET roles = '{ROLE_CUSTADMIN}' WHERE id = ${inviter.id}`;
      expect((await registered(later)).roles).toEqual(['ROLE_APP']);
    });
  });

  it('passes over teams that are gone or of another organisation', async () => {
    const kept = await makeTeam(service, customer.organisationId);
    const gone = await makeTeam(service, customer.organisationId);
    const foreign = await makeTeam(service, 1);
    const invitation = await make({ autoTeams: [gone, kept, foreign] });
    await service.sql`DELETE FROM teams WHERE id = ${gone}`;
    expect((await registered(invitation)).teams.map(({ id }) => id)).toEqual([kept]);
  });

  describe('without a token', () => {
    it('is off: 400 that names the way with a token, whatever the body, marked as deprecated', async () => {
      const invitation = await make();
      for (const body of [registrationOf(invitation, PASSWORD), {}]) {
        const response = await anonymous(service).post('/registerInvitation', body).expect(400);
        expect((response.body as { message: string }).message).toContain('/registerInvitation/{token}');
        expect(response.headers['deprecation']).toMatch(/^@\d+$/);
        expect(response.headers['link']).toMatch(
          /^<\/v1\/registerInvitation\/[^>]+>; rel="successor-version"$/,
        );
      }
      expect(await isOpen(invitation)).toBe(true);
    });

    it('is deprecated in the interface description, and it alone', async () => {
      const response = await request(service.url).get('/docs/openapi.json').expect(200);
      const { paths } = response.body as { paths: Record<string, Record<string, { deprecated?: boolean }>> };
      const deprecated = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, { deprecated }]) =>
          deprecated ? [`${method} ${path}`] : [],
        ),
      );
      expect(deprecated).toEqual(['post /v1/registerInvitation']);
    });

    it('leaves the way with a token unmarked', async () => {
      const response = await register(await make()).expect(201);
      expect(response.headers).not.toHaveProperty('deprecation');
      expect(response.headers).not.toHaveProperty('link');
    });
  });
});

describe.each(VARIANTS)('POST /registerInvitation without a token, switched on, in Variant %s', (variant) => {
  const service = useService(variant, { settings: { allowTokenlessRegistration: true } });
  beforeEach(() => service.sql(`DELETE FROM attempts`));

  const make = async (options: Partial<InvitationOptions> = {}) => {
    const { organisationId, custadmin } = await makeCustomer(service);
    return makeInvitation(service, { organisationId, inviterId: custadmin.id, ...options });
  };
  const post = (body: object) => anonymous(service).post('/registerInvitation', body);

  it('registers with the right e-mail address, organisation and id together', async () => {
    const invitation = await make({ autoRoles: ['ROLE_MAIL'] });
    const response = await post(registrationOf(invitation, PASSWORD)).expect(201);
    expect(response.body).toMatchObject({ user: { username: invitation.email, roles: ['ROLE_MAIL'] } });
    expect(response.headers['deprecation']).toMatch(/^@\d+$/);
    expect(response.headers['link']).toContain('rel="successor-version"');
    await loggedIn(service, invitation.email, PASSWORD);
  });

  it('answers every invitation that is not open, or not this one, alike', async () => {
    const invitation = await make();
    const responses = await Promise.all([
      post({ ...registrationOf(invitation, PASSWORD), organisationId: 1 }),
      post({ ...registrationOf(invitation, PASSWORD), email: `x${nextNumber()}@example.com` }),
      post({ ...registrationOf(invitation, PASSWORD), inviationId: 999_999 }),
      post(registrationOf(await make({ state: 'accepted' }), PASSWORD)),
      post(registrationOf(await make({ state: 'deleted' }), PASSWORD)),
      post(registrationOf(await make({ validFor: '-1 second' }), PASSWORD)),
    ]);
    const bodies = responses.map(({ status, body }) => ({ ...(body as object), status, requestId: '' }));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]).toMatchObject({ status: 400 });
    const registeredAfterwards = await post(registrationOf(invitation, PASSWORD));
    expect(registeredAfterwards.status).toBe(201);
  });

  it('counts guesses at one invitation before it checks them, also 40 at once', async () => {
    const invitation = await make();
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, guess) =>
        post({ ...registrationOf(invitation, PASSWORD), email: `guess${guess}@example.com` }),
      ),
    );
    const statuses = guesses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    const right = await post(registrationOf(invitation, PASSWORD)).expect(429);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    expect(right.headers['deprecation']).toMatch(/^@\d+$/);
    const withToken = `/registerInvitation/${invitation.token}`;
    await anonymous(service).post(withToken, registrationOf(invitation, PASSWORD)).expect(201);
  });

  it('counts guesses at the invitation of one address, and all from one network', async () => {
    const invitation = await make();
    for (let guess = 0; guess < 10; guess++) {
      await post({ ...registrationOf(invitation, PASSWORD), inviationId: 500_000 + guess }).expect(400);
    }
    await post({ ...registrationOf(invitation, PASSWORD), inviationId: 600_000 }).expect(429);
    await service.sql(`DELETE FROM attempts`);
    const spread = await Promise.all(
      Array.from({ length: 40 }, (_, guess) =>
        post({
          ...registrationOf(invitation, PASSWORD),
          email: `spread${guess}@example.com`,
          inviationId: 700_000 + guess,
        }),
      ),
    );
    expect(spread.filter(({ status }) => status === 400)).toHaveLength(30);
  });
});
