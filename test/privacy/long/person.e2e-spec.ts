import { readFileSync, statSync } from 'node:fs';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { ErasureInterrupted, PersonErasure } from '@app/records/privacy/person-erasure';
import { makeUser } from '../../support/factories/factories';
import { makeInvitation } from '../../support/factories/invitations-factories';
import {
  BYSTANDER,
  PLANTED,
  PLANTED_TEXTS,
  type PlantedPerson,
  plantPerson,
} from '../../support/factories/planted-person';
import { makeContact } from '../../support/factories/records';
import { pathOf } from '../../support/factories/users-factories';
import { placesOf } from '../../support/generators/database-search';
import { auditRows } from '../../support/service/audit';
import { type CliResult, runCli } from '../../support/service/cli';
import { useFiles } from '../../support/service/files';
import { TEST_CONTEXT } from '../../support/service/jobs';
import { ADMIN, useServicePerTest } from '../../support/service/service';

const service = useServicePerTest('A', { settings: { trustedProxies: ['127.0.0.1'] } });
const files = useFiles();

let planted: PlantedPerson;
beforeEach(async () => {
  planted = await plantPerson(service);
});

const person = (...args: string[]): Promise<CliResult> => runCli(service.database, ['person', ...args]);

const LOOK_ALIKES = Object.values(BYSTANDER);

const tablesOf = (places: readonly string[]): string[] =>
  [...new Set(places.map((place) => place.split('.').slice(0, 2).join('.')))].sort();

