import { makeCustomer, PASSWORD } from '../support/factories/factories';
import { pathOf } from '../support/factories/users-factories';
import { anonymous, ApiClient, loggedIn } from '../support/service/client';
import { startTestService } from '../support/service/service';

describe('the log of LOG_LEVEL=trace', () => {
  it('holds no password, hash or credential of POST /login, /resetting/{token} and …/changepassword, whatever goes wrong', async () => {
    await using service = await startTestService('A', { settings: { logLevel: 'trace' } });
    const planted = 'Planted-Secret-1';
    const { plain } = await makeCustomer(service);
    const client = await loggedIn(service, plain.username, PASSWORD);
    await anonymous(service).post('/login', { username: plain.username, password: planted }).expect(401);
    await anonymous(service).get(`/resetting/${planted}?token=${planted}`);
    await anonymous(service).post(`/resetting/${planted}`, { password: planted });
    await new ApiClient(service.url, planted).get('/whoami').expect(401);
    await client
      .post(`${pathOf(plain)}/changepassword`, { oldPassword: PASSWORD, password: planted })
      .expect(200);
    await service.sql('ALTER TABLE users RENAME COLUMN password_hash TO moved');
    await anonymous(service).post('/login', { username: plain.username, password: planted }).expect(500);
    const log = service.logLines.join('\n');
    expect(service.logLines.length).toBeGreaterThan(5);
    expect(log).toContain('stack');
    for (const secret of [planted, PASSWORD, client.hash as string, '$2b$'])
      expect(log).not.toContain(secret);
  });
});
