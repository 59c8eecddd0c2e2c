import { setTimeout as pause } from 'node:timers/promises';
import { type DatabaseProxy, startDatabaseProxy } from '../support/faults/database-proxy';
import { startMailServer, type TestMailServer } from '../support/faults/smtp';
import { anonymous } from '../support/service/client';
import { inTransaction, queueMail } from '../support/service/jobs';
import {
  logLinesOf,
  settingsOn,
  startServiceProcess,
  startWorkerProcess,
} from '../support/service/processes';
import { ADMIN, useService } from '../support/service/service';
import { until } from '../support/service/until';

/**
 * Seconds after the return of the database in which the mails of acknowledged requests
 * leave (rule running 24).
 */
const SOON = 15;
/** Seconds: longer than a socket waits for an answer, and than several polls for jobs. */
const AWAY = 20;

describe('a database that is away for 20 seconds', () => {
  const service = useService('A');
  let mailServer: TestMailServer;
  let proxy: DatabaseProxy;
  beforeAll(async () => {
    mailServer = await startMailServer();
    proxy = await startDatabaseProxy(service.database.url);
  });
  afterAll(async () => {
    await proxy.close();
    await mailServer.stop();
  });

  /** What an acknowledged request leaves behind. */
  const queueMails = (prefix: string, amount: number): Promise<void> =>
    inTransaction(service, async (manager) => {
      for (let mail = 0; mail < amount; mail++)
        await queueMail(service, manager, `${prefix}${mail}@example.nl`);
    });
  const arrived = (prefix: string): number =>
    new Set(mailServer.mails.map(({ to }) => to[0]).filter((to) => to?.startsWith(prefix) === true)).size;

  const environment = () =>
    settingsOn(proxy.urlOf(service.database.url), { SMTP_URL: mailServer.url, LOG_LEVEL: 'info' });

  /** Each line since `before` is JSON; one tells of the outage and one of its end; few tell anything else. */
  const expectFewLines = (output: string, before: number): void => {
    const text = output.slice(before).trim();
    const lines = text.split('\n').filter((line) => line !== '');
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual([]);
    const told = logLinesOf(text);
    const named = (words: string) =>
      told.filter(({ msg }) => msg?.startsWith(words) === true).map(({ level }) => level);
    expect(named('the database cannot be reached')).toEqual([50]);
    expect(named('the database is back')).toEqual([30]);
    expect(told.filter(({ level }) => level >= 40).length).toBeLessThan(10);
  };

  it.each([
    ['is silent', () => proxy.freeze(), () => proxy.thaw()],
    [
      'refuses connections',
      async () => {
        await proxy.refuse();
        proxy.cut();
      },
      () => proxy.accept(),
    ],
  ] as const)(
    'and %s: its end and its return are one line each in the log, /health/ready is 503, and mails leave within 15 s of its return',
    async (_, begin, end) => {
      const serving = startServiceProcess(environment());
      const worker = startWorkerProcess(environment());
      try {
        const address = await serving.address;
        await until(() => worker.output().includes('worker is ready'));
        const prefix = `${_.slice(0, 2)}-`;
        await queueMails(`${prefix}before`, 1);
        await until(() => arrived(`${prefix}before`) === 1);
        const [from, workerFrom] = [serving, worker].map(({ output }) => output().length) as [number, number];
        // In the middle of sending: their jobs are taken, and some cannot record what became of them.
        mailServer.hold(true);
        await queueMails(`${prefix}during`, 20);
        await until(() => mailServer.connections() > 0);
        await begin();
        mailServer.hold(false);
        await queueMails(`${prefix}later`, 10);
        await pause(AWAY * 1000);
        expect((await fetch(`${address}/health/ready`)).status).toBe(503);
        await end();
        await until(() => arrived(prefix) === 31, SOON);
        const login = () => anonymous({ url: address }).post('/login', ADMIN);
        await until(async () => (await login()).status === 200);
        const isBack = (text: string): boolean =>
          logLinesOf(text).some(({ msg }) => msg === 'the database is back');
        await until(() => isBack(serving.output().slice(from)) && isBack(worker.output().slice(workerFrom)));
        expectFewLines(serving.output(), from);
        expectFewLines(worker.output(), workerFrom);
        for (const { stop } of [serving, worker]) expect((await stop()).errors).toBe('');
      } finally {
        mailServer.hold(false);
        for (const { child } of [serving, worker]) child.kill('SIGKILL');
      }
    },
  );
});
