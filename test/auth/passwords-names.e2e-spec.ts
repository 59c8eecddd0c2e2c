import request from 'supertest';
import { VARIANTS } from '../../qa/variants';
import { makeCustomer, makeUser, nextNumber, PASSWORD } from '../support/factories/factories';
import { makeInvitation, registrationOf } from '../support/factories/invitations-factories';
import { makeFormerNameToken, makeResetToken } from '../support/factories/page-factories';
import { pathOf } from '../support/factories/users-factories';
import { anonymous, asAdmin } from '../support/service/client';
import { textOf } from '../support/service/html';
import { type TestService, useService } from '../support/service/service';

const REASON = 'USERNAME_AS_PASSWORD';

/** A name that satisfies the rules of passwords in both variants, and whose part before the @ does. */
const newName = (): string => `Mona-${nextNumber()}.Smit1@some.be`;

const swapCase = (text: string): string =>
  [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');

/** Passwords that are the name in one way or another, and one that only holds it. */
function passwordsOf(username: string): { readonly refused: string[]; readonly taken: string } {
  const [local = ''] = username.split('@');
  return {
    refused: [username, local, swapCase(local), username.toUpperCase()],
    taken: `${local}x`,
  };
}

/** Sets a password, as the person with this name would. */
type Setting = (password: string) => Promise<{ readonly status: number; readonly body: unknown }>;

const WAYS: Readonly<Record<string, (service: TestService, username: string) => Promise<Setting>>> = {
  'registerInvitation with the token': async (service, username) => {
    const invitation = await invitationOf(service, username);
    return (password) =>
      anonymous(service)
        .post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, password))
        .then();
  },
  'registerInvitation without the token': async (service, username) => {
    const invitation = await invitationOf(service, username);
    return (password) =>
      anonymous(service).post('/registerInvitation', registrationOf(invitation, password)).then();
  },
  changepassword: async (service, username) => {
    const { organisationId } = await makeCustomer(service);
    const user = await makeUser(service, { organisationId, username });
    return (password) =>
      user.client.post(`${pathOf(user)}/changepassword`, { oldPassword: PASSWORD, password }).then();
  },
  'a reset': async (service, username) => {
    const { organisationId } = await makeCustomer(service);
    const { id } = await makeUser(service, { organisationId, username });
    const token = await makeResetToken(service, id);
    return (password) => anonymous(service).post(`/resetting/${token}`, { password }).then();
  },
  'a reset that gives the former name': async (service, username) => {
    const { plain } = await makeCustomer(service);
    const token = await makeFormerNameToken(service, plain.id, username);
    return (password) => anonymous(service).post(`/resetting/${token}`, { password }).then();
  },
};

async function invitationOf(service: TestService, email: string) {
  const { organisationId, custadmin } = await makeCustomer(service);
  return makeInvitation(service, { organisationId, inviterId: custadmin.id, email });
}

describe.each(VARIANTS)('POST /resetting/{token}: the user name as password in Variant %s', (variant) => {
  const service = useService(variant, { settings: { allowTokenlessRegistration: true } });

  it.each(Object.entries(WAYS))('is refused by %s, and what holds more is not', async (_, way) => {
    const username = newName();
    const set = await way(service, username);
    const { refused, taken } = passwordsOf(username);
    for (const password of refused) {
      const { status, body } = await set(password);
      expect({ password, status, body }).toMatchObject({
        password,
        status: 400,
        body: { reasons: { password: [REASON] } },
      });
    }
    const { status } = await set(taken);
    expect([200, 201]).toContain(status);
  });

  it.each([
    ['nl', 'Het wachtwoord is uw gebruikersnaam, of het deel ervan voor de @.'],
    ['en', 'The password is your user name, or its part before the @.'],
    ['fr', 'Le mot de passe est votre nom d’utilisateur, ou sa partie avant le @.'],
  ])('is told at the field of the pages: %s', async (language, fault) => {
    const email = newName();
    const { organisationId, custadmin } = await makeCustomer(service);
    const { token } = await makeInvitation(service, {
      organisationId,
      inviterId: custadmin.id,
      email,
      language,
    });
    const fields = { password: email, repeated: email };
    const send = (path: string) =>
      request(service.url).post(`/account/${path}`).type('form').send(fields).expect(400);
    expect(textOf((await send(`invitation/${token}`)).text)).toContain(fault);
    const user = await makeUser(service, { organisationId, username: email });
    await service.sql`UPDATE users SET language = ${language} WHERE id = ${user.id}`;
    const reset = await makeResetToken(service, user.id);
    expect(textOf((await send(`password/${reset}`)).text)).toContain(fault);
  });
});

describe('the user name as password, where admins of Variant B choose both', () => {
  const service = useService('B');

  it('is refused by userandcontact, of login names too', async () => {
    const admin = await asAdmin(service);
    const { organisationId } = await makeCustomer(service);
    const create = (username: string, password: string) =>
      admin.post(`/organisations/${organisationId}/userandcontact`, {
        username,
        firstName: 'Mona',
        lastName: 'Smit',
        password,
      });
    for (const username of [newName(), `Customer${nextNumber()}0`]) {
      const { refused, taken } = passwordsOf(username);
      for (const password of refused) await create(username, password).expect(400, new RegExp(REASON));
      await create(username, taken).expect(201);
    }
  });
});

/** rule users 8: the words by which readers are told of people whom they must not know. */
describe('the names operator, manager and grantee in Variant B', () => {
  const service = useService('B');
  const names = { firstName: 'Jan', lastName: 'de Vries' };

  it.each(['operator', 'manager', 'grantee', 'Operator', ' MANAGER ', '\tgrantee\n'])(
    'nobody takes %j by a change',
    async (username) => {
      const { plain, custadmin } = await makeCustomer(service);
      for (const client of [plain.client, custadmin.client, await asAdmin(service)]) {
        await client.patch(pathOf(plain), { ...names, username }).expect(400, /RESERVED_USERNAME/);
      }
      const migrated = { ...names, username, cp3Password: '$1$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.' };
      await (
        await asAdmin(service)
      )
        .patch(`/organisations/${plain.organisationId}/cp3/users/${plain.id}`, migrated)
        .expect(400, /RESERVED_USERNAME/);
    },
  );

  it('names that hold such a word are free, and a stored one stays and is spelled otherwise', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    for (const username of ['operators', 'manager1', 'grantee@example.com'])
      await plain.client.patch(pathOf(plain), { ...names, username }).expect(204);
    const stored = await makeUser(service, { organisationId, username: 'manager' });
    await stored.client.patch(pathOf(stored), { ...names, username: 'manager', firstName: 'A' }).expect(204);
    await stored.client.patch(pathOf(stored), { ...names, username: 'Manager' }).expect(204);
  });
});
