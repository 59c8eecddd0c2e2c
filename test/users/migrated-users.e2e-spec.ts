import { anonymous, asAdmin } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

const BODY = {
  username: 'migrated',
  firstName: 'Anna',
  lastName: 'Smit',
  cp3Password: '$1$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.',
};

describeSharedService(['A'], 'users of the previous panel in Variant %s', (service) => {
  it('none of these routes exists, and the list of users does', async () => {
    const admin = await asAdmin(service);
    for (const client of [admin, anonymous(service)]) {
      await client.post('/organisations/1/users', BODY).expect(404);
      await client.post('/organisations/1/userandcontact', {}).expect(404);
      await client.patch('/organisations/1/cp3/users/1', BODY).expect(404);
    }
    const missing = await admin.post('/organisations/1/users', {}).expect(404);
    expect(missing.body).toMatchObject({ code: 404, message: expect.any(String) as string });
    await admin.get('/organisations/1/users').expect(200);
  });
});
