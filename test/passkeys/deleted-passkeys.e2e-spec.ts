import { type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { makePasskey, passkeyClient, passkeysOf } from '../support/factories/passkey-factories';
import { Device, giveSecondFactor, MovableClock } from '../support/factories/two-factor-factories';
import { anonymous, ApiClient } from '../support/service/client';
import { useService } from '../support/service/service';

/** Logins that were made with a passkey go on when it is gone, but have passed no second factor any more. */
const service = useService('A');
let clock: MovableClock;
beforeAll(() => {
  clock = new MovableClock(service);
});

beforeEach(() => service.sql`DELETE FROM attempts`);

/** A user whose manager has deleted the passkey of a stolen phone, and a login that the phone made before. */
async function makeRobbed() {
  const { plain: user, custadmin, organisationId } = await makeCustomer(service);
  const phone = await makePasskey(service, user);
  const thief = await passkeyClient(service, phone);
  await custadmin.client.delete(`${passkeysOf(user)}/${phone.passkey.id}`).expect(204);
  await thief.get('/whoami').expect(200);
  return { user, custadmin, organisationId, thief };
}

const showSecret = ({ username }: MadeUser, { hash }: ApiClient) =>
  anonymous(service)
    .post('/enable2faandget2fasecret', { username, password: PASSWORD })
    .set('Authorization', hash ?? '');

const LACKS_FACTOR = { code: 403, reason: 'SECOND_FACTOR_REQUIRED' };

describe('DELETE …/passkeys: a login that a passkey made which is gone', () => {
  it('does not pass the next passkey: it adds, deletes and sets up nothing', async () => {
    const { user, thief } = await makeRobbed();
    const laptop = await makePasskey(service, user);
    const added = await thief.post(`${passkeysOf(user)}/options`, { password: PASSWORD }).expect(403);
    expect(added.body).toMatchObject(LACKS_FACTOR);
    const deleted = await thief.delete(`${passkeysOf(user)}/${laptop.passkey.id}`).expect(403);
    expect(deleted.body).toMatchObject(LACKS_FACTOR);
    expect((await showSecret(user, thief).expect(401)).body).toMatchObject({
      message: '2FA is required',
      reason: 'SECOND_FACTOR_REQUIRED',
    });
    await showSecret(user, await passkeyClient(service, laptop)).expect(200);
  });

  it('does not pass an authenticator, which its user has beside it', async () => {
    const { plain: user, custadmin } = await makeCustomer(service);
    const phone = await makePasskey(service, user);
    const laptop = await makePasskey(service, { ...user, client: await passkeyClient(service, phone) });
    await giveSecondFactor(service, user.id);
    const thief = await passkeyClient(service, phone);
    await custadmin.client.delete(`${passkeysOf(user)}/${phone.passkey.id}`).expect(204);
    await thief.delete(`${passkeysOf(user)}/${laptop.passkey.id}`).expect(403);
    await user.client.get(`${passkeysOf(user)}/${laptop.passkey.id}`).expect(200);
  });

  it('ends when the organisation demands a second factor, and others by what they have passed stay', async () => {
    const { user, custadmin, organisationId, thief } = await makeRobbed();
    const both = await makeUser(service, { organisationId });
    const phone = await makePasskey(service, both);
    const laptop = await makePasskey(service, { ...both, client: await passkeyClient(service, phone) });
    const secret = await giveSecondFactor(service, both.id);
    const stolen = await passkeyClient(service, phone);
    const kept = await passkeyClient(service, laptop);
    const device = new Device(service, both.username);
    const { body } = await device.login({ '6digitCode': clock.code(secret) }).expect(200);
    const byCode = new ApiClient(service.url, (body as { hash: string }).hash);
    await custadmin.client.delete(`${passkeysOf(both)}/${phone.passkey.id}`).expect(204);
    await custadmin.client
      .put(`/organisations/${organisationId}`, { name: 'N', taxNumber: 'T', required2fa: true })
      .expect(204);
    for (const client of [thief, user.client, stolen]) await client.get('/whoami').expect(401);
    for (const client of [kept, byCode]) await client.get('/whoami').expect(200);
  });
});
