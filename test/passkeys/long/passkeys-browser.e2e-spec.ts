import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type MadeUser, makeCustomer, PASSWORD } from '../../support/factories/factories';
import { passkeysOf, passSecondFactor, type ShownPasskey } from '../../support/factories/passkey-factories';
import { BrowsedPage, CHROMIUM } from '../../support/service/browsed-page';
import { ApiClient } from '../../support/service/client';
import { startTestService, type TestService } from '../../support/service/service';

/** The code that docs/sign-in-pages.md gives to panels. */
const [, code = ''] =
  /^```js\n([^]*?)^```/m.exec(readFileSync(join(__dirname, '../../../docs/sign-in-pages.md'), 'utf8')) ?? [];

const DOCUMENTED_API = 'https://account.example.com/v1';

/** An authenticator of Chromium that says yes: a passkey of the computer, behind a finger. */
const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

it('the code for panels of docs/sign-in-pages.md is short, and names the service once', () => {
  expect(code.split('\n').length).toBeLessThan(40);
  expect(code.split(DOCUMENTED_API)).toHaveLength(2);
});

/** Without Chromium the suite is skipped: `apt-get install chromium`. */
(CHROMIUM === undefined ? describe.skip : describe)(
  'in Chromium, the code for panels of docs/sign-in-pages.md',
  () => {
    let service: TestService;
    let page: BrowsedPage;
    let user: MadeUser;
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        `<!doctype html><title>Panel</title><script>${code.replace(DOCUMENTED_API, `${service.url}/v1`)}</script>`,
      );
    });

    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
      service = await startTestService('A', {
        settings: { passkeys: { rpId: 'localhost', origins: [origin] }, corsOrigins: [origin] },
      });
      user = (await makeCustomer(service)).plain;
      page = await BrowsedPage.open(CHROMIUM ?? '');
      await page.page.goto(origin);
      await page.devTools.send('WebAuthn.enable');
      await page.devTools.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR });
    });
    afterAll(async () => {
      await page.close();
      await service.stop();
      await new Promise((resolve) => server.close(resolve));
    });

    const add = (name: string): Promise<{ passkey: ShownPasskey }> =>
      page.page.evaluate(
        `addPasskey(${JSON.stringify({
          hash: user.client.hash,
          organisationId: user.organisationId,
          userId: user.id,
          name,
          proof: { password: PASSWORD },
        })})`,
      );

    it('adds a passkey, and logs in with it as often as the user wants', async () => {
      const { passkey } = await add('Laptop');
      expect(passkey).toMatchObject({ name: 'Laptop', dtLastUsed: '' });
      for (let time = 0; time < 2; time++) {
        const login = await page.page.evaluate<{ user: { id: number }; hash: string }>('logInWithPasskey()');
        expect(login).toMatchObject({
          user: { id: user.id },
          hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        });
      }
      const { body } = await user.client.get(passkeysOf(user)).expect(200);
      expect(body).toMatchObject({
        total: 1,
        passkeys: [{ id: passkey.id, dtLastUsed: expect.stringMatching(/^\d+$/) as string }],
      });
    });

    it('makes no second passkey in the same authenticator', async () => {
      await passSecondFactor(service, user.id);
      await expect(add('Again')).rejects.toThrow('InvalidStateError');
    });

    it('throws what the service says, and logs in no more once the passkey is deleted', async () => {
      const { body } = await user.client.get(passkeysOf(user)).expect(200);
      const { passkeys } = body as { passkeys: ShownPasskey[] };
      // With a login that has passed it (rule passkeys 31).
      const { hash } = await page.page.evaluate<{ hash: string }>('logInWithPasskey()');
      const client = new ApiClient(service.url, hash);
      for (const { id } of passkeys) await client.delete(`${passkeysOf(user)}/${id}`).expect(204);
      await expect(page.page.evaluate('logInWithPasskey()')).rejects.toThrow('BAD_CREDENTIALS');
    });
  },
);
