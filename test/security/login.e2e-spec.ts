import request from 'supertest';
import { anonymous, asAdmin, loggedIn } from '../support/service/client';
import { makeCustomer, PASSWORD } from '../support/factories/factories';
import { ADMIN, describeService } from '../support/service/service';
import { VARIANTS } from '../support/service/variants';
import { makeTeam } from '../support/factories/records';

describeService(VARIANTS, 'login in Variant %s', (service) => {
  it('takes the raw hash, Bearer, a doubled slash and an empty header', async () => {
    const { hash } = await asAdmin(service);
    for (const value of [hash, `Bearer ${hash}`]) {
      await request(service.url)
        .get('/v1/whoami')
        .set('Authorization', value as string)
        .expect(200);
    }
    await request(service.url).post('//v1//login').set('Authorization', '').send(ADMIN).expect(200);
  });

  it('tells the login of a credential without a body', async () => {
    const { hash } = await asAdmin(service);
    const response = await request(service.url)
      .post('/v1/login')
      .set('Content-Type', 'application/json')
      .set('Authorization', hash as string)
      .expect(200);
    expect(response.body).toMatchObject({ hash, user: { username: ADMIN.username } });
    await anonymous(service).post('/login').expect(400);
  });

  it('refuses wrong passwords, unknown names and disabled users', async () => {
    const { plain } = await makeCustomer(service);
    await anonymous(service)
      .post('/login', { ...ADMIN, password: 'x' })
      .expect(401);
    await anonymous(service).post('/login', { username: 'nobody@example.com', password: 'x' }).expect(404);
    await service.sql`UPDATE users SET enabled = false WHERE id = ${plain.id}`;
    await anonymous(service).post('/login', { username: plain.username, password: PASSWORD }).expect(401);
    await plain.client.get('/whoami').expect(401);
  });

  it('takes an empty object at POST /login as no body', async () => {
    const { plain } = await makeCustomer(service);
    const told = await plain.client.post('/login', {}).expect(200);
    expect(told.body).toMatchObject({ hash: plain.client.hash, user: { id: plain.id } });
    await anonymous(service).post('/login', {}).expect(400);
    await plain.client.post('/login', { username: plain.username }).expect(400);
  });

  it('shows status2fa and the state of teams in the login answer', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    await makeTeam(service, organisationId, { name: 'Web', userIds: [plain.id] });
    const { body } = await anonymous(service)
      .post('/login', { username: plain.username, password: PASSWORD })
      .expect(200);
    expect(body.user.status2fa).toBe('disabled');
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

  it('keeps logins of a user who logs in elsewhere', async () => {
    const { plain } = await makeCustomer(service);
    await loggedIn(service, plain.username, PASSWORD);
    await plain.client.get('/whoami').expect(200);
  });
});
