import { type MadeUser, makeCustomer, nextNumber } from '../support/factories/factories';
import { type ApiClient, asAdmin } from '../support/service/client';
import { useSharedService } from '../support/service/shared-services';

const NAMES = { firstName: 'Jan', lastName: 'Smit' } as const;
const HASH = '$1$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.';

describe('an address in letters beyond ASCII (rule requests 33) in Variant B', () => {
  const service = useSharedService('B');
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let organisationId: number;
  let plain: MadeUser;

  beforeEach(async () => {
    ({ organisationId, plain } = await makeCustomer(service));
  });

  it.each([
    ['POST …/users', 'users'],
    ['POST …/userandcontact', 'userandcontact'],
    ['PATCH …/cp3/users', 'cp3'],
  ])('is stored in ASCII by %s', async (_, route) => {
    const local = `jan${nextNumber()}`;
    const base = `/organisations/${organisationId}`;
    const body = { ...NAMES, username: `${local}@m\u00fcnchen.example` };
    if (route === 'users') await admin.post(`${base}/users`, { ...body, cp3Password: HASH }).expect(201);
    else if (route === 'cp3')
      await admin.patch(`${base}/cp3/users/${plain.id}`, { ...body, cp3Password: HASH }).expect(200);
    else
      await admin
        .post(`${base}/userandcontact`, { ...body, password: 'Welcome-1234' })
        .expect(({ status }) => expect(status).toBeLessThan(300));
    const { body: found } = await admin.get(`${base}/users?filter=${local}`).expect(200);
    expect(found).toMatchObject({ users: [{ username: `${local}@xn--mnchen-3ya.example` }] });
  });
});
