import type { CreationOptions } from '../../qa/authenticator';
import {
  activateAsThief,
  FactorLinkPages,
  newsAbout,
  THREE_DAYS,
} from '../support/factories/factor-links-factories';
import {
  clientOf,
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  PASSWORD,
} from '../support/factories/factories';
import { makeApiKey } from '../support/factories/key-factories';
import { makeRestorationToken } from '../support/factories/page-factories';
import { makePasskey, passkeyClient, PasskeyPage, passkeysOf } from '../support/factories/passkey-factories';
import { makeContact } from '../support/factories/records';
import { resetPassword } from '../support/factories/recovery-factories';
import { makeFactorOwner } from '../support/factories/second-factor-factories';
import {
  makeTwoFactorUser,
  MovableClock,
  storedSecondFactor,
} from '../support/factories/two-factor-factories';
import { pathOf } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { anonymous, ApiClient, asAdmin } from '../support/service/client';
import { useService } from '../support/service/service';
import { makeOlder, moveTestClock } from '../support/service/time';

const mailServer = useMailServer();
const service = useService('A', () => ({
  settings: { smtpUrl: mailServer.url, testClock: true, publicUrl: 'https://api.example' },
}));
let clock: MovableClock;
beforeAll(() => {
  clock = new MovableClock(service);
});
const pages = new FactorLinkPages(service, mailServer);
const letPass = (seconds: number): Promise<void> => moveTestClock(service, seconds);
const NEW_PASSWORD = 'Nieuw-Wachtw00rd';

beforeEach(() => service.sql`DELETE FROM attempts`);

