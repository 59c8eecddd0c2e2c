import request from 'supertest';
import { VARIANTS } from '../../qa/variants';
import { makeCustomer, PASSWORD } from '../support/factories/factories';
import { makeTeam } from '../support/factories/records';
import { anonymous, asAdmin } from '../support/service/client';
import { ADMIN } from '../support/service/service';
import { describeSharedService } from '../support/service/shared-services';

describeSharedService(VARIANTS, 'POST /login in Variant %s', (service) => {
  it('takes a doubled slash and an empty header', async () => {
    await request(service.url).post('//v1//login').set('Authorization', '').send(ADMIN).expect(200);
  });

  it('tells the login of a credential without a body, whatever type that has', async () => {
    const { hash } = await asAdmin(service);
    const response = await request(service.url)
      .post('/v1/login')
      .set('Content-Type', 'application/json')
      .set('Authorization', hash as string)
      .expect(200);
    expect(response.body).toMatchObject({ hash, user: { username: ADMIN.username } });
  });

  it('takes an empty object at POST /login as no body', async () => {
    const { plain } = await makeCustomer(service);
    const told = await plain.client.post('/login', {}).expect(200);
    expect(told.body).toMatchObject({ hash: plain.client.hash, user: { id: plain.id } });
    await anonymous(service).post('/login', {}).expect(400);
    await plain.client.post('/login', { username: plain.username }).expect(400);
  });

  it('shows the state of teams in the login answer', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    await makeTeam(service, organisationId, { name: 'Web', userIds: [plain.id] });
    const { body } = await anonymous(service)
      .post('/login', { username: plain.username, password: PASSWORD })
      .expect(200);
    expect(body.user.teams).toEqual([
      {
        id: expect.any(Number),
        name: 'Web',
        autoAddSshkey: expect.any(Boolean),
        status: 'ok',
        statusCategory: 'green',
      },
    ]);
  });
});
