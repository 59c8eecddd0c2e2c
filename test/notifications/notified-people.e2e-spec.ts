import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { makeBrand } from '../support/factories/brands-factories';
import { type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { newPublicKey } from '../support/factories/key-factories';
import { makeContact } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import { type ApiClient, asAdmin } from '../support/service/client';
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

/** rule notifications 8 */
describe('who caused the notification', () => {
  beforeEach(() =>
    makeContact(service, {
      organisationId,
      userId: custadmin.id,
      name: custadmin.username,
      groups: ['System', 'Crm'],
    }),
  );

  it('is mailed no notifications of Crm, which the others are', async () => {
    const invited = { email: `invited${organisationId}@of.example`, firstName: 'New', lastName: 'User' };
    await custadmin.client.post(`/organisations/${organisationId}/invitations`, invited).expect(201);
    expect(await mailed()).toEqual([...TOLD, invited.email].sort());
  });

  it('is mailed notifications of Crm that another caused, and what is posted', async () => {
    const other = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
    const invited = { email: `invited${organisationId}@of.example`, firstName: 'New', lastName: 'User' };
    await other.client.post(`/organisations/${organisationId}/invitations`, invited).expect(201);
    expect(await mailed()).toEqual([...TOLD, custadmin.username, invited.email].sort());
    mailServer.mails.length = 0;
    await custadmin.client
      .post(`/organisations/${organisationId}/notifications`, { type: 'x', group: 'Crm' })
      .expect(201);
    expect(await mailed()).toContain(custadmin.username);
  });

  it('is greeted by name where a contact is its own verified name', async () => {
    await custadmin.client
      .post(`/organisations/${organisationId}/servicekeys`, { name: 'Key', operations: ['users.list'] })
      .expect(201);
    await runJobs(service);
    expect(mailServer.mailsTo(custadmin.username)[0]?.text).toMatch(/^Beste Jan de Vries,/);
    expect(mailServer.mailsTo('admin@of.example')[0]?.text).toMatch(/^Goedendag,/);
  });

  it('is mailed all notifications of System: the account may be in other hands', async () => {
    await custadmin.client
      .post(`/organisations/${organisationId}/servicekeys`, { name: 'Key', operations: ['users.list'] })
      .expect(201);
    expect(await mailed()).toEqual([...TOLD, custadmin.username].sort());
  });
});

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
    expect(own?.text).toContain('dit adres de gebruikersnaam is van uw account');
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

describe('POST …/invitations: an invitation', () => {
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

/** rule notifications 47 */
describe('POST …/notifications: a notification that somebody writes', () => {
  it('goes to every contact with the group; subject and message are the mail of verified user names, other params lines of it', async () => {
    const verified = plain.username;
    await makeContact(service, { organisationId, name: verified, groups: ['System'] });
    await custadmin.client
      .post(`/organisations/${organisationId}/notifications`, {
        type: 'maintenance',
        group: 'System',
        params: { subject: 'Tonight', message: 'We move.', window: ['22:00', '23:00'], room: 'B' },
      })
      .expect(201);
    expect(await mailed()).toEqual(
      ['admin@of.example', 'colleague@of.example', 'own@of.example', verified].sort(),
    );
    const [mail] = mailServer.mailsTo(verified);
    expect(mail?.headers.get('subject')).toBe('Tonight');
    expect(mail?.text).toContain('We move.');
    expect(mail?.text).toMatch(/^room: B\r?\nwindow: \["22:00","23:00"\]\r?$/m);
    const others = mailServer.mails.filter((one) => one !== mail);
    expect(others.map(({ headers }) => headers.get('subject'))).toEqual(
      Array.from({ length: 3 }, () => 'Er staat een bericht voor u klaar'),
    );
    for (const { raw, text, html } of others)
      for (const part of [raw, text, html])
        expect(part).not.toMatch(/Tonight|We move|room|maintenance|22:00/);
    await custadmin.client.get(`/organisations/${organisationId}/notifications`).expect(200);
    expect((await listed('Organisation')).params).toMatchObject({ subject: 'Tonight' });
  });

  const post = (client: ApiClient) =>
    client
      .post(`/organisations/${organisationId}/notifications`, {
        type: 'x',
        group: 'System',
        params: { subject: 'Tonight' },
      })
      .expect(201);
  const subjects = async () => {
    await mailed();
    return new Set(mailServer.mails.splice(0).map(({ headers }) => headers.get('subject')));
  };

  it('keeps its words to all where the operator writes it, or an organisation with a brand of its own', async () => {
    await post(await asAdmin(service));
    expect(await subjects()).toEqual(new Set(['Tonight']));
    const reseller = await makeCustomer(service);
    await service.sql`UPDATE organisations SET reseller_id = ${reseller.organisationId} WHERE id = ${organisationId}`;
    await post(reseller.custadmin.client);
    expect(await subjects()).toEqual(new Set(['Er staat een bericht voor u klaar']));
    await makeBrand(service, reseller.organisationId);
    await post(reseller.custadmin.client);
    expect(await subjects()).toEqual(new Set(['Tonight']));
    // The brand of another organisation is none of its own.
    await post(custadmin.client);
    expect(await subjects()).toEqual(new Set(['Er staat een bericht voor u klaar']));
  });

  it('keeps its words from the verified names of other organisations, and from unverified ones', async () => {
    const other = await makeCustomer(service);
    const unverified = await makeUser(service, { organisationId });
    await service.sql`UPDATE users SET username_verified = false WHERE id = ${unverified.id}`;
    for (const name of [other.plain.username, unverified.username])
      await makeContact(service, { organisationId, name, groups: ['System'] });
    await post(custadmin.client);
    expect(await subjects()).toEqual(new Set(['Er staat een bericht voor u klaar']));
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
    // Notifications that waited for the user leave, from an encrypted address.
    expect(await mailed()).toEqual([...TOLD, plain.username].sort());
  });
});
