import { makeCustomer } from '../support/factories/factories';
import { useMailServer } from '../support/faults/smtp';
import { anonymous } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { startTestService, type TestService } from '../support/service/service';

/**
 * Both variants run on one database, each with a panel of its own; either may send
 * what the other was asked for.
 */
describe('POST /resetting/send_email: links of recovery mails', () => {
  const mailServer = useMailServer();
  let a: TestService;
  let b: TestService;

  beforeAll(async () => {
    const smtpUrl = mailServer.url;
    a = await startTestService('A', {
      settings: { smtpUrl, resetUrlTemplate: 'https://new.example/reset/{token}', resetTtl: 7200 },
    });
    b = await startTestService('B', {
      database: a.database,
      settings: { smtpUrl, resetUrlTemplate: 'https://old.example/{token}/reset', resetTtl: 600 },
    });
  });
  afterAll(async () => {
    await b.stop();
    await a.stop();
  });

  it.each([
    ['A', () => [a, b] as const, 'https://new.example/reset/', '2 uur', 7200],
    ['B', () => [b, a] as const, 'https://old.example/', '10 minuten', 600],
  ])('that Variant %s was asked for are its own, and so is their lifetime', async (_, services, ...rest) => {
    const [asked, sending] = services();
    const [beginning, words, seconds] = rest;
    const { plain } = await makeCustomer(asked);
    await anonymous(asked).post('/resetting/send_email', { username: plain.username }).expect(204);
    await runJobs(sending);
    const text = mailServer.mailsTo(plain.username)[0]?.text ?? '';
    expect(text).toContain(beginning);
    expect(text).toContain(words);
    const token = /[0-9a-f]{64}/.exec(text)?.[0] ?? '';
    const lifetimes = await asked.sql(
      `SELECT extract(epoch FROM expires_at - created_at)::integer AS seconds FROM recovery_requests WHERE user_id = $1`,
      [plain.id],
    );
    expect(lifetimes).toEqual([{ seconds }]);
    await anonymous(sending).post(`/resetting/${token}`, { password: 'Nieuw-Wachtw00rd' }).expect(200);
  });
});
