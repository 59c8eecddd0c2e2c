import { MailTransport } from '@app/mail/mail-transport';
import { anonymous } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { ADMIN, useService } from '../support/service/service';

describe('a mail transport that fails', () => {
  const transport: MailTransport = {
    deliver: ({ to }) => Promise.reject(new Error(`550 <${to.toUpperCase()}>: no mail today`)),
  };
  const service = useService('A', { overrides: [[MailTransport, transport]] });

  it('fails no request and leaves the mail for a later try, without the address in what failed', async () => {
    await anonymous(service).post('/resetting/send_email', { username: ADMIN.username }).expect(204);
    await runJobs(service);
    const jobs = await service.sql(
      `SELECT attempts, last_error, run_at > now() AS waits FROM graphile_worker.jobs
       WHERE task_identifier = 'mail.send'`,
    );
    expect(jobs).toEqual([{ attempts: 1, last_error: '550 <(address)>: no mail today', waits: true }]);
  });
});
