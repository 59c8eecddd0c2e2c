import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { PersonErasure } from '@app/records/privacy/person-erasure';
import {
  type Customer,
  type MadeUser,
  makeCustomer,
  makeUser,
  nextNumber,
} from '../../support/factories/factories';
import { makeInvitation } from '../../support/factories/invitations-factories';
import { makeApiKey } from '../../support/factories/key-factories';
import { makeContact, makeTeam, register } from '../../support/factories/records';
import { pathOf } from '../../support/factories/users-factories';
import { placesOf } from '../../support/generators/database-search';
import { auditRows } from '../../support/service/audit';
import { type CliResult, runCli } from '../../support/service/cli';
import { asAdmin } from '../../support/service/client';
import { runJob, TEST_CONTEXT } from '../../support/service/jobs';
import { useService } from '../../support/service/service';
import { makeOlder } from '../../support/service/time';

const service = useService('A');

/** A user of one customer, and another customer that has to do with the same person. */
interface Known {
  readonly user: MadeUser;
  readonly firstName: string;
  readonly lastName: string;
  readonly whole: string;
  readonly address: string;
  readonly home: Customer;
  readonly other: Customer;
}

let known: Known;
beforeEach(async () => {
  const firstName = `Petronella${nextNumber()}`;
  const lastName = `Vandermeulen${nextNumber()}`;
  const home = await makeCustomer(service);
  const other = await makeCustomer(service);
  const { organisationId } = home;
  const user = await makeUser(service, { organisationId, firstName, lastName });
  const address = `second${nextNumber()}@private.example`;
  await makeContact(service, { organisationId, userId: user.id, name: address });
  known = { user, firstName, lastName, whole: `${firstName} ${lastName}`, address, home, other };
});

const person = (...args: string[]): Promise<CliResult> => runCli(service.database, ['person', ...args]);

const erase = (id: number, isTrial = false) =>
  service.app.get(PersonErasure).erase(TEST_CONTEXT, id, {
    isTrial,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });

const wordsOf = ({ user, whole, address }: Known): string[] => [
  user.username,
  whole,
  ...whole.split(' '),
  address,
];

const invite = (by: Known['other'], body: object) =>
  by.custadmin.client
    .post(`/organisations/${by.organisationId}/invitations`, { language: 'nl', autoRoles: '', ...body })
    .expect(201);

describe('person erase, in other organisations', () => {
  it('takes the name out of notifications of an invitation, by its address or its id', async () => {
    const { user, firstName, lastName, other } = known;
    const address = `later${nextNumber()}@example.com`;
    await invite(other, { email: address, firstName, lastName });
    // The invitation went to a wrong address first: its notification has that address.
    const response = await invite(other, { email: `typo${nextNumber()}@example.com`, firstName, lastName });
    const { id } = (response.body as { invitation: { id: number } }).invitation;
    await service.sql`UPDATE invitations SET deleted_at = now() WHERE organisation_id = ${other.organisationId}
       AND id <> ${id}`;
    await other.custadmin.client
      .put(`/organisations/${other.organisationId}/invitations/${id}`, {
        email: address,
        firstName,
        lastName,
      })
      .expect(204);
    await service.sql`UPDATE users SET username = ${address} WHERE id = ${user.id}`;
    await service.sql(
      `INSERT INTO notifications (organisation_id, notification_group, type, entity_class, entity_id, entity_name, subject)
       VALUES ($1, 'Crm', 'note', 'Organisation', $1, 'Bakery', $2)`,
      [other.organisationId, `${firstName} ${lastName} <${address}> called`],
    );
    expect((await placesOf(service, [firstName])).join()).toContain('public.notifications.entity_name');
    const report = await erase(user.id);
    expect(await placesOf(service, wordsOf(known))).toEqual([]);
    expect(report).toMatchObject({ shared: [], stillNaming: [] });
    expect(
      await service.sql`SELECT entity_name, subject FROM notifications
         WHERE organisation_id = ${other.organisationId} AND entity_class = 'Organisation'`,
    ).toEqual([{ entity_name: 'Bakery', subject: '(erased) <(erased)> called' }]);
  });

  it('says with the records what will stay, in the dry run as afterwards', async () => {
    const { user, whole, address, home, other } = known;
    const { organisationId } = home;
    const team = await makeTeam(service, organisationId, { name: `Friends of ${user.username}` });
    const objectId = 70_000 + nextNumber();
    await register(service, { kind: 'app', id: objectId, name: `App of ${user.username}`, organisationId });
    const key = await makeApiKey(service, home.custadmin.id, { name: `For ${whole}` });
    const document = nextNumber();
    await service.sql(
      `INSERT INTO documents (id, organisation_id, name, pdf_file, pdf_size, pdf_sha256)
       VALUES ($1, $2, $3, gen_random_uuid(), 1, '')`,
      [document, organisationId, `Invoice ${whole}`],
    );
    await service.sql(`UPDATE organisations SET information = $2 WHERE id = $1`, [
      other.organisationId,
      `Ask ${whole}`,
    ]);
    await service.sql(
      `INSERT INTO suspensions (organisation_id, itself, beneath, reason, by_user_id, by_organisation_id)
       VALUES ($1, true, false, $2, $3, 1), ($4, true, false, $5, $3, 1)`,
      [other.organisationId, `Told by ${whole}`, home.custadmin.id, organisationId, `${whole} (${address})`],
    );
    await makeContact(service, { organisationId, name: address });
    await makeContact(service, {
      organisationId,
      userId: user.id,
      name: `own${nextNumber()}@private.example`,
    });
    const before = await placesOf(service, wordsOf(known));
    const [{ last }] = (await service.sql`SELECT max(id)::integer AS last FROM audit_log`) as [
      { last: number },
    ];
    const trial = await erase(user.id, true);
    expect(await placesOf(service, wordsOf(known))).toEqual(before);
    const real = await erase(user.id);
    // A run writes rows of its own to the audit log. Those of the dry run are rolled back,
    // so it gives them no number.
    const stillNaming = real.stillNaming.map(({ records, ...found }) => ({
      ...found,
      records: records.map((record) =>
        found.table === 'audit_log' && (record.id ?? 0) > last ? { ...record, id: null } : record,
      ),
    }));
    expect(stillNaming).not.toEqual(real.stillNaming);
    expect(trial).toEqual({ ...real, stillNaming, dryRun: true });
    const [contact] = await service.sql<{ id: number }>`SELECT id FROM contacts WHERE name = ${address}`;
    expect(real.sharedWith).toEqual([{ word: address, table: 'contacts', id: contact?.id, organisationId }]);
    const told = new Map(real.stillNaming.map((found) => [found.table, found.records]));
    expect(told.get('teams')).toEqual([{ id: team, organisationId, fields: ['name'] }]);
    expect(told.get('api_keys')).toMatchObject([{ id: key.id, fields: ['name'] }]);
    expect(told.get('documents')).toEqual([{ id: document, organisationId, fields: ['name'] }]);
    expect(told.get('entities')).toMatchObject([{ organisationId, fields: ['name'] }]);
    expect(told.get('organisations')).toEqual([
      { id: other.organisationId, organisationId: null, fields: ['information'] },
    ]);
    expect(told.get('suspensions')).toMatchObject([
      { organisationId: other.organisationId, fields: ['reason'] },
      // The address, which a contact of the organisation has too.
      { organisationId, fields: ['reason'] },
    ]);
  });
});