describe('cli person erase', () => {
  it('leaves no planted value anywhere in the database, where every one was found before', async () => {
    const before = await placesOf(service, PLANTED_TEXTS);
    for (const text of PLANTED_TEXTS) expect(before.join('\n')).toContain(`: ${text}`);
    expect(tablesOf(before)).toEqual([
      JOB_TABLE,
      'public.api_keys',
      'public.audit_log',
      'public.contacts',
      'public.former_contacts',
      'public.invitations',
      'public.known_networks',
      'public.login_notices',
      'public.logins',
      'public.mails',
      'public.notification_recipients',
      'public.notifications',
      'public.passkeys',
      'public.recovery_requests',
      'public.ssh_keys',
      'public.trusted_devices',
      'public.user_preferences',
      'public.users',
    ]);

    const { exitCode, report, messages } = await person('erase', PLANTED.username, '--yes', '--json');
    expect({ exitCode, messages }).toEqual({ exitCode: 0, messages: [] });
    expect(await placesOf(service, PLANTED_TEXTS, LOOK_ALIKES)).toEqual([]);
    expect(report).toMatchObject({ userId: planted.person.id, dryRun: false });
    const touched = report['touched'] as { table: string; rows: number }[];
    expect(touched.map(({ table }) => table).sort()).toEqual([
      'api_keys',
      'audit_log',
      'contacts',
      'first_logins',
      'former_contacts',
      JOB_TABLE,
      'invitations',
      'known_networks',
      'login_links',
      'login_notices',
      'logins',
      'mails',
      'notification_recipients',
      'notifications',
      'passkey_challenges',
      'passkeys',
      'recovery_codes',
      'recovery_requests',
      'ssh_keys',
      'stored_responses',
      'team_members',
      'trusted_devices',
      'user_preferences',
      'users',
    ]);
    expect(touched.every(({ rows }) => rows > 0)).toBe(true);
    await planted.person.client.get('/whoami').expect(401);
  });

  it('keeps ids, what others did, and those whose names look alike', async () => {
    const rows = await auditRows(service, 'true');
    await person('erase', '--id', String(planted.person.id), '--yes');
    const after = await auditRows(service, 'true');
    const { organisationId, bystander } = planted;
    // Rows are reworded, never lost.
    const kept = ({
      action,
      table_name,
      record_id,
      actor_user_id,
      organisation_id,
    }: (typeof rows)[number]) => [action, table_name, record_id, actor_user_id, organisation_id];
    expect(after.slice(0, rows.length).map(kept)).toEqual(rows.map(kept));
    expect(await service.sql`SELECT username FROM users WHERE id = ${bystander.id}`).toEqual([
      { username: BYSTANDER.username },
    ]);
    expect(await service.sql`SELECT name FROM contacts WHERE user_id = ${bystander.id}`).toEqual([
      { name: BYSTANDER.contact },
    ]);
    const users =
      await service.sql`SELECT id, username, first_name, deleted_at IS NOT NULL AS deleted FROM users
         WHERE id = ${planted.person.id}`;
    const { id } = planted.person;
    expect(users).toEqual([{ id, username: `erased-${id}`, first_name: '', deleted: true }]);
    const mails = await service.sql<{ address: string; texts: { text: string } }>(
      `SELECT address, texts FROM mails WHERE template = 'notification'`,
    );
    expect(mails.map(({ address, texts }) => [address, texts.text])).toEqual([
      ['piet@example.com', 'Somebody has left.'],
    ]);
    expect(
      await service.sql`SELECT count(*)::integer AS n FROM notifications
         WHERE organisation_id = ${organisationId}`,
    ).not.toEqual([{ n: 0 }]);
  });

  it('is on record, with who did it and nothing of what was erased', async () => {
    await person('erase', PLANTED.username, '--yes');
    const rows = await auditRows(service, `table_name = 'audit_log'`);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row).toMatchObject({
        action: 'update',
        actor_credential_kind: 'command',
        request_id: 'person erase',
        before: null,
      });
      expect(Object.keys(row.after ?? {}).sort()).toEqual([
        'first_at',
        'first_id',
        'last_at',
        'last_id',
        'rows',
      ]);
    }
    const again = await person('erase', '--id', String(planted.person.id), '--yes', '--json');
    expect(again.report).toMatchObject({ touched: [] });
  });

  it('says what it would do and changes nothing with --dry-run', async () => {
    const before = await placesOf(service, PLANTED_TEXTS);
    const trial = await person('erase', PLANTED.username, '--dry-run', '--json');
    expect(trial.exitCode).toBe(0);
    expect(await placesOf(service, PLANTED_TEXTS)).toEqual(before);
    await planted.person.client.get('/whoami').expect(200);
    const real = await person('erase', PLANTED.username, '--yes', '--json');
    expect(trial.report).toEqual({ ...real.report, dryRun: true });
  });

  it('asks first, and leaves everything where the answer is another', async () => {
    const { id } = planted.person;
    const ask = (input: string) => runCli(service.database, ['person', 'erase', PLANTED.username], { input });
    expect(await ask('yes\n')).toMatchObject({ exitCode: 1, output: '' });
    await planted.person.client.get('/whoami').expect(200);
    expect(await ask(`${id}\n`)).toMatchObject({ exitCode: 0 });
    await planted.person.client.get('/whoami').expect(401);
  });

  it('refuses the last admin, with nothing half done', async () => {
    const before = await placesOf(service, [ADMIN.username]);
    const refused = await person('erase', ADMIN.username, '--yes', '--admin');
    expect(refused.exitCode).toBe(1);
    expect(refused.messages.join('\n')).toContain(
      'The last enabled admin cannot be deleted, disabled or demoted.',
    );
    expect(await placesOf(service, [ADMIN.username])).toEqual(before);
    await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    expect(await person('erase', ADMIN.username, '--yes', '--admin')).toMatchObject({ exitCode: 0 });
    expect(await placesOf(service, [ADMIN.username])).toEqual([]);
  });

  it('goes on after an interruption, wherever that was', async () => {
    const erasure = service.app.get(PersonErasure);
    const { id } = planted.person;
    let steps = 0;
    for (let stopAfter = 1; ; stopAfter++) {
      const stop = new AbortController();
      const onProgress = (done: number, all: number) => {
        steps = all;
        if (done === stopAfter) stop.abort();
      };
      const run = erasure.erase(TEST_CONTEXT, id, { isTrial: false, onProgress, signal: stop.signal });
      if (stopAfter >= steps && steps > 0) {
        await run;
        break;
      }
      await expect(run).rejects.toThrow(ErasureInterrupted);
      await planted.person.client.get('/whoami').expect(200);
    }
    expect(steps).toBeGreaterThan(2);
    expect(await placesOf(service, PLANTED_TEXTS, LOOK_ALIKES)).toEqual([]);
  });

  it('searches no text that people wrote, and says so', async () => {
    const { elsewhere, person: erased } = planted;
    const information = `Owner: ${PLANTED.username}`;
    await service.sql`UPDATE organisations SET information = ${information} WHERE id = ${elsewhere}`;
    const { output } = await person('erase', '--id', String(erased.id), '--yes');
    expect(output).toMatch(/^User \d+ is erased\. Rows deleted or emptied:\n {2}[\w.]+: \d+\n/);
    expect(output).toContain('\nTexts that people wrote, such as the name of a team');
    expect(await service.sql`SELECT information FROM organisations WHERE id = ${elsewhere}`).toEqual([
      { information },
    ]);
  });

  it('takes nothing of whom an unverified name or a contact names', async () => {
    const { organisationId, elsewhere, custadmin } = planted;
    const stranger = 'stranger@elsewhere.example';
    const invitation = await makeInvitation(service, {
      organisationId: elsewhere,
      inviterId: custadmin.id,
      email: stranger,
      firstName: 'Victoria',
    });
    const claims = await makeUser(service, { organisationId });
    const own = pathOf(claims);
    await claims.client.patch(own, { username: stranger, firstName: 'Jan', lastName: 'Smit' }).expect(204);
    await claims.client.post(`${own}/contacts`, { type: 'email', name: stranger }).expect(201);
    const { output } = await person('export', '--id', String(claims.id));
    expect(output).not.toContain('Victoria');
    await person('erase', '--id', String(claims.id), '--yes');
    expect(
      await service.sql`SELECT email, first_name, deleted_at FROM invitations WHERE id = ${invitation.id}`,
    ).toEqual([{ email: stranger, first_name: 'Victoria', deleted_at: null }]);
  });

  it('takes nothing of whoever has a former name of the person by now', async () => {
    const { id } = planted.person;
    await service.sql`UPDATE users SET former_username = NULL WHERE id = ${id}`;
    const heir = await makeUser(service, {
      organisationId: planted.elsewhere,
      username: PLANTED.formerName,
      firstName: 'Hera',
    });
    await person('erase', '--id', String(id), '--yes');
    expect(
      await service.sql`SELECT username, first_name, deleted_at FROM users WHERE id = ${heir.id}`,
    ).toEqual([{ username: PLANTED.formerName, first_name: 'Hera', deleted_at: null }]);
    expect(
      await service.sql`SELECT count(*)::integer AS n FROM invitations WHERE email = ${PLANTED.formerName}`,
    ).toEqual([{ n: 1 }]);
  });

  it('finds a user by a former name and by each address, and lists all who have had one', async () => {
    const { id } = planted.person;
    const found = async (name: string): Promise<unknown> =>
      (await person('erase', name.toUpperCase(), '--dry-run', '--json')).report['userId'];
    for (const name of [PLANTED.formerName, PLANTED.contact, PLANTED.formerContact])
      expect([name, await found(name)]).toEqual([name, id]);
    const second = await makeUser(service, { organisationId: planted.elsewhere });
    const { organisationId, id: userId } = second;
    await makeContact(service, { organisationId, userId, name: PLANTED.username });
    const refused = await person('erase', PLANTED.username, '--yes');
    expect(refused).toMatchObject({ exitCode: 1, output: '' });
    expect(refused.messages.join()).toMatch(new RegExp(`--id ${id} \\(.*--id ${second.id} \\(`));
  });

  it('asks for --admin where the user is one, and says in plain words that nobody confirmed', async () => {
    const admin = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    const trial = await person('erase', '--id', String(admin.id), '--dry-run');
    expect(trial.exitCode).toBe(0);
    expect(trial.output).toContain('--admin');
    const refused = await person('erase', '--id', String(admin.id), '--yes');
    expect(refused.exitCode).toBe(1);
    expect(refused.messages.join()).toContain('--admin');
    const unconfirmed = await person('erase', '--id', String(admin.id), '--admin');
    expect(unconfirmed).toMatchObject({ exitCode: 1, output: '' });
    expect(unconfirmed.messages.at(-1)).toBe('error: not confirmed: nothing was erased; scripts use --yes');
    expect(unconfirmed.messages.join()).toContain('ROLE_ADMIN');
  });

  it('asks for the id where several users have had the name', async () => {
    const { id, organisationId } = planted.person;
    await service.sql`UPDATE users SET deleted_at = now() WHERE id = ${id}`;
    const second = await makeUser(service, { organisationId, username: PLANTED.username });
    const refused = await person('erase', PLANTED.username, '--yes');
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.messages.join()).toMatch(new RegExp(`--id ${id} .*--id ${second.id} `));
    expect(await person('erase', 'nobody@example.com', '--yes')).toMatchObject({ exitCode: 1 });
    expect(await person('erase')).toMatchObject({ exitCode: 2 });
  });
});

