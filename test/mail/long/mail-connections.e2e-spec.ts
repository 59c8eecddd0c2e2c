import type { MailTransport } from '@app/mail/mail-transport';
import { mailTransport } from '@app/mail/smtp-transport';
import { ENDED_CERTIFICATE, VALID_CERTIFICATE } from '../../support/faults/certificates';
import { startMailServer, type TestMailServer } from '../../support/faults/smtp';
import { until } from '../../support/service/until';

const CONNECTIONS = 10;

const NAMES = { mailFrom: 'no-reply@mail.example', publicUrl: 'https://api.panel.example/account' };
const transportTo = (smtpUrl: string, names: Partial<typeof NAMES> = {}): MailTransport =>
  mailTransport({ smtpUrl, dataDir: '', ...NAMES, ...names });

let server: TestMailServer;
let transport: MailTransport;
beforeEach(async () => {
  server = await startMailServer();
  transport = transportTo(server.url.replace('//', '//user:first@'));
});
afterEach(async () => {
  server.hold(false);
  transport.close?.(true);
  await server.stop();
});

let sent = 0;
const send = (isUrgent = false, to = `to${++sent}@example.nl`): Promise<void> =>
  transport.deliver(
    {
      from: 'from@example.nl',
      to,
      subject: 'Subject',
      text: 'Text',
      html: '<p>Text</p>',
      messageId: `<${to}>`,
    },
    isUrgent,
  );
const sendMany = (count: number): Promise<PromiseSettledResult<void>[]> =>
  Promise.allSettled(Array.from({ length: count }, () => send()));

const rejected = (outcomes: readonly PromiseSettledResult<void>[]): unknown[] =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
const receivers = (): string[] => server.mails.flatMap(({ to }) => to);
const expectEachOnce = (count: number): void => {
  expect(new Set(receivers()).size).toBe(count);
  expect(receivers()).toHaveLength(count);
};

