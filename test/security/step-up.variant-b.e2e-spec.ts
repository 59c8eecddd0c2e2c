import { hashSync } from 'bcrypt';
import { ADMIN, useService } from '../support/service/service';
import { asAdmin, failingFields } from '../support/service/client';

const service = useService('B', { settings: { stepUp: true } });

it('with STEP_UP, an admin proves itself before it gives itself another name as a user of the previous panel', async () => {
  const admin = await asAdmin(service);
  const { body } = await admin.get('/whoami').expect(200);
  const path = `/organisations/1/cp3/users/${(body as { userId: number }).userId}`;
  const user = { firstName: 'A', lastName: 'B', cp3Password: hashSync('An0ther-Passw0rd', 4) };
  const username = 'renamed.admin@operator.example';
  expect(failingFields(await admin.patch(path, { ...user, username }).expect(400))).toEqual(['password']);
  await admin.patch(path, { ...user, username, password: 'wrong' }).expect(401);
  await admin.patch(path, { ...user, username, password: ADMIN.password }).expect(200);
  await admin.patch(path, { ...user, username }).expect(200);
});
