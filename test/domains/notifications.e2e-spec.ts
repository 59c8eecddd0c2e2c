import { MailTransport } from '@app/mail/mail-transport';
import { anonymous, asAdmin } from '../support/service/client';
import { makeOrganisation, makeUser, PASSWORD } from '../support/factories/factories';
import { runJobs } from '../support/service/jobs';
import { ADMIN, describeService, useService } from '../support/service/service';
import { VARIANTS } from '../support/service/variants';

describeService(VARIANTS, 'what happens in Variant %s', (service) => {
  it('is recorded in one transaction with a password change, or not at all', async () => {
    const organisation = await makeOrganisation(service);
    const user = await makeUser(service, { organisationId: organisation });
    const change = (oldPassword: string) =>
      user.client.post(`/organisations/${organisation}/users/${user.id}/changepassword`, {
        oldPassword,
        password: 'An0ther-Passw0rd',
      });
    await change('wrong').expect(400);
    const recorded = (): Promise<object[]> =>
      service.sql`SELECT notification_group, type, entity_class, entity_id, user_id FROM notifications
         WHERE organisation_id = ${organisation}`;
    expect(await recorded()).toEqual([]);
    await change(PASSWORD).expect(200);
    expect(await recorded()).toEqual([
      {
        notification_group: 'System',
        type: 'password_changed',
        entity_class: 'User',
        entity_id: user.id,
        user_id: user.id,
      },
    ]);
  });

  it('are read and written by routes of both variants', async () => {
    const admin = await asAdmin(service);
    await admin.get('/organisations/1/notifications').expect(200);
    await admin.get('/organisations/1/notifications/crm').expect(200);
    await admin.post('/organisations/1/notifications', { type: 'x', group: 'App' }).expect(201);
  });
});

describe('a mail transport that fails', () => {
  const transport: MailTransport = { deliver: () => Promise.reject(new Error('no mail today')) };
  const service = useService('A', { overrides: [[MailTransport, transport]] });

  it('fails no request and leaves the mail for a later try', async () => {
    await anonymous(service).post('/resetting/send_email', { username: ADMIN.username }).expect(204);
    await runJobs(service);
    const jobs = await service.sql(
      `SELECT attempts, last_error, run_at > now() AS waits FROM graphile_worker.jobs
       WHERE task_identifier = 'mail.send'`,
    );
    expect(jobs).toEqual([
      { attempts: 1, last_error: expect.stringContaining('no mail today'), waits: true },
    ]);
  });
});
