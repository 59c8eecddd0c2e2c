import { clientOf, type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { makeApiKey } from '../support/factories/key-factories';
import { transactionBeside, untilWaiting } from '../support/faults/locks';
import { anonymous } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

/** Only Variant A sets `required2fa`. */
describeSharedService(['A'], 'PUT …/organisations: required2fa set to true', (service) => {
  const demand = ({ client, organisationId }: MadeUser, required2fa: boolean) =>
    client.put(`/organisations/${organisationId}`, { name: 'N', taxNumber: 'T', required2fa });

  const giveSecondFactor = (user: MadeUser, state: string) =>
    service.sql`UPDATE users SET second_factor = ${state}, totp_secret = 'x' WHERE id = ${user.id}`;

  it('ends the logins of who has no second factor, the presented one aside, and nothing else', async () => {
    const { organisationId, custadmin, plain } = await makeCustomer(service);
    const secured = await makeUser(service, { organisationId });
    const requested = await makeUser(service, { organisationId });
    await giveSecondFactor(secured, 'enabled');
    await giveSecondFactor(requested, 'requested');
    const elsewhere = await makeCustomer(service);
    const otherLogin = await clientOf(service, custadmin.id);
    const key = await makeApiKey(service, plain.id);
    await demand(custadmin, false).expect(204);
    await plain.client.get('/whoami').expect(200);
    await demand(custadmin, true).expect(204);
    for (const client of [plain.client, requested.client, otherLogin])
      await client.get('/whoami').expect(401);
    for (const client of [custadmin.client, secured.client, elsewhere.plain.client, key.client]) {
      await client.get('/whoami').expect(200);
    }
  });

  it('set again changes nothing', async () => {
    const { custadmin, plain } = await makeCustomer(service, { required2fa: true });
    await demand(custadmin, true).expect(204);
    await plain.client.get('/whoami').expect(200);
  });

  it('ends a login that is on its way too', async () => {
    const { custadmin, plain } = await makeCustomer(service);
    await using holder = await transactionBeside(service);
    await holder.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [plain.id]);
    const demanded = demand(custadmin, true).then(({ status }) => status);
    await untilWaiting(service, 1);
    const login = anonymous(service)
      .post('/login', { username: plain.username, password: PASSWORD })
      .then(({ status }) => status);
    await untilWaiting(service, 2);
    await holder.query('COMMIT');
    expect(await demanded).toBe(204);
    expect(await login).toBe(401);
    const logins = await service.sql`SELECT id FROM logins WHERE user_id = ${plain.id}`;
    expect(logins).toEqual([]);
  });
});