describe('cli person export', () => {
  it('writes all that is stored, each part with a word on it, and no secret', async () => {
    const { output, exitCode, messages } = await person('export', PLANTED.username);
    expect({ exitCode, messages }).toEqual({ exitCode: 0, messages: [] });
    const { parts } = JSON.parse(output) as {
      parts: Record<string, { about: string; records: Record<string, unknown>[] }>;
    };
    expect(Object.keys(parts)).toEqual([
      'user',
      'logins',
      'knownNetworks',
      'firstLogin',
      'loginNotices',
      'recoveryRequests',
      'recoveryCodes',
      'trustedDevices',
      'passkeys',
      'passkeyChallenges',
      'apiKeys',
      'loginLinks',
      'teams',
      'invitations',
      'contacts',
      'formerContacts',
      'sshKeys',
      'preferences',
      'storedResponses',
      'suspensions',
      'notifications',
      'notificationsReceived',
      'waitingMails',
      'waitingJobs',
      'audit',
    ]);
    for (const [name, { about, records }] of Object.entries(parts)) {
      expect(about).toMatch(/^[A-Z].+\.$/);
      expect([name, records.length]).not.toEqual([name, 0]);
    }
    for (const text of PLANTED_TEXTS) expect(output).toContain(text);
    expect(parts['user']?.records).toEqual([
      expect.objectContaining({ id: planted.person.id, username: PLANTED.username, firstName: 'Zorbina' }),
    ]);
    const secrets = await service.sql<{ secret: string }>(
      `SELECT password_hash AS secret FROM users UNION ALL SELECT encode(digest, 'hex') FROM logins
       UNION ALL SELECT encode(digest, 'hex') FROM api_keys UNION ALL SELECT encrypted_digest FROM recovery_codes`,
    );
    expect(secrets.length).toBeGreaterThan(5);
    for (const { secret } of secrets) expect(output).not.toContain(secret);
    // Who was invited by the person, and who else was told, is not the person's to know.
    expect(output).not.toContain('invited-by-person@example.com');
    expect(output).not.toContain('piet@example.com');
    expect(output).not.toContain(planted.custadmin.username);
  });

  it('writes a file that only its owner reads, and none twice', async () => {
    const file = files.path('zorbina.json');
    expect(await person('export', '--id', String(planted.person.id), '--file', file)).toMatchObject({
      exitCode: 0,
      output: '',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ person: planted.person.id });
    const again = await person('export', PLANTED.username, '--file', file);
    expect(again).toMatchObject({ exitCode: 1, messages: [`error: ${file} exists already`] });
  });

  it('says less once the person is erased: ids and times', async () => {
    await person('erase', PLANTED.username, '--yes');
    const { output } = await person('export', '--id', String(planted.person.id));
    for (const text of PLANTED_TEXTS) expect(output).not.toContain(text);
    await planted.custadmin.client.get(pathOf(planted.bystander)).expect(200);
  });
});
