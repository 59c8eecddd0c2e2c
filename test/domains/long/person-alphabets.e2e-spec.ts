import { PersonErasure } from '@app/records/privacy/person-erasure';
import { makeCustomer, makeUser, nextNumber } from '../../support/factories/factories';
import { makeInvitation } from '../../support/factories/invitations-factories';
import { TEST_CONTEXT } from '../../support/service/jobs';
import { useService } from '../../support/service/service';

const service = useService('A');

/** First and last names in twenty alphabets. */
const NAMES = [
  ['İsmail', 'Işık'],
  ['Zoë', 'Ångström'],
  ['Nguyễn', 'Thị Ánh'],
  ['Łukasz', 'Żółć'],
  ['Οδυσσέας', 'Παπαδόπουλος'],
  ['Алексей', 'Йолкин'],
  ['Їжак', 'Ґалаґан'],
  ['გიორგი', 'ბერიძე'],
  ['Արմեն', 'Սարգսյան'],
  ['דוד', 'כהן'],
  ['أحمد', 'إبراهيم'],
  ['علی', 'رضایی'],
  ['अनिल', 'क़ुरैशी'],
  ['অনিক', 'বড়ুয়া'],
  ['செல்வம்', 'முருகன்'],
  ['สมชาย', 'ใจดี'],
  ['김민준', '이서연'],
  ['ガブリエル', '山田'],
  ['አበበ', 'በቀለ'],
  ['ᎠᏓᏫ', 'ᏣᎳᎩ'],
  ['𐐀𐐁𐐂', '𐐃𐐄𐐅'],
  ['Jan "Bob"', "O'Brien (Sr.)"],
] as const;

/** The spellings in which people and programs write a name. */
const spellingsOf = (name: string): string[] => {
  // Nobody writes the capitals of Georgian, which old versions of ICU do not know.
  const upper = /\p{Script=Georgian}/u.test(name) ? name : name.toUpperCase();
  const cases = [name, upper, name.toLowerCase()];
  return [...new Set(cases.flatMap((text) => [text.normalize('NFC'), text.normalize('NFD')]))];
};

/** Another comparison than that of the service: letters without case and marks. */
const bare = (text: string): string =>
  text.normalize('NFD').toLowerCase().replaceAll(/\p{M}/gu, '').replaceAll('ς', 'σ').replaceAll('ı', 'i');

/** Every text of the tables that can name somebody. */
async function textsOf(tables: readonly string[]): Promise<string> {
  const parts = tables.map((table) => `SELECT to_jsonb(t) AS row FROM ${table} t`);
  const rows = await service.sql<{ row: unknown }>(parts.join(' UNION ALL '));
  const texts = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return value !== null && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];
  };
  return rows.flatMap(({ row }) => texts(row)).join('\n');
}

const TABLES = [
  'users',
  'invitations',
  'notifications',
  'notification_recipients',
  'audit_log',
  'suspensions',
];

const erase = (id: number, isTrial = false) =>
  service.app.get(PersonErasure).erase(TEST_CONTEXT, id, {
    isTrial,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });

const note = (organisationId: number, text: string) =>
  service.sql(
    `INSERT INTO notifications (organisation_id, notification_group, type, entity_class, entity_id, entity_name, subject, params)
     VALUES ($1, 'Crm', 'note', 'Organisation', $1, $2, $3, $4)`,
    [organisationId, text, `${text} joins us`, { subject: `Ask ${text}, please`, [text]: 'yes' }],
  );

it.each(NAMES)(
  'erases %s %s, in every spelling and every text, and names the rows that stay',
  async (...name) => {
    const [firstName, lastName] = name.map((part) =>
      part.normalize(nextNumber() % 2 === 0 ? 'NFC' : 'NFD'),
    ) as [string, string];
    const whole = `${firstName} ${lastName}`;
    const home = await makeCustomer(service);
    const other = await makeCustomer(service);
    const { organisationId } = home;
    const person = await makeUser(service, { organisationId, firstName, lastName });
    const spellings = spellingsOf(whole);
    for (const text of spellings) {
      await note(organisationId, text);
      await service.sql`UPDATE organisations SET information = ${`Ask ${text}.`} WHERE id = ${organisationId}`;
      await makeInvitation(service, {
        organisationId: other.organisationId,
        inviterId: other.custadmin.id,
        email: person.username.toUpperCase(),
        firstName: text,
        state: 'deleted',
      });
    }
    await service.sql`UPDATE organisations SET information = '' WHERE id = ${organisationId}`;
    // The only name of this row begins a line.
    await service.sql(
      `INSERT INTO notifications (organisation_id, notification_group, type, entity_class, entity_id, entity_name, params)
       VALUES ($1, 'Crm', 'lines', 'Organisation', $1, '', $2)`,
      [organisationId, { message: `Hello,\n${whole}\tand others` }],
    );
    expect(bare(await textsOf(TABLES))).toContain(bare(whole));

    expect(await erase(person.id)).toMatchObject({ stillNaming: [], shared: [] });
    expect(bare(await textsOf(TABLES))).not.toContain(bare(whole));
    const rest = await service.sql<{ subject: string; params: Record<string, string> }>(
      `SELECT entity_name, subject, params FROM notifications WHERE organisation_id = $1 AND type = 'note'`,
      [organisationId],
    );
    for (const row of rest) {
      expect(row).toEqual({
        entity_name: '(erased)',
        subject: '(erased) joins us',
        params: { subject: 'Ask (erased), please', '(erased)': 'yes' },
      });
    }
    expect(rest).toHaveLength(spellings.length);
    const [lines] = await service.sql`
      SELECT params FROM notifications WHERE organisation_id = ${organisationId} AND type = 'lines'`;
    expect(lines).toEqual({ params: { message: 'Hello,\n(erased)\tand others' } });
  },
);

it.each(NAMES)('names each row of others in which %s %s stays, in every spelling', async (first, last) => {
  const home = await makeCustomer(service);
  const other = await makeCustomer(service);
  const person = await makeUser(service, {
    organisationId: home.organisationId,
    firstName: first,
    lastName: last,
  });
  const spellings = spellingsOf(`${first} ${last}`);
  for (const text of spellings) await note(other.organisationId, text);
  const trial = await erase(person.id, true);
  const report = await erase(person.id);
  expect(trial).toEqual({ ...report, dryRun: true });
  const rows = await service.sql<{ id: number }>(
    `SELECT id FROM notifications WHERE organisation_id = $1 AND type = 'note' ORDER BY id`,
    [other.organisationId],
  );
  expect(report.stillNaming).toEqual([
    {
      table: 'notifications',
      rows: spellings.length,
      records: rows.map(({ id }) => ({
        id,
        organisationId: other.organisationId,
        fields: ['entity_name', 'subject', 'params'],
      })),
    },
  ]);
});
