import { Client } from 'pg';
import { NOTIFICATION_BY_ID } from '@app/people/notifications/notification.columns';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { type MadeUser, makeCustomer, makeUser } from '../support/factories/factories';
import { makeContact, makeNotification } from '../support/factories/records';
import { asAdmin, failingFields } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';

interface Notification {
  id: number;
  type: string;
  params: unknown;
  contacts: { value: string; status: number }[];
  [field: string]: unknown;
}

/** What stands for a user who was deleted, and where nobody was logged in. */
const NOBODY = { id: 0, username: '', email: '', firstName: '', lastName: '', roles: [] };

const service = useService('A');
let organisationId: number;
let custadmin: MadeUser;
let plain: MadeUser;
let path: string;

beforeEach(async () => {
  ({ organisationId, custadmin, plain } = await makeCustomer(service, { name: 'Bakkerij de Vries' }));
  path = `/organisations/${organisationId}/notifications`;
  // Another customer's rows stand in every list.
  const other = await makeCustomer(service);
  await makeNotification(service, { organisationId: other.organisationId, group: 'Crm' });
});

const list = async (query = '', { client } = custadmin): Promise<Notification[]> =>
  ((await client.get(`${path}${query}`).expect(200)).body as { notifications: Notification[] }).notifications;

const post = async (body: object): Promise<Notification> =>
  ((await custadmin.client.post(path, body).expect(201)).body as { notificationOrganisation: Notification })
    .notificationOrganisation;

const idsOf = (notifications: Notification[]): number[] => notifications.map(({ id }) => id);

describe('GET …/notifications: the record', () => {
  it('is the same after creation and in lists, until the jobs have told its contacts', async () => {
    const name = 'all@vries.example';
    const contactId = await makeContact(service, { organisationId, name, groups: ['System'] });
    const created = await post({ type: 'maintenance', group: 'System' });
    expect(await list()).toEqual([created]);
    await runJobs(service);
    const contact = {
      id: expect.any(Number) as number,
      dtStamp: expect.stringMatching(/^\d{10}$/) as string,
      fullName: 'Bakkerij de Vries',
      language: 'nl',
      message: '',
      status: 1,
      type: 'email',
      value: name,
      contactId,
    };
    expect(await list()).toEqual([
      { ...created, status: 1, statusDisplay: 'sent', statusCategory: 'green', contacts: [contact] },
    ]);
  });

  it('shows recipients that are no contacts apart', async () => {
    const id = await makeNotification(service, { organisationId, subject: 'Moving house' });
    const hash = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
    const [extra] = await service.sql<{ id: number }>(
      `INSERT INTO notification_recipients (notification_id, full_name, language, type, value, status, hash, created_at)
       VALUES ($1, 'Piet Puk', 'fr', 'phone', '+32470123456', 'skipped', $2, to_timestamp(1767225600)) RETURNING id`,
      [id, hash],
    );
    expect(await list()).toMatchObject([
      {
        subject: 'Moving house',
        userId: null,
        user: NOBODY,
        contacts: [],
        extraRecipients: [
          {
            id: extra?.id,
            dtStamp: '1767225600',
            fullName: 'Piet Puk',
            language: 'fr',
            status: 4,
            type: 'phone',
            value: '+32470123456',
            hash: '',
          },
        ],
      },
    ]);
  });

  it('shows the first 2,000 recipients', async () => {
    const id = await makeNotification(service, { organisationId });
    await service.sql`
      INSERT INTO notification_recipients (notification_id, full_name, language, type, value, status, hash)
      SELECT ${id}, 'Piet Puk', 'fr', 'phone', '+32' || (470000000 + number), 'skipped', gen_random_uuid()
      FROM generate_series(1, 2001) number`;
    const [shown] = await list();
    const values = (shown?.['extraRecipients'] as { value: string }[]).map(({ value }) => value);
    expect(values).toHaveLength(2000);
    expect(values).not.toContain('+32470002001');
  });

  it('forgets the name of a deleted user, not the id', async () => {
    await makeNotification(service, { organisationId, userId: custadmin.id });
    await service.sql`UPDATE users SET deleted_at = now() WHERE id = ${custadmin.id}`;
    expect(await list('', plain)).toMatchObject([{ userId: custadmin.id, user: NOBODY }]);
  });
});