describe('person erase, run again', () => {
  const remains = (id: number) =>
    service.sql<{ sealed: string; days: number }>(
      `SELECT sealed, round(extract(epoch FROM expires_at - now()) / 86400)::integer AS days
       FROM erasure_remains WHERE user_id = $1`,
      [id],
    );

  it('does what has become possible, and forgets what it looked for', async () => {
    const { user, whole, address, home, other } = known;
    const { organisationId } = home;
    const own = await makeContact(service, { organisationId, name: address });
    await service.sql(
      `INSERT INTO notifications (organisation_id, notification_group, type, entity_class, entity_id, entity_name, params)
       VALUES ($1, 'Crm', 'note', 'Organisation', $1, 'Bakery', $2)`,
      [organisationId, { who: address }],
    );
    await service.sql(`UPDATE organisations SET information = $2 WHERE id = $1`, [
      other.organisationId,
      `Ask ${user.username}`,
    ]);
    const first = await person('erase', user.username, '--yes');
    expect(first.exitCode).toBe(0);
    expect(first.output).toContain(
      `Somebody else has "${address}" too (contacts ${own}, organisation ${organisationId})`,
    );
    expect(first.output).toContain(`organisations ${other.organisationId} (information)`);
    expect(await remains(user.id)).toEqual([{ sealed: expect.stringMatching(/^v1\./), days: 30 }]);
    expect(JSON.stringify(await auditRows(service, `table_name = 'erasure_remains'`))).toBe('[]');

    const admin = await asAdmin(service);
    // Only Variant B has a route for it.
    await service.sql`DELETE FROM contacts WHERE id = ${own}`;
    // The other address still stands in a note.
    const second = await person('erase', address, '--yes', '--json');
    expect(second.report).toMatchObject({
      userId: user.id,
      shared: [],
      stillNaming: [{ table: 'organisations' }],
    });
    expect(await placesOf(service, [address, whole])).toEqual([]);
    expect(await remains(user.id)).toHaveLength(1);
    await admin
      .patch(`/organisations/${other.organisationId}`, { name: 'B', taxNumber: 'T', information: '' })
      .expect(204);
    const third = await person('erase', '--id', String(user.id), '--yes', '--json');
    expect(third.report).toMatchObject({ shared: [], stillNaming: [] });
    expect(await placesOf(service, wordsOf(known))).toEqual([]);
    expect(await remains(user.id)).toEqual([]);
  });

  it('keeps the sealed words for 30 days at most, under the first key of SECRETS_KEY', async () => {
    const { user, address, home } = known;
    await makeContact(service, { organisationId: home.organisationId, name: address });
    await erase(user.id);
    await erase(user.id);
    const later = Buffer.alloc(32, 9).toString('base64');
    const SECRETS_KEY = `${later},${Buffer.alloc(32, 7).toString('base64')}`;
    const rotated = await runCli(service.database, ['rotate-secrets', '--json'], { env: { SECRETS_KEY } });
    expect(rotated.report).toMatchObject({ erasureRemains: { unreadable: 0 } });
    await expect(erase(user.id)).rejects.toThrow(/SECRETS_KEY/);
    await makeOlder(service, 'erasure_remains', { user_id: user.id }, '30 days');
    await runJob(service, CleanUpHandler);
    expect(await remains(user.id)).toEqual([]);
  });
});

