import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { runCli } from '../support/service/cli';
import { asAdmin } from '../support/service/client';
import {
  ASCII_LOCALE,
  createEmptyDatabase,
  createOtherDatabase,
  runStatement,
} from '../support/service/databases';
import { useServiceOn } from '../support/service/service';

const ROOT = join(__dirname, '../..');

/** Two spellings of one text: other cases, and another normal form. */
const SAME = [
  ['MÜLLER', 'müller'],
  ['ÉLAN', 'e\u0301lan'],
  ['ΟΔΥΣΣΕΎΣ', 'οδυσσεύς'],
  ['ΟΔΥΣΣΕΎΣ', 'οδυσσεύσ'],
  ['МОСКВА', 'москва'],
  ['İSMAİL', 'i\u0307smail'],
  ['İSMAİL', 'ismail'],
  ['IŞIK', 'ışık'],
  ['I\u0307SMAI\u0307L', 'İsmail'],
  ['ԵՐԵՒԱՆ', 'երեւան'],
  ['ＡＢＣ', 'ａｂｃ'],
  ['𐐀𐐁', '𐐨𐐩'],
] as const;

describe.each(SHARED_VARIANTS)('a database with LC_CTYPE C in Variant %s', (variant) => {
  const service = useServiceOn(variant, () => createOtherDatabase(ASCII_LOCALE));
  let custadmin: MadeUser;
  let teams: string;
  beforeAll(async () => {
    const customer = await makeCustomer(service);
    custadmin = customer.custadmin;
    teams = `/organisations/${customer.organisationId}/teams`;
  });

  it('GET /organisations?filter= finds a name in any case', async () => {
    const admin = await asAdmin(service);
    const body = { name: 'MÜLLER', taxNumber: 'NL001234567B01', country: 'NL' };
    await admin.post('/organisations', body).expect(201);
    const { body: found } = await admin
      .get(`/organisations?filter=${encodeURIComponent('müller')}`)
      .expect(200);
    expect((found as { organisations: { name: string }[] }).organisations).toMatchObject([
      { name: 'MÜLLER' },
    ]);
  });

  it.each(SAME)('POST and GET …/teams take %s and %s for one name', async (stored, other) => {
    const name = `${stored} BV`;
    const { body } = await custadmin.client.post(teams, { name }).expect(201);
    await custadmin.client.post(teams, { name: `${other} bv` }).expect(400);
    const { body: found } = await custadmin.client
      .get(`${teams}?filter=${encodeURIComponent(other)}`)
      .expect(200);
    const { id } = (body as { team: { id: number } }).team;
    expect((found as { teams: { id: number }[] }).teams.map((team) => team.id)).toEqual([id]);
    await custadmin.client.delete(`${teams}/${id}`).expect(204);
  });
});

/** What PostgreSQL or a driver would compare by the locale of the database. */
const BY_LOCALE = /\b(?:lower|upper|initcap)\(|\bILIKE\b|[^!]~\*|regexp_\w+\(.*'g?i'/i;

/** Lines that compare nothing that people write. */
const ALLOWED = [
  // The functions themselves.
  'RETURN lower(value COLLATE "C");',
  'RETURN CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C") ELSE fold_letters(value) END;',
  'lower(CASE WHEN value IS NFC NORMALIZED THEN value ELSE normalize(value, NFC) END COLLATE "und-x-icu"),',
  // A word of PostgreSQL.
  'lower(TG_OP), TG_TABLE_NAME, least(min(id), 2147483647)::integer,',
  "lower(TG_OP), TG_TABLE_NAME, (known ->> 'id')::integer, organisation, columns_before, columns_after);",
  // As the code makes the key of a contact, whose addresses are of ASCII.
  `CASE type WHEN 'email' THEN lower(name COLLATE "C")`,
];

it('libs and apps leave no comparison without regard to case to the locale of the database', () => {
  const files = ['libs', 'apps'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:ts|sql)$/.test(file) && !file.endsWith('.spec.ts'))
      .map((file) => `${folder}/${file}`),
  );
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => BY_LOCALE.test(line) && !/^(?:\/\/|\*|--)/.test(line) && !ALLOWED.includes(line))
      .map((line) => `${file}: ${line}`),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(found).toEqual([]);
});

it.each([
  [
    'ICU',
    "TEMPLATE template0 ENCODING 'UTF8'",
    'DROP COLLATION pg_catalog."und-x-icu"',
    /has no collation und-x-icu.*built with ICU/,
  ],
  [
    'UTF-8',
    ASCII_LOCALE.replace('UTF8', 'SQL_ASCII'),
    'SELECT 1',
    /has the encoding SQL_ASCII.*ENCODING 'UTF8'/,
  ],
])(
  'cli migrate exits with 1 on a database without %s, and doctor names it',
  async (_, options, change, line) => {
    const database = await createEmptyDatabase(options);
    await runStatement(database.url, change);
    const { exitCode, messages } = await runCli(database, ['migrate']);
    expect(messages).toEqual([expect.stringMatching(line)]);
    expect(exitCode).toBe(1);
    const doctor = await runCli(database, ['doctor', '--json']);
    expect((doctor.report as unknown as { findings: unknown[] }).findings).toContainEqual(
      expect.objectContaining({
        check: 'database',
        state: 'fault',
        found: expect.stringMatching(line) as string,
      }),
    );
    await database.drop();
  },
);

/** The pages and files by which operators make a database. */
const recipes = (): string[] =>
  ['deploy', 'docs', 'tools'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => statSync(join(ROOT, folder, file)).isFile() && !file.startsWith('spec/'))
      .map((file) => `${folder}/${file}`),
  );

it('every recipe of deploy, docs and tools makes databases of UTF-8', () => {
  const made = [...recipes(), 'README.md', 'docker-compose.yml'].flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .filter((line) => /\bCREATE DATABASE \S+ OWNER|\bcreatedb -|\binitdb:?$|'initdb'\),$/.test(line))
      .map((line) => ({ file, line: line.trim() })),
  );
  expect(made.map(({ file }) => file)).toEqual(
    expect.arrayContaining([
      'deploy/postgres-role.sh',
      'deploy/cluster/patroni.yml',
      'deploy/kubernetes/cloudnative-pg/cluster.yaml',
      'docs/database.md',
    ]),
  );
  for (const { file, line } of made) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    // The settings of initdb stand in the lines after it.
    const at = text.indexOf(line);
    const statement = /initdb/.test(line) ? text.slice(at, at + 200) : line;
    expect({ file, statement }).toEqual({
      file,
      statement: expect.stringMatching(/ENCODING '?UTF-?8|encoding: UTF8|'-E', 'UTF8'/) as string,
    });
  }
});