describe('POST …/notifications', () => {
  it('is answered with what is true before any job has run, however fast the jobs are', async () => {
    await makeContact(service, { organisationId, groups: ['System'] });
    const reads = service.app.get(DatabaseReads);
    const row = reads.row.bind(reads);
    // What is read after the commit may be read after the jobs.
    const late = jest.spyOn(reads, 'row').mockImplementation(async (statement, values) => {
      if (statement === (NOTIFICATION_BY_ID as unknown)) await runJobs(service);
      return row(statement, values);
    });
    const created = await post({ type: 'maintenance', group: 'System' }).finally(() => late.mockRestore());
    expect(created).toMatchObject({
      status: 0,
      statusDisplay: 'queued',
      statusCategory: 'grey',
      contacts: [],
    });
  });

  it('stores nothing of a wrong one', async () => {
    const body = { type: 'x\0', group: 'Job', params: [] };
    const { body: response } = await custadmin.client.post(path, body).expect(400);
    expect(failingFields({ body: response })).toEqual(['group', 'params', 'type']);
    expect(await list()).toEqual([]);
  });

  it.each([undefined, null, {}])('takes params %j as none', async (params) => {
    expect((await post({ type: 'x', group: 'App', params })).params).toEqual({});
  });

  // rule requests 21
  it('takes no number in params whose digits are lost', async () => {
    const body = { type: 'x', group: 'App', params: { orders: [{ id: Number.MAX_SAFE_INTEGER + 1 }] } };
    const { body: response } = await custadmin.client.post(path, body).expect(400);
    expect(response).toMatchObject({ reasons: { params: ['WRONG_TYPE'] } });
    expect(await list()).toEqual([]);
  });

  it('gives params back as they came', async () => {
    const params = {
      a: null,
      b: [1, null, { c: 'é 𝄞' }],
      d: { e: { f: true } },
      constructor: 'x',
      'dotted.key': 1.5,
    };
    expect((await post({ type: 'x', group: 'App', params })).params).toEqual(params);
  });
});

describe('GET …/notifications: lists', () => {
  it('are csv where that is asked for', async () => {
    await makeContact(service, { organisationId, name: 'a@vries.example', groups: ['App'] });
    await makeContact(service, { organisationId, name: 'b@vries.example', groups: ['App'] });
    const { id } = await post({ type: 'x', group: 'App', params: { a: 1 } });
    await runJobs(service);
    const { text } = await custadmin.client.get(`${path}?format=csv`).expect(200);
    const [header, row, ...rest] = text.split('\r\n');
    expect(header).toContain('id,entityIndex,entityName,dtStamp,notificationGroup,type,');
    expect(row).toContain(`${id},Organisation-${organisationId},Bakkerij de Vries,`);
    expect(row).toContain(',1;1,email;email,a@vries.example;b@vries.example,');
    expect(rest).toEqual(['']);
  });

  it('have those of a type', async () => {
    const crm = await makeNotification(service, { organisationId, group: 'Crm', type: 'new' });
    const mail = await makeNotification(service, { organisationId, group: 'Mail', type: 'new' });
    await makeNotification(service, { organisationId, group: 'System', type: 'newest' });
    expect(idsOf(await list('?type=new'))).toEqual([crm, mail]);
    expect(idsOf(await list('/crm?type=new'))).toEqual([crm]);
    expect(idsOf(await list('/crm?type=newest'))).toEqual([]);
  });

  it('takes two queries a request, whatever the page size', async () => {
    for (let count = 0; count < 30; count++)
      await makeNotification(service, { organisationId, userId: plain.id });
    const query = jest.spyOn(Client.prototype, 'query');
    try {
      expect(await list('?limit=30')).toHaveLength(30);
      expect(query).toHaveBeenCalledTimes(2);
    } finally {
      query.mockRestore();
    }
  });
});

