import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { newPublicKey } from '../support/factories/key-factories';
import { makeContact } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import { deleteJobs, runJob, runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';

interface Notification {
  entityClass: string;
  entityName: string;
  type: string;
  params: Record<string, unknown>;
  contacts: { value: string; status: number; contactId: number; fullName: string }[];
  extraRecipients: { value: string; status: number; hash: string; fullName: string }[];
}

let organisationId: number;
let custadmin: MadeUser;
let plain: MadeUser;
let userPath: string;

const mailServer = useMailServer();
const service = useService('A', () => ({ settings: { smtpUrl: mailServer.url } }));

beforeEach(async () => {
  ({ organisationId, custadmin, plain } = await makeCustomer(service));
  userPath = `/organisations/${organisationId}/users/${plain.id}`;
  const groups = ['System', 'Crm'];
  const colleague = await makeUser(service, { organisationId });
  await makeContact(service, { organisationId, name: 'own@of.example', groups });
  await makeContact(service, { organisationId, name: 'deaf@of.example', groups: ['Finance'] });
  await makeContact(service, { organisationId, userId: custadmin.id, name: 'admin@of.example', groups });
  await makeContact(service, { organisationId, userId: colleague.id, name: 'colleague@of.example', groups });
  mailServer.mails.length = 0;
});

/** Who was mailed, once the jobs have run. */
async function mailed(): Promise<string[]> {
  await runJobs(service);
  return mailServer.mails.flatMap(({ to }) => to).sort();
}

async function listed(entityClass: string, type?: string): Promise<Notification> {
  const { body } = await custadmin.client
    .get(`/organisations/${organisationId}/notifications?limit=0&orderType=desc`)
    .expect(200);
  const { notifications } = body as { notifications: Notification[] };
  return notifications.find(
    (one) => one.entityClass === entityClass && (type === undefined || one.type === type),
  ) as Notification;
}

const TOLD = ['admin@of.example', 'own@of.example'];

describe('security events of a user', () => {
  const changePassword = () =>
    plain.client
      .post(`${userPath}/changepassword`, { oldPassword: PASSWORD, password: 'An0ther-Passw0rd' })
      .expect(200);

  it('go to its own name and to the contacts of the organisation and its CUSTADMINs', async () => {
    await changePassword();
    expect(await mailed()).toEqual([...TOLD, plain.username].sort());
    const { contacts, extraRecipients } = await listed('User');
    expect(contacts.map(({ value }) => value).sort()).toEqual(TOLD);
    expect(extraRecipients).toMatchObject([{ value: plain.username, status: 1, hash: '' }]);
    const own = mailServer.mailsTo(plain.username)[0];
    expect(own?.text).toContain('gebruikersnaam van uw account');
  });

  it('tell an address once, as a contact where it is one, and the own name always', async () => {
    const contactId = await makeContact(service, {
      organisationId,
      userId: plain.id,
      name: plain.username.toUpperCase(),
    });
    await changePassword();
    await service.sql`DELETE FROM contacts WHERE id = ${contactId}`;
    expect(await mailed()).toEqual([...TOLD, plain.username].sort());
    const { contacts, extraRecipients } = await listed('User');
    expect(extraRecipients).toEqual([]);
    expect(contacts).toContainEqual(expect.objectContaining({ contactId, value: plain.username, status: 1 }));
  });

  it('are new SSH keys, and a changed name, which both names are told', async () => {
    await plain.client.post(`${userPath}/sshkeys`, { content: newPublicKey() }).expect(201);
    expect(await mailed()).toContain(plain.username);
    mailServer.mails.length = 0;
    const newName = `renamed.${plain.username}`;
    await custadmin.client
      .patch(userPath, { username: newName, firstName: 'Jan', lastName: 'de Vries' })
      .expect(204);
    expect(await mailed()).toEqual([...TOLD, newName, plain.username].sort());
  });

  it('are contacts that come or go, told to the address that went too', async () => {
    const { body } = await plain.client
      .post(`${userPath}/contacts`, { type: 'email', name: 'gone@of.example' })
      .expect(201);
    const { id } = (body as { contact: { id: number } }).contact;
    expect(await mailed()).toEqual([...TOLD, plain.username].sort());
    mailServer.mails.length = 0;
    await plain.client
      .put(`${userPath}/contacts/${id}`, { type: 'email', name: 'other@of.example' })
      .expect(204);
    expect(await mailed()).toEqual([...TOLD, 'gone@of.example', plain.username].sort());
    mailServer.mails.length = 0;
    await plain.client.delete(`${userPath}/contacts/${id}`).expect(204);
    expect(await mailed()).toEqual([...TOLD, 'other@of.example', plain.username].sort());
    expect((await listed('Contact')).type).toBe('removed');
    const audited =
      await service.sql`SELECT action, actor_user_id FROM audit_log WHERE table_name = 'contacts'
         AND record_id = ${id} ORDER BY id`;
    expect(audited).toEqual([
      { action: 'insert', actor_user_id: plain.id },
      { action: 'update', actor_user_id: plain.id },
      { action: 'delete', actor_user_id: plain.id },
    ]);
  });
});

describe('an invitation', () => {
  const email = 'piet@invited.example';
  const invite = async (): Promise<number> => {
    const { body } = await custadmin.client
      .post(`/organisations/${organisationId}/invitations`, { email, firstName: 'Piet', lastName: 'Puk' })
      .expect(201);
    return (body as { invitation: { id: number } }).invitation.id;
  };

  it('is told to the contacts without the inviter, and shows the invited person with its delivery', async () => {
    await invite();
    expect((await listed('Invitation')).extraRecipients).toMatchObject([
      { value: email, fullName: 'Piet Puk', status: 0 },
    ]);
    expect(await mailed()).toEqual([...TOLD, email].sort());
    expect((await listed('Invitation')).extraRecipients).toMatchObject([{ value: email, status: 1 }]);
  });

  it('has failed when the last try of its mail was killed before it could say so', async () => {
    const id = await invite();
    mailServer.refuse(true);
    await runJobs(service);
    mailServer.refuse(false);
    const setJob = (values: string) =>
      service.sql(`UPDATE ${JOB_TABLE} SET ${values} WHERE key = $1`, [`invitation:${id}`]);
    const shown = async (): Promise<object | undefined> => {
      await runJob(service, CleanUpHandler);
      return (await listed('Invitation', 'new')).extraRecipients[0];
    };
    expect(await shown()).toMatchObject({ status: 0 });
    await setJob(`attempts = max_attempts, locked_at = now(), locked_by = 'worker'`);
    expect(await shown()).toMatchObject({ status: 0 });
    // Its lease has ended.
    await setJob('locked_at = NULL, locked_by = NULL');
    expect(await shown()).toMatchObject({ value: email, status: 2 });
    // Sent again to another address, it waits again.
    const body = { email: `again.${email}`, firstName: 'Piet', lastName: 'Puk' };
    await custadmin.client.put(`/organisations/${organisationId}/invitations/${id}`, body).expect(204);
    expect(await shown()).toMatchObject({ value: body.email, status: 0 });
    await deleteJobs(service);
  });

  it('that is withdrawn before its mail went is skipped', async () => {
    const id = await invite();
    await custadmin.client.delete(`/organisations/${organisationId}/invitations/${id}`).expect(204);
    expect(await mailed()).toEqual(TOLD);
    expect((await listed('Invitation')).extraRecipients).toMatchObject([{ value: email, status: 4 }]);
  });
});

describe('a notification that somebody writes', () => {
  it('goes to every contact with the group; subject and message are the mail, other params lines of it', async () => {
    await custadmin.client
      .post(`/organisations/${organisationId}/notifications`, {
        type: 'maintenance',
        group: 'System',
        params: { subject: 'Tonight', message: 'We move.', window: ['22:00', '23:00'], room: 'B' },
      })
      .expect(201);
    expect(await mailed()).toEqual(['admin@of.example', 'colleague@of.example', 'own@of.example']);
    const [mail] = mailServer.mails;
    expect(mail?.headers.get('subject')).toBe('Tonight');
    expect(mail?.text).toContain('We move.');
    expect(mail?.text).toMatch(/^room: B\r?\nwindow: \["22:00","23:00"\]\r?$/m);
  });
});

describe('a deleted user', () => {
  it('leaves neither name nor address in notifications and their recipients', async () => {
    await makeContact(service, {
      organisationId,
      userId: plain.id,
      name: 'mine@of.example',
      groups: ['App'],
    });
    await custadmin.client
      .post(`/organisations/${organisationId}/notifications`, { type: 'x', group: 'App' })
      .expect(201);
    await plain.client.post(`${userPath}/contacts`, { type: 'email', name: 'new@of.example' }).expect(201);
    await mailed();
    await plain.client
      .post(`${userPath}/changepassword`, { oldPassword: PASSWORD, password: 'An0ther-Passw0rd' })
      .expect(200);
    mailServer.mails.length = 0;
    await custadmin.client.delete(userPath).expect(204);
    const rows = await service.sql`SELECT n::text, r::text FROM notifications n LEFT
         JOIN notification_recipients r ON r.notification_id = n.id
       WHERE n.organisation_id = ${organisationId}`;
    const text = JSON.stringify(rows);
    for (const trace of [plain.username, 'mine@of.example', 'new@of.example']) {
      expect(text).not.toContain(trace);
    }
    // What waited for the user is not sent any more.
    expect(await mailed()).toEqual(TOLD);
  });
});