describe('who loses the last second factor where one is demanded', () => {
  const REFUSED = { code: 401, message: '2FA is required', reason: 'SECOND_FACTOR_NEEDS_MANAGER' };
  const setUp = ({ username }: MadeUser) =>
    anonymous(service).post('/enable2faandget2fasecret', { username, password: NEW_PASSWORD });

  /** An organisation that demands a second factor, and a user of it with a fresh passkey. */
  async function made(): Promise<{ user: MadeUser; custadmin: MadeUser }> {
    const { plain: user, custadmin, organisationId } = await makeCustomer(service);
    await makePasskey(service, user);
    await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${organisationId}`;
    return { user, custadmin };
  }

  it.each(['disabled', 'requested'])(
    'by a reset needs a manager for the next one (%s): not itself, not a set-up that was asked for before',
    async (state) => {
      const { user, custadmin } = await made();
      await service.sql`UPDATE users SET second_factor = ${state} WHERE id = ${user.id}`;
      await resetPassword(service, user, NEW_PASSWORD);
      expect((await setUp(user).expect(401)).body).toMatchObject(REFUSED);
      expect(await storedSecondFactor(service, user.id)).toMatchObject({ state });
      const own = await clientOf(service, user.id);
      await own.patch(`${pathOf(user)}/enable2fa`).expect(204);
      expect((await setUp(user).expect(401)).body).toMatchObject(REFUSED);
      const page = new PasskeyPage(service);
      const credential = page.authenticator.create(
        (await own.post(`${passkeysOf(user)}/options`, { password: NEW_PASSWORD })).body as CreationOptions,
      );
      const added = await own.post(passkeysOf(user), { name: 'Phone', credential }).expect(401);
      expect(added.body).toMatchObject(REFUSED);

      await custadmin.client.patch(`${pathOf(user)}/enable2fa`).expect(204);
      const { body } = await setUp(user).expect(200);
      const { secret } = body as { secret: string };
      const activate = { username: user.username, password: NEW_PASSWORD, '6digitCode': clock.code(secret) };
      await anonymous(service).post('/activate2fa', activate).expect(200);
      expect(await service.sql`SELECT 1 FROM second_factor_losses WHERE user_id = ${user.id}`).toEqual([]);
    },
  );

  it('refuses an activation whose secret was shown before, whatever the code', async () => {
    const { plain: user, organisationId } = await makeCustomer(service);
    const page = await makePasskey(service, user);
    await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${organisationId}`;
    const shown = await anonymous(service)
      .post('/enable2faandget2fasecret', { username: user.username, password: PASSWORD })
      .set('Authorization', (await passkeyClient(service, page)).hash ?? '')
      .expect(200);
    const { secret } = shown.body as { secret: string };
    await resetPassword(service, user, NEW_PASSWORD);
    for (const code of [clock.code(secret), clock.wrongCode(secret)]) {
      const body = { username: user.username, password: NEW_PASSWORD, '6digitCode': code };
      expect((await anonymous(service).post('/activate2fa', body).expect(401)).body).toMatchObject(REFUSED);
    }
    expect(await service.sql`SELECT 1 FROM attempts WHERE used > 0`).toEqual([]);
  });

  it.each(['a manager of an organisation above', 'an admin'])(
    'is helped by %s too, by no key',
    async (who) => {
      const { user, custadmin } = await made();
      const parentId = await makeOrganisation(service);
      await service.sql`UPDATE organisations SET parent_id = ${parentId} WHERE id = ${user.organisationId}`;
      await resetPassword(service, user, NEW_PASSWORD);
      const { client: key } = await makeApiKey(service, custadmin.id);
      await key.patch(`${pathOf(user)}/enable2fa`).expect(403);
      await setUp(user).expect(401);
      const above = await makeUser(service, { organisationId: parentId, roles: ['ROLE_CUSTADMIN'] });
      const helper = who === 'an admin' ? await asAdmin(service) : above.client;
      await helper.patch(`${pathOf(user)}/enable2fa`).expect(204);
      await setUp(user).expect(200);
    },
  );

  it('is refused nothing where nothing was lost: older passkeys, an authenticator, no demand', async () => {
    const { user: old } = await made();
    await makeOlder(service, 'passkeys', { user_id: old.id }, '8 days');
    await resetPassword(service, old, NEW_PASSWORD);
    expect((await setUp(old).expect(401)).body).toMatchObject({ reason: 'SECOND_FACTOR_REQUIRED' });

    const { user: free } = await made();
    await service.sql`UPDATE organisations SET required_2fa = false WHERE id = ${free.organisationId}`;
    await resetPassword(service, free, NEW_PASSWORD);
    await setUp(free).expect(200);

    const { plain: fresh, organisationId } = await makeCustomer(service, { required2fa: true });
    await resetPassword(service, fresh, NEW_PASSWORD);
    await setUp(fresh).expect(200);

    const both = await makeTwoFactorUser(service, clock, { organisationId });
    await makePasskey(service, both, { '6digitCode': clock.code(both.secret) });
    await resetPassword(service, both, NEW_PASSWORD);
    await setUp(both).expect(400);
    expect(
      await service.sql`SELECT 1 FROM second_factor_losses WHERE user_id IN (${old.id}, ${free.id}, ${fresh.id}, ${both.id})`,
    ).toEqual([]);
  });

  it('by the link of a mail needs a manager as well', async () => {
    const { plain: user, custadmin } = await makeCustomer(service, { required2fa: true });
    await activateAsThief(service, clock, user);
    await pages.send(await pages.tokenTo(user)).expect(200);
    const asOwner = anonymous(service).post('/enable2faandget2fasecret', {
      username: user.username,
      password: PASSWORD,
    });
    expect((await asOwner.expect(401)).body).toMatchObject(REFUSED);
    await custadmin.client.patch(`${pathOf(user)}/enable2fa`).expect(204);
    await activateAsThief(service, clock, user);
  });

  it('by the restoration of a name needs a manager as well', async () => {
    const { user } = await made();
    const token = await makeRestorationToken(service, user.id, `former.${user.username}`);
    await makeOlder(service, 'name_restorations', { user_id: user.id }, '1 hour', ['renamed_at']);
    await anonymous(service).post(`/resetting/${token}`, { password: NEW_PASSWORD }).expect(200);
    expect((await setUp({ ...user, username: `former.${user.username}` }).expect(401)).body).toMatchObject(
      REFUSED,
    );
  });

  it('needs nobody for the first one after a restored name: the only manager never had one', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { username } = custadmin;
    await custadmin.client
      .patch(pathOf(custadmin), { username: `typo.${username}`, firstName: 'Jan', lastName: 'de Vries' })
      .expect(204);
    await pages.mailsTo(custadmin);
    const mail = mailServer.mailsTo(username).find(({ text }) => /\/[0-9a-f]{64}/.test(text));
    const token = /\/([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1];
    await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${organisationId}`;
    await anonymous(service).post(`/resetting/${token}`, { password: NEW_PASSWORD }).expect(200);
    await setUp(custadmin).expect(200);
    expect(await newsAbout(service, custadmin)).not.toContain('User.2fa_lost');
  });

  it.each(['a reset', 'the link of a mail'])(
    'needs nobody where %s takes a passkey that did not count yet, after a manager took the one that did',
    async (by) => {
      const { user, custadmin } = await made();
      const waiting = await makePasskey(service, user);
      const token = await pages.tokenTo(user);
      const [first] = await service.sql<{ id: number }>`
        SELECT id FROM passkeys WHERE user_id = ${user.id} AND id <> ${waiting.passkey.id}`;
      await custadmin.client.delete(`${passkeysOf(user)}/${first?.id}`).expect(204);
      if (by === 'a reset') await resetPassword(service, user, NEW_PASSWORD);
      else await pages.send(token).expect(200);
      const password = by === 'a reset' ? NEW_PASSWORD : PASSWORD;
      await anonymous(service)
        .post('/enable2faandget2fasecret', { username: user.username, password })
        .expect(200);
    },
  );

  it.each([
    [
      'nl',
      'Laatste tweede factor verwijderd door een link of een nieuw wachtwoord: de enige beheerder stelt na drie dagen een nieuwe in',
    ],
    [
      'en',
      'Last second factor removed by a link or a new password: the only manager sets up another after three days',
    ],
    [
      'fr',
      'Dernier second facteur supprimé par un lien ou avec un nouveau mot de passe : l’unique gestionnaire en configure un autre après trois jours',
    ],
  ])(
    'as the only manager waits three days, which the contacts are told when they begin: %s',
    async (language, subject) => {
      const { custadmin, organisationId } = await makeCustomer(service);
      await service.sql`UPDATE users SET language = ${language} WHERE id = ${custadmin.id}`;
      await makeContact(service, { organisationId, userId: custadmin.id, name: `sys.${custadmin.username}` });
      await service.sql`UPDATE contacts SET groups = '{System}' WHERE user_id = ${custadmin.id}`;
      await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'], enabled: false });
      await makePasskey(service, custadmin);
      await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${organisationId}`;
      await resetPassword(service, custadmin, NEW_PASSWORD);
      await pages.mailsTo(custadmin);
      for (const name of [custadmin.username, `sys.${custadmin.username}`]) {
        const mail = mailServer
          .mailsTo(name)
          .find(({ headers }) => headers.get('subject')?.startsWith(subject) === true);
        expect(mail?.text).toMatch(/20\d\d/);
      }
      expect((await setUp(custadmin).expect(401)).body).toMatchObject(REFUSED);
      await letPass(THREE_DAYS - 60);
      await setUp(custadmin).expect(401);
      await letPass(120);
      // Another manager by then: ask that one.
      const second = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
      await setUp(custadmin).expect(401);
      await service.sql`UPDATE users SET enabled = false WHERE id = ${second.id}`;
      await setUp(custadmin).expect(200);
    },
  );

  it('as one of two managers does not wait, but asks the other', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const other = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
    await makePasskey(service, custadmin);
    await service.sql`UPDATE organisations SET required_2fa = true WHERE id = ${organisationId}`;
    await resetPassword(service, custadmin, NEW_PASSWORD);
    expect(await newsAbout(service, custadmin)).not.toContain('User.2fa_lost');
    await letPass(THREE_DAYS + 60);
    await setUp(custadmin).expect(401);
    const helper = await clientOf(service, other.id);
    await helper.patch(`${pathOf(custadmin)}/enable2fa`).expect(204);
    await setUp(custadmin).expect(200);
  });
});

