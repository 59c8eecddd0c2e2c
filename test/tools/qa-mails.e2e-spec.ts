import type { ChildProcessByStdio } from 'node:child_process';
import { createServer } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { type MailedSecret, secretIn } from '../../tools/qa/mail/mails';
import { examplesOf } from '../../tools/qa/scenario';
import { SCENARIOS } from '../contract/scenarios';
import { freePort } from '../support/faults/free-port';
import { urlOf } from '../support/faults/proxy';
import { useFiles } from '../support/service/files';
import {
  against,
  interruptAt,
  leftovers,
  NOTHING,
  qa,
  type Report,
  uncheckedReasons,
} from '../support/service/qa';
import { startTestService, type TestService, useService } from '../support/service/service';
import { useMailServer } from '../support/faults/smtp';
import { until } from '../support/service/until';

const failedIn = ({ results, left }: Report): object[] => [
  ...results.filter(({ outcome }) => outcome === 'failed'),
  ...left.map((path) => ({ path })),
];

/** The areas whose examples read mails, each kind of secret among them. */
const READING_MAILS = ['invitations', 'registration', 'recovery', 'documents'];
const ONLY_READING_MAILS = READING_MAILS.flatMap((area) => ['--only', area]);

/** Every example that Variant A has, of these areas or of all, was sent and found as written. */
function expectAllChecked(
  { report, status }: Awaited<ReturnType<typeof qa>>,
  areas?: readonly string[],
): void {
  expect({ failed: failedIn(report), unchecked: uncheckedReasons(report), status }).toEqual({
    failed: [],
    unchecked: [],
    status: 0,
  });
  const samples = SCENARIOS.filter(({ area }) => areas?.includes(area) ?? true).flatMap((scenario) =>
    examplesOf(scenario, 'A'),
  );
  expect(report.results.length).toBe(samples.length);
  expect(samples.length).toBeGreaterThan(areas === undefined ? 270 : 40);
}

describe('npm run qa checks an ordinary deployment of Variant A, with its mails alone', () => {
  let service: TestService;
  const files = useFiles();
  afterEach(async () => {
    expect(await leftovers(service)).toEqual(NOTHING);
    await service.stop();
  });

  it('every example, from a folder of mails', async () => {
    service = await startTestService('A', { settings: { worker: true, dataDir: files.folder } });
    const ended = await qa([...against(service.url, 'A'), ...['--mail-dir', files.path('mail'), '--json']]);
    expect(ended.errors).toBe('');
    expectAllChecked(ended);
  });

  it('what reads mails, as a mail server that the deployment sends to', async () => {
    const port = await freePort();
    const smtpUrl = `smtp://user:word@127.0.0.1:${port}`;
    service = await startTestService('A', { settings: { worker: true, smtpUrl } });
    expectAllChecked(
      await qa([
        ...against(service.url, 'A'),
        ...['--smtp', `127.0.0.1:${port}`, '--mail-domain', 'qa.example', '--json'],
        ...ONLY_READING_MAILS,
      ]),
      READING_MAILS,
    );
    const [people] = await service.sql(
      `SELECT count(*)::integer AS elsewhere FROM invitations WHERE email NOT LIKE '%@qa.example'`,
    );
    expect(people).toEqual({ elsewhere: 0 });
  });
});

