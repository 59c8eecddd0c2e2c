import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { readSettings } from '@app/config/env';
import { startWarnings } from '@app/config/start-warnings';
import { type MadeUser, makeCustomer } from '../../support/factories/factories';
import { makeLinkKey, useLink } from '../../support/factories/login-links-factories';
import { suspend } from '../../support/factories/suspensions-factories';
import { asAdmin } from '../../support/service/client';
import { useFiles } from '../../support/service/files';
import { useService } from '../../support/service/service';

const PAGE = readFileSync(resolve(__dirname, '../../../docs/billing.md'), 'utf8');
const sampleOf = (name: string): string =>
  new RegExp(`\`\`\`php ${name}\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1] ?? '';

const hasPhp = spawnSync('php', ['--version']).status === 0;
const run = promisify(execFile);

/** What billing knows of its service, and who is logged in to billing. */
interface Call {
  readonly host: string;
  readonly port: string;
  readonly key: string;
  readonly username: string;
  readonly session: Readonly<Record<string, unknown>>;
}

/** The URL that the customer is sent to, or the error that the customer reads. */
interface Answer {
  readonly url?: string;
  readonly error?: string;
}

const READ_CALL = '$call = json_decode($argv[1], true); $_SESSION = $call["session"];';

/** Calls a module as its system does: small stand-ins of what surrounds it there. */
const STAND_INS: Readonly<Record<string, (sample: string) => string>> = {
  whmcs: (sample) => `${sample}
    ${READ_CALL}
    $answer = accountapi_ServiceSingleSignOn([
      'serviceid' => 5, 'userid' => 7, 'username' => $call['username'], 'serverhttpprefix' => 'http',
      'serverhostname' => $call['host'], 'serverport' => $call['port'], 'serveraccesshash' => $call['key'] . "\\n",
    ]);
    echo json_encode($answer['success'] === true ? ['url' => $answer['redirectTo']] : ['error' => $answer['errorMsg']]);`,
  fossbilling: (sample) => `<?php
    class Server_Exception extends Exception {}
    class Server_Account {
      public function __construct(private ?string $username) {}
      public function getUsername(): ?string { return $this->username; }
    }
    abstract class Server_Manager {
      public function __construct(protected array $_config) {}
      abstract public function getLoginUrl(?Server_Account $account);
      abstract public function getResellerLoginUrl(?Server_Account $account);
      abstract public function changeAccountUsername(Server_Account $account, string $newUsername);
    }
    class Server_Manager_Accountapi extends Server_Manager {
    ${sample}
    }
    ${READ_CALL}
    $manager = new Server_Manager_Accountapi(
      ['secure' => false, 'host' => $call['host'], 'port' => $call['port'], 'accesshash' => $call['key']]);
    if ($manager->getLoginUrl(null) !== 'http://' . $call['host'] . ':' . $call['port']) throw new Exception('server');
    $account = new Server_Account($call['username']);
    try {
      $manager->changeAccountUsername($account, '1-1');
      throw new Exception('renamed');
    } catch (Server_Exception) {}
    try {
      echo json_encode(['url' => $manager->getLoginUrl($account)]);
    } catch (Server_Exception $error) {
      echo json_encode(['error' => $error->getMessage()]);
    }`,
};

it('the modules of docs/billing.md call POST …/loginlinks, and the page names LOGIN_URL_TEMPLATE', () => {
  for (const name of Object.keys(STAND_INS)) expect(sampleOf(name)).toContain('/loginlinks"');
  expect(PAGE).toContain('LOGIN_URL_TEMPLATE');
});

it('LOGIN_URL_TEMPLATE leads to a page that takes the token, and the start warns of one without https', () => {
  const SMTP_URL = 'smtp://127.0.0.1';
  const warningsOf = (LOGIN_URL_TEMPLATE: string) => {
    const env = { SMTP_URL, LOGIN_URL_TEMPLATE };
    return startWarnings(readSettings(env), env).filter((text) => text.includes('LOGIN_URL_TEMPLATE'));
  };
  expect(warningsOf('https://panel.example/enter#{token}')).toEqual([]);
  expect(warningsOf('http://panel.example/enter#{token}')).toEqual([
    'LOGIN_URL_TEMPLATE without https: passwords and the tokens of links cross the network in clear',
  ]);
  expect(() => readSettings({ LOGIN_URL_TEMPLATE: 'https://panel.example/enter' })).toThrow(
    'LOGIN_URL_TEMPLATE',
  );
});

// As the samples of events: a machine without PHP tries the rest.
if (hasPhp) {
  describe.each(Object.keys(STAND_INS))('the module of docs/billing.md for %s', (name) => {
    const service = useService('A', {
      settings: { loginUrlTemplate: 'https://panel.example/enter#{token}' },
    });
    const files = useFiles();
    let key: string;
    beforeAll(async () => {
      key = (await makeLinkKey(service)).client.hash as string;
    });

    async function call(
      user: Pick<MadeUser, 'id' | 'organisationId'>,
      given: Partial<Call> = {},
    ): Promise<Answer> {
      const { hostname: host, port } = new URL(service.url);
      const username = `${user.organisationId}-${user.id}`;
      const file = files.write(
        `${name}.php`,
        (STAND_INS[name] as (sample: string) => string)(sampleOf(name)),
      );
      const argument = JSON.stringify({ host, port, key, username, session: { client_id: 7 }, ...given });
      const { stdout } = await run('php', ['-d', 'display_errors=stderr', file, argument]);
      return JSON.parse(stdout) as Answer;
    }

    it('sends the customer to a link that logs in', async () => {
      const { plain } = await makeCustomer(service);
      const { url = '' } = await call(plain);
      const [, token = ''] = /^https:\/\/panel\.example\/enter#([0-9a-f]{64})$/.exec(url) ?? [];
      const { body } = await useLink(service, token).expect(200);
      expect(body).toMatchObject({ user: { id: plain.id } });
    });

    it('sends no staff there, as themselves or as the customer', async () => {
      const { plain } = await makeCustomer(service);
      for (const session of [
        { adminid: 1, admin: { id: 1 } },
        { adminid: 1, admin: { id: 1 }, uid: 7, client_id: 7 },
      ])
        expect(await call(plain, { session })).toEqual({ error: 'Staff log in for support, in the panel' });
      expect(await service.sql`SELECT FROM login_links WHERE user_id = ${plain.id}`).toEqual([]);
    });

    it('says what it can where there is no link', async () => {
      const { plain, organisationId } = await makeCustomer(service);
      const none = { error: 'This service has no account in the panel' };
      for (const username of ['', 'jan', '12-', '12-34/../../1', '12-34\n', '0-1'])
        expect(await call(plain, { username })).toEqual(none);
      const later = { error: 'The panel cannot be opened now' };
      expect(await call(plain, { key: 'f'.repeat(64) })).toEqual(later);
      expect(await call({ ...plain, organisationId: 1 })).toEqual(later);
      await suspend(await asAdmin(service), organisationId);
      expect(await call(plain)).toEqual(later);
    });
  });
}