describe('GET …/notifications: recipients', () => {
  /** The notification as it is once the jobs have run. */
  const settled = async (body: object): Promise<Notification> => {
    const { id } = await post(body);
    await runJobs(service);
    return (await list('?limit=0')).find((one) => one.id === id) as Notification;
  };
  const told = async (group = 'Finance'): Promise<string[]> =>
    (await settled({ type: 'invoice', group })).contacts.map(({ value }) => value).sort();

  it('are the contacts of the organisation and of its enabled users that chose the group, once an address', async () => {
    const disabled = await makeUser(service, { organisationId, enabled: false });
    const deleted = await makeUser(service, { organisationId });
    await service.sql`UPDATE users SET deleted_at = now() WHERE id = ${deleted.id}`;
    const other = await makeCustomer(service);
    const groups = ['Finance'];
    await makeContact(service, { organisationId, name: 'own@vries.example', groups });
    await makeContact(service, { organisationId, name: 'Twice@vries.example', groups });
    await makeContact(service, { organisationId, userId: plain.id, name: 'twice@vries.example', groups });
    await makeContact(service, { organisationId, name: 'mail@vries.example', groups: ['Mail'] });
    await makeContact(service, {
      organisationId,
      userId: disabled.id,
      name: 'disabled@vries.example',
      groups,
    });
    await makeContact(service, { organisationId, userId: deleted.id, name: 'deleted@vries.example', groups });
    await makeContact(service, { organisationId: other.organisationId, name: 'other@example.com', groups });
    expect(await told()).toEqual(['own@vries.example', 'twice@vries.example']);
    expect(await told('Mail')).toEqual(['mail@vries.example']);
  });

  it('are skipped where there is no sender, and with nobody to wait for it is over', async () => {
    await service.sql(
      `INSERT INTO contacts (organisation_id, type, name, unique_key, groups)
       VALUES ($1, 'phone', '+31201234567', '+31201234567', '{App}'), ($1, 'slack', '#ops', '#ops', '{App}')`,
      [organisationId],
    );
    expect(await settled({ type: 'x', group: 'App' })).toMatchObject({
      status: 1,
      contacts: [{ status: 4 }, { status: 4 }],
    });
    expect(await settled({ type: 'x', group: 'Mail' })).toMatchObject({ status: 1, contacts: [] });
  });
});

describe('a reader who may not know', () => {
  /** What stands for the user of a notification. */
  const hidden = (username: string) => ({
    userId: 0,
    user: { id: 0, username, email: '', firstName: '', lastName: '', roles: [] },
  });
  const of = ({ id, username }: MadeUser) => ({ userId: id, user: { id, username } });

  it('is told of operator and manager instead of the user, as by the audit log', async () => {
    const operator = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    const clerk = await makeUser(service, { organisationId: 1, roles: ['ROLE_CUSTADMIN'] });
    const above = await makeCustomer(service);
    await service.sql`UPDATE organisations SET reseller_id = ${above.organisationId} WHERE id = ${organisationId}`;
    for (const { id } of [operator, clerk, above.custadmin, custadmin, plain])
      await makeNotification(service, { organisationId, userId: id });
    const seen = { custadmin: of(custadmin), plain: of(plain) };
    const hiddenAbove = [hidden('operator'), hidden('operator'), hidden('manager')];
    for (const reader of [plain, custadmin])
      expect(await list('', reader)).toMatchObject([...hiddenAbove, seen.custadmin, seen.plain]);
    expect(await list('', above.custadmin)).toMatchObject([
      ...hiddenAbove.slice(0, 2),
      of(above.custadmin),
      seen.custadmin,
      seen.plain,
    ]);
    expect(await list('', { ...plain, client: await asAdmin(service) })).toMatchObject(
      [operator, clerk, above.custadmin, custadmin, plain].map(of),
    );
    await service.sql`UPDATE users SET deleted_at = now(), enabled = false WHERE id = ${above.custadmin.id}`;
    expect((await list('', plain))[2]).toMatchObject(hidden('manager'));
    const { text } = await plain.client.get(`${path}?format=csv`).expect(200);
    for (const { username } of [operator, clerk, above.custadmin]) expect(text).not.toContain(username);
    const ordered = await list('?orderBy=userId', plain);
    expect(ordered.map(({ userId }) => userId)).toEqual([0, 0, 0, custadmin.id, plain.id]);
  });

  it('sees no recipients, who are for managers', async () => {
    await makeContact(service, { organisationId, name: 'all@vries.example', groups: ['App'] });
    const { id } = await post({ type: 'x', group: 'App' });
    await service.sql`INSERT INTO notification_recipients (notification_id, full_name, language, type, value, status, hash)
       VALUES (${id}, 'Piet Puk', 'fr', 'phone', '+32470123456', 'skipped', gen_random_uuid())`;
    await runJobs(service);
    const above = await makeCustomer(service);
    await service.sql`UPDATE organisations SET reseller_id = ${above.organisationId} WHERE id = ${organisationId}`;
    for (const reader of [custadmin, above.custadmin])
      expect(await list('', reader)).toMatchObject([
        { contacts: [{ value: 'all@vries.example' }], extraRecipients: [{ value: '+32470123456' }] },
      ]);
    const books = await makeUser(service, { organisationId, roles: ['ROLE_FINANCE'] });
    for (const reader of [plain, books])
      expect(await list('', reader)).toMatchObject([{ contacts: [], extraRecipients: [] }]);
    expect(await list('/crm', plain)).toEqual([]);
  });
});