describe('connections to the mail server of SMTP_URL', () => {
  it('are ten, take many mails each, and one more takes urgent mails alone', async () => {
    expect(rejected(await sendMany(60))).toEqual([]);
    expectEachOnce(60);
    expect(server.connections()).toBe(CONNECTIONS);
    server.hold(true);
    const held = sendMany(CONNECTIONS + 5);
    const urgent = send(true);
    await until(() => server.connections() === CONNECTIONS + 1);
    server.hold(false);
    expect(rejected(await held)).toEqual([]);
    await urgent;
    expect(server.connections()).toBe(CONNECTIONS + 1);
  });

  // rule notifications 55
  it.each([
    ['the host of PUBLIC_URL', {}, '', 'api.panel.example'],
    [
      'the domain of MAIL_FROM where that is this machine',
      { publicUrl: 'http://localhost:3000' },
      '',
      'mail.example',
    ],
    [
      'the domain of MAIL_FROM where that is an address',
      { publicUrl: 'http://192.0.2.1' },
      '',
      'mail.example',
    ],
    [
      'the domain of MAIL_FROM where that is an address of IPv6',
      { publicUrl: 'http://[2001:db8::1.2.3.4]' },
      '',
      'mail.example',
    ],
    ['what SMTP_URL says', {}, '?name=smtp.hoster.example', 'smtp.hoster.example'],
  ])('greet as %s', async (_what, names, query, greeting) => {
    transport.close?.(true);
    transport = transportTo(`${server.url.replace('//', '//user:first@')}${query}`, names);
    await send();
    expect(server.greetings()).toEqual([greeting]);
  });

  it('are replaced after a hundred mails', async () => {
    for (let count = 0; count < 101; count++) await send();
    expect(server.connections()).toBe(2);
    expectEachOnce(101);
  });

  it('are fewer for a while where the server turns the third away, and no mail fails', async () => {
    server.allowConnections(2);
    expect(rejected(await sendMany(40))).toEqual([]);
    const asked = server.connections();
    // One more may be asked for while one that stands takes leave of its mail.
    expect(asked).toBeLessThanOrEqual(CONNECTIONS + 2);
    expect(rejected(await sendMany(40))).toEqual([]);
    expect(server.connections()).toBe(asked);
    expectEachOnce(80);
  });

  it('take an urgent mail before the others where the server allows no more of them', async () => {
    server.allowConnections(1);
    await send();
    server.hold(true);
    const others = sendMany(5);
    const urgent = send(true, 'urgent@example.nl');
    // One stands. Four others and the one for urgent mails are turned away.
    await until(() => server.connections() === 6);
    server.delay(50);
    server.hold(false);
    await urgent;
    expect(receivers().indexOf('urgent@example.nl')).toBeLessThanOrEqual(2);
    expect(rejected(await others)).toEqual([]);
  });

  it('are made again after the server has turned all away', async () => {
    server.allowConnections(0);
    expect(rejected(await sendMany(3))).toHaveLength(3);
    server.allowConnections(Infinity);
    expect(rejected(await sendMany(3))).toEqual([]);
  });

  it('stay where the server refuses mails', async () => {
    server.refuseEverySecond(true);
    const failures = rejected(await sendMany(40)) as { responseCode?: number }[];
    expect(failures.map(({ responseCode }) => responseCode)).toEqual(Array(20).fill(452));
    expectEachOnce(20);
    expect(server.connections()).toBe(CONNECTIONS);
  });

  it('are replaced when the server has closed idle ones, and no mail fails', async () => {
    await sendMany(20);
    for (let round = 0; round < 3; round++) {
      server.closeConnections();
      expect(rejected(await sendMany(20))).toEqual([]);
    }
    expectEachOnce(80);
  });

  it('go on with a password that changed, while new ones are refused until it fits', async () => {
    server.requirePassword('first');
    await send();
    server.requirePassword('second');
    await send();
    server.closeConnections();
    await until(async () => {
      const [failure] = rejected(await sendMany(1)) as { responseCode?: number }[];
      return failure?.responseCode === 535;
    });
    server.requirePassword('first');
    await send();
  });

  it('are new ones for each mail where the server closes them after one, and no mail fails', async () => {
    server.closeAfterMails(true);
    expect(rejected(await sendMany(40))).toEqual([]);
    expectEachOnce(40);
  });

  it('go on with a certificate that ended, while new ones are refused until it is renewed', async () => {
    transport.close?.(true);
    await server.stop();
    server = await startMailServer(0, VALID_CERTIFICATE);
    const url = new URL(server.url.replace('//', '//user:first@'));
    url.searchParams.set('tls.ca', `${VALID_CERTIFICATE.cert}\n${ENDED_CERTIFICATE.cert}`);
    transport = transportTo(url.href);
    expect(rejected(await sendMany(20))).toEqual([]);
    server.present(ENDED_CERTIFICATE);
    expect(rejected(await sendMany(20))).toEqual([]);
    expect(server.connections()).toBe(CONNECTIONS);
    server.closeConnections();
    await until(async () => {
      const [failure] = rejected(await sendMany(1)) as { originalCode?: string }[];
      return failure?.originalCode === 'CERT_HAS_EXPIRED';
    });
    server.present(VALID_CERTIFICATE);
    expect(rejected(await sendMany(20))).toEqual([]);
  });

  it('that hang before the mail fail it in time, and hold no other mail', async () => {
    server.hangBeforeData(true);
    const begun = performance.now();
    const hanging = sendMany(CONNECTIONS - 1);
    await until(() => server.hanging() === CONNECTIONS - 1);
    server.hangBeforeData(false);
    expect(rejected(await sendMany(20))).toEqual([]);
    expectEachOnce(20);
    const failures = rejected(await hanging) as { code?: string }[];
    expect(failures.map(({ code }) => code)).toEqual(Array(CONNECTIONS - 1).fill('ETIMEDOUT'));
    expect(performance.now() - begun).toBeLessThan(40_000);
    expect(rejected(await sendMany(20))).toEqual([]);
    expectEachOnce(40);
  });

  it('recover from a server that went away in the middle of mails', async () => {
    server.hold(true);
    const interrupted = sendMany(20);
    await until(() => server.connections() === CONNECTIONS);
    const port = Number(new URL(server.url).port);
    await server.stop();
    expect(rejected(await interrupted)).toHaveLength(20);
    server = await startMailServer(port);
    expect(rejected(await sendMany(20))).toEqual([]);
    expectEachOnce(20);
  });

  it('end at once, and their mails with them, where the process waits no longer', async () => {
    server.hold(true);
    const held = sendMany(20);
    await until(() => server.connections() === CONNECTIONS);
    transport.close?.(true);
    expect(rejected(await held)).toHaveLength(20);
  });
});