describe('npm run qa reads the mails that a server has', () => {
  const mailServer = useMailServer();
  const service = useService('A', () => ({ settings: { worker: true, smtpUrl: mailServer.url } }));
  afterEach(async () => expect(await leftovers(service)).toEqual(NOTHING));

  const found = (query: string) =>
    mailServer.mails
      .map(({ to, raw }, index) => ({ to, raw, index }))
      .filter(({ to }) => to.some((address) => address.includes(query)))
      .map(({ raw, index }) => ({
        ID: String(index),
        Created: new Date(index).toISOString(),
        Raw: { Data: raw },
      }))
      .reverse();

  /** As far as their documentation goes: both APIs, by path; anything else is not there. */
  const CATCHERS: readonly (readonly [string, (path: URL) => unknown])[] = [
    [
      'Mailpit',
      ({ pathname, searchParams }) => {
        if (pathname === '/mails/api/v1/info') return { Version: 'v1.27.0' };
        const query = /^to:"(.+)"$/.exec(searchParams.get('query') ?? '')?.[1];
        if (pathname === '/mails/api/v1/search' && query !== undefined)
          return { messages: found(query).map(({ ID, Created }) => ({ ID, Created })) };
        const id = /^\/mails\/api\/v1\/message\/(\d+)\/raw$/.exec(pathname)?.[1];
        return id === undefined ? undefined : mailServer.mails[Number(id)]?.raw;
      },
    ],
    [
      'MailHog',
      ({ pathname, searchParams }) => {
        if (pathname === '/mails/api/v2/messages') return { total: 0, items: [] };
        const query = searchParams.get('kind') === 'to' ? searchParams.get('query') : null;
        return pathname === '/mails/api/v2/search' && query !== null ? { items: found(query) } : undefined;
      },
    ],
  ];

  it.each(CATCHERS)('as %s over HTTP', async (_, respond) => {
    const catcher = createServer(({ url, headers }, response) => {
      if (headers.authorization !== `Basic ${Buffer.from('qa:w@rd').toString('base64')}`)
        return void response.writeHead(401).end();
      const body = respond(new URL(url ?? '', 'http://localhost'));
      if (body === undefined) return void response.writeHead(404).end();
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => catcher.listen(0, '127.0.0.1', resolve));
    const address = `${urlOf(catcher).replace('//', '//qa:w%40rd@')}/mails/`;
    const ended = await qa([
      ...against(service.url, 'A'),
      ...['--mailpit', address, '--json', ...ONLY_READING_MAILS],
    ]);
    catcher.close();
    expect(ended.errors).toBe('');
    expectAllChecked(ended, READING_MAILS);
  });

  const SECRETS: readonly (readonly [RegExp, MailedSecret])[] = [
    [/The token in the invitation to (\S+): $/, 'invitationToken'],
    [/The token in the recovery mail to (\S+): $/, 'resetToken'],
    [/The confirmation code in the recovery mail to (\S+): $/, 'confirmationCode'],
    [/The hash at the end of the link to a document to (\S+): $/, 'documentHash'],
  ];

  /** Types each secret that is asked for, with the link around it where there is one. */
  function typing({ stdin, stderr }: ChildProcessByStdio<Writable, Readable, Readable>): void {
    let prompts = '';
    stderr.on('data', (part: Buffer) => {
      prompts += part.toString();
      for (const [prompt, secret] of SECRETS) {
        const address = prompt.exec(prompts)?.[1];
        if (address === undefined) continue;
        prompts = '';
        void until(() => mailedTo(address, secret) !== undefined).then(() => {
          const value = mailedTo(address, secret) as string;
          const isToken = secret === 'invitationToken' || secret === 'resetToken';
          stdin.write(`${isToken ? `https://panel.example/${value}?a=b` : value}\n`);
        });
      }
    });
  }

  const mailedTo = (address: string, secret: MailedSecret): string | undefined =>
    mailServer.mails
      .filter(({ to }) => to.includes(address))
      .map(({ text }) => secretIn(text, secret))
      .find((match) => match !== undefined);

  it('as a person who types the tokens', async () => {
    const args = [...against(service.url, 'A'), '--tokens', '-', '--json', ...ONLY_READING_MAILS];
    expectAllChecked(await qa(args, typing), READING_MAILS);
  });

  it('and asks a person for each token once, and for none that is not needed', async () => {
    const { report, errors, status } = await qa(
      [...against(service.url, 'A'), '--tokens', '-', '--json', '--only', 'POST /resetting/{token}'],
      typing,
    );
    expect({ failed: failedIn(report), status }).toEqual({ failed: [], status: 0 });
    expect(uncheckedReasons(report)).toEqual([]);
    // Each once: the invitation of the person, and what recovers that person.
    expect(errors.match(/The [\w ]+ to/g)).toEqual([
      'The token in the invitation to',
      'The confirmation code in the recovery mail to',
      'The token in the recovery mail to',
    ]);
  });

  it('and fails what a person leaves without a token', async () => {
    const { report, status } = await qa([
      ...against(service.url, 'A'),
      ...['--tokens', '-', '--json', '--only', 'login'],
    ]);
    expect(status).toBe(1);
    expect(JSON.stringify(failedIn(report))).toContain('standard input ended before the token');
  });

  it('and says at once that it sees none', async () => {
    const { status, errors } = await qa([
      ...against(service.url, 'A'),
      ...['--mail-dir', '/nowhere', '--mail-wait', '1'],
    ]);
    expect(status).toBe(2);
    expect(errors).toMatch(/no mail to qa-\w+-1@example\.com came to \/nowhere within 1 s/);
  });

  it('and stops waiting for one when it is interrupted', async () => {
    const { status } = await qa(
      [...against(service.url, 'A'), '--mail-dir', '/nowhere'],
      interruptAt(service, /invitations/),
    );
    expect(status).toBe(130);
  });
});

describe('npm run qa ends with 2 and tells why it reads no mails', () => {
  const mailServer = useMailServer();
  it.each([
    ['a Mailpit that does not answer', ['--mailpit', 'http://127.0.0.1:1'], 'Could not read mails'],
    ['a port that is taken', ['--smtp', 'SERVER'], 'EADDRINUSE'],
  ])('%s', async (_, args, why) => {
    const taken = args.map((arg) => arg.replace('SERVER', new URL(mailServer.url).host));
    const { status, errors } = await qa([...against('http://localhost', 'A'), ...taken]);
    expect(status).toBe(2);
    expect(errors).toContain(why);
  });
});
