import { type MadeUser, makeCustomer, PASSWORD } from '../support/factories/factories';
import { runCli } from '../support/service/cli';
import { anonymous } from '../support/service/client';
import { useService } from '../support/service/service';

const service = useService('A', { settings: { trustedProxies: ['127.0.0.0/8'] } });

const logIn = (user: MadeUser, password: string, address: string) =>
  anonymous(service).post('/login', { username: user.username, password }).set('X-Forwarded-For', address);

async function lockOut(user: MadeUser, address: string): Promise<void> {
  for (let count = 0; count < 10; count++) await logIn(user, 'wrong', address).expect(401);
  await logIn(user, PASSWORD, address).expect(429);
}

it('cli user unlock ends the 429 of POST /login after wrong passwords, at known networks and with --address at another', async () => {
  const { plain, custadmin } = await makeCustomer(service);
  await logIn(plain, PASSWORD, '192.0.2.1').expect(200);
  await lockOut(plain, '192.0.2.1');
  await lockOut(plain, '198.51.100.1');
  await lockOut(custadmin, '198.51.100.1');

  const known = await runCli(service.database, ['user', 'unlock', plain.username]);
  expect(known).toMatchObject({ exitCode: 0, messages: [] });
  expect(known.output).toContain('name it by --address');
  await logIn(plain, PASSWORD, '192.0.2.1').expect(200);
  await logIn(plain, PASSWORD, '198.51.100.1').expect(429);

  const named = ['user', 'unlock', plain.username, '--address', '198.51.100.1'];
  expect((await runCli(service.database, named)).exitCode).toBe(0);
  await logIn(plain, PASSWORD, '198.51.100.1').expect(200);
  // Others stay locked.
  await logIn(custadmin, PASSWORD, '198.51.100.1').expect(429);

  const wrong = await runCli(service.database, ['user', 'unlock', plain.username, '--address', 'here']);
  expect(wrong.exitCode).toBe(2);
});
