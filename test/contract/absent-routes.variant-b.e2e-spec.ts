import { anonymous } from '../support/service/client';
import { makeCustomer, type MadeUser } from '../support/factories/factories';
import { makeApiKey } from '../support/factories/key-factories';
import { useService } from '../support/service/service';
import { pathOf } from '../support/factories/users-factories';

/** What Variant A alone has is not found in Variant B, also by the user whose own it would be. */
const service = useService('B');
let plain: MadeUser;

beforeEach(async () => {
  ({ plain } = await makeCustomer(service));
});

it('has no API keys to manage', async () => {
  const { id } = await makeApiKey(service, plain.id);
  const path = `${pathOf(plain)}/apikeys`;
  const body = { name: 'n', whitelist: [] };
  await plain.client.get(path).expect(404);
  await plain.client.post(path, body).expect(404);
  await plain.client.put(`${path}/${id}`, body).expect(404);
  await plain.client.delete(`${path}/${id}`).expect(404);
});

it('has no preferences', async () => {
  const path = `${pathOf(plain)}/preferences`;
  await plain.client.get(path).expect(404);
  await plain.client.patch(path, { darkTheme: true }).expect(404);
});

it('has no softlogin', async () => {
  await anonymous(service)
    .post('/softlogin', { username: 'a@example.com', confirmationCode: '1' })
    .expect(404);
});
