import { asAdmin } from './support/client';
import { makeCustomer } from './support/factories';
import { makeApiKey } from './support/key-factories';
import { startTestService } from './support/service';

it('a grant may go to an organisation that its giver does not reach', async () => {
  const service = await startTestService('B');
  const [giver, stranger] = [await makeCustomer(service), await makeCustomer(service)];
  await giver.custadmin.client.get(`/organisations/${stranger.organisationId}`).expect(403);
  const { body } = await giver.custadmin.client
    .post(`/organisations/${giver.organisationId}/acls`, { organisation: stranger.organisationId })
    .expect(201);
  expect(body.acl.organisation.id).toBe(stranger.organisationId);
  await service.stop();
});

it('another hash of the previous panel ends logins, and neither trusted devices nor API keys', async () => {
  const service = await startTestService('B');
  const admin = await asAdmin(service);
  const { plain, organisationId } = await makeCustomer(service);
  const key = await makeApiKey(service, plain.id);
  await service.sql(
    `INSERT INTO trusted_devices (user_id, digest, user_agent, address, expires_at)
     VALUES ($1, '\\x01', 'agent', '127.0.0.1', now() + interval '1 day')`,
    [plain.id],
  );
  await admin
    .patch(`/organisations/${organisationId}/cp3/users/${plain.id}`, {
      username: plain.username,
      firstName: 'Jan',
      lastName: 'de Vries',
      cp3Password: '$1$abcdefgh$M5lxU5XK.tcr2msanB7D0/',
    })
    .expect(200);
  await plain.client.get('/whoami').expect(401);
  await key.client.get('/whoami').expect(200);
  expect(await service.sql('SELECT 1 FROM trusted_devices WHERE user_id = $1', [plain.id])).toHaveLength(1);
  await service.stop();
});