describe('support logins', () => {
  it('end with the last second factor of their staff member, and with no other', async () => {
    const staff = await makeFactorOwner(service, clock, 'a passkey and an authenticator', {
      organisationId: 1,
      roles: ['ROLE_ADMIN'],
    });
    const { plain } = await makeCustomer(service);
    const begin = async (): Promise<ApiClient> => {
      const client = await passkeyClient(service, staff.page as never);
      const { body } = await client
        .post(`${pathOf(plain)}/supportlogins`, { reason: 'Ticket 1' })
        .expect(201);
      return new ApiClient(service.url, (body as { supportLogin: { hash: string } }).supportLogin.hash);
    };
    const admin = await asAdmin(service);
    const first = await begin();
    await admin.patch(`${pathOf(staff)}/disable2fa`).expect(204);
    await first.get(pathOf(plain)).expect(200);
    await admin.delete(`${passkeysOf(staff)}/${staff.page?.passkey.id}`).expect(204);
    await first.get(pathOf(plain)).expect(401);
    expect(await service.sql`SELECT 1 FROM logins WHERE staff_id = ${staff.id}`).toEqual([]);

    const other = await makeTwoFactorUser(service, clock, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    const { body } = await other.client
      .post(`${pathOf(plain)}/supportlogins`, { reason: 'Ticket 2' })
      .expect(201);
    const second = new ApiClient(service.url, (body as { supportLogin: { hash: string } }).supportLogin.hash);
    await second.get(pathOf(plain)).expect(200);
    await admin.patch(`${pathOf(other)}/disable2fa`).expect(204);
    await second.get(pathOf(plain)).expect(401);
    expect(await service.sql`SELECT 1 FROM logins WHERE staff_id = ${other.id}`).toEqual([]);
  });
});