describe('person erase, whom it means', () => {
  it('finds a user by a former name and by each address, and lists all who have had one', async () => {
    const { user, address, home, other } = known;
    const former = `former${nextNumber()}@private.example`;
    const struck = await makeContact(service, {
      organisationId: home.organisationId,
      userId: user.id,
      name: `struck${nextNumber()}@private.example`,
    });
    const [row] = await service.sql<{
      name: string;
    }>`DELETE FROM contacts WHERE id = ${struck} RETURNING name`;
    await service.sql`UPDATE users SET username = ${former} WHERE id = ${user.id}`;
    await service.sql`UPDATE users SET username = ${user.username} WHERE id = ${user.id}`;
    const found = async (name: string): Promise<unknown> =>
      (await person('erase', name.toUpperCase(), '--dry-run', '--json')).report['userId'];
    for (const name of [former, address, row?.name ?? '']) expect(await found(name)).toBe(user.id);
    const second = await makeUser(service, { organisationId: other.organisationId });
    await makeContact(service, {
      organisationId: other.organisationId,
      userId: second.id,
      name: user.username,
    });
    const refused = await person('erase', user.username, '--yes');
    expect(refused).toMatchObject({ exitCode: 1, output: '' });
    expect(refused.messages.join()).toMatch(new RegExp(`--id ${user.id} \\(.*--id ${second.id} \\(`));
  });

  it('asks for --admin where the user is one, and says in plain words that nobody confirmed', async () => {
    const admin = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    const trial = await person('erase', '--id', String(admin.id), '--dry-run');
    expect(trial).toMatchObject({ exitCode: 0, output: expect.stringContaining('--admin') });
    const refused = await person('erase', '--id', String(admin.id), '--yes');
    expect(refused).toMatchObject({ exitCode: 1, messages: [expect.stringContaining('--admin')] });
    const unconfirmed = await person('erase', '--id', String(admin.id), '--admin');
    expect(unconfirmed).toMatchObject({ exitCode: 1, output: '' });
    expect(unconfirmed.messages.at(-1)).toBe('error: not confirmed: nothing was erased; scripts use --yes');
    expect(unconfirmed.messages.join()).toContain('ROLE_ADMIN');
    expect(await person('erase', '--id', String(admin.id), '--yes', '--admin')).toMatchObject({
      exitCode: 0,
    });
  });
});

describe('the deletion of a user', () => {
  it('takes the name out of notifications of another organisation’s invitation too', async () => {
    const { user, firstName, lastName, address, home, other } = known;
    const { organisationId } = other;
    const { username: email } = user;
    const made = await makeInvitation(service, { organisationId, inviterId: other.custadmin.id, email });
    const post = `INSERT INTO notifications (organisation_id, notification_group, type, entity_class, entity_id, entity_name,
        params) VALUES ($1, 'Crm', 'new', 'Invitation', $2, $3, $4) RETURNING id`;
    const [first] = await service.sql<{ id: number }>(post, [
      organisationId,
      made.id,
      known.whole,
      { email },
    ]);
    // By a contact alone in the own organisation: others may have invited somebody else who has that address.
    const own = home.organisationId;
    await service.sql(post, [own, 1, known.whole, { email: address.toUpperCase() }]);
    await service.sql(post, [own, 2, 'Somebody Else', { email: address }]);
    await service.sql(
      `INSERT INTO notification_recipients (notification_id, full_name, language, type, value, status, hash, kind)
       VALUES ($1, $2, 'nl', 'email', $3, 'queued', gen_random_uuid(), 'invited')`,
      [first?.id, known.whole, email],
    );
    await home.custadmin.client.delete(pathOf(user)).expect(204);
    const places = await placesOf(service, [firstName, lastName]);
    expect(places.filter((place) => place.includes('notification'))).toEqual([]);
    // A name that is somebody else's stays, and so does the mail of the open invitation.
    expect(
      await service.sql`SELECT entity_name, params ->> 'email' AS email FROM notifications
         WHERE organisation_id IN (${own}, ${organisationId}) AND notification_group = 'Crm' ORDER BY id`,
    ).toEqual([
      { entity_name: '', email: null },
      { entity_name: '', email: null },
      { entity_name: 'Somebody Else', email: address },
    ]);
    expect(
      await service.sql`SELECT full_name, value, status FROM notification_recipients WHERE notification_id = ${first?.id}`,
    ).toEqual([{ full_name: '', value: '', status: 'queued' }]);
  });
});
