import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { UsageRecorder } from '@app/edge/usage/usage-recorder';
import { VARIANTS } from '../../../qa/variants';
import { type MadeUser, makeCustomer, makeOrganisation, PASSWORD } from '../../support/factories/factories';
import { makeApiKey } from '../../support/factories/key-factories';
import { atOnce } from '../../support/service/at-once';
import { anonymous } from '../../support/service/client';
import { createTestDatabase } from '../../support/service/databases';
import { startTestService, type TestService, useServicePerTest } from '../../support/service/service';
import { useOneHour } from '../../support/service/time';

useOneHour();

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36';

interface UsageRow {
  readonly variant: string;
  readonly operation: string;
  readonly organisation_id: number;
  readonly program: string;
  readonly credential: string;
  readonly requests: number;
}

const COLUMNS = 'variant, operation, organisation_id, program, credential, requests::integer AS requests';

const usageOf = (service: TestService): Promise<UsageRow[]> =>
  service.sql<UsageRow>(
    `SELECT ${COLUMNS} FROM variant_usage ORDER BY operation, organisation_id, program, credential`,
  );

const recorderOf = (service: TestService): UsageRecorder => service.app.get(UsageRecorder, { strict: false });

describe.each(VARIANTS)('the table variant_usage: use of Variant %s', (variant) => {
  const service = useServicePerTest(variant);
  let custadmin: MadeUser;
  let organisationId: number;

  beforeEach(async () => {
    ({ custadmin, organisationId } = await makeCustomer(service));
  });

  const row = (operation: string, rest: Partial<UsageRow>): UsageRow => ({
    variant,
    operation,
    organisation_id: organisationId,
    program: 'other',
    credential: 'login',
    requests: 1,
    ...rest,
  });

  it('is counted by day, operation, organisation, program and kind of credential', async () => {
    const { client: key } = await makeApiKey(service, custadmin.id);
    const elsewhere = await makeOrganisation(service);
    const path = `/organisations/${organisationId}`;
    for (let n = 0; n < 3; n++) await custadmin.client.get(path).set('User-Agent', CHROME).expect(200);
    await key.get(path).set('User-Agent', 'PanelSync/1.2 (by hand)').expect(200);
    await key.get(path).set('User-Agent', 'panelsync/2.0').expect(200);
    await key.get('/whoami').set('User-Agent', '<script>/1').expect(200);
    // Whoever calls with a good credential calls, whatever the answer is.
    await custadmin.client.get(`/organisations/${elsewhere}`).set('User-Agent', 'okhttp/4').expect(403);
    const login = { username: custadmin.username, password: PASSWORD };
    // Nobody makes up names of programs without a credential.
    await anonymous(service).post('/login', login).set('User-Agent', CHROME).expect(200);
    await anonymous(service).post('/login', login).set('User-Agent', 'made-up/1').expect(200);
    await anonymous(service)
      .post('/login', { ...login, password: 'wrong' })
      .expect(401);
    await anonymous(service).get(path).expect(401);
    await anonymous(service).get('/nowhere').expect(404);
    await fetch(`${service.url}/health/live`);

    expect(await usageOf(service)).toEqual([]);
    await recorderOf(service).flush();
    const read = 'GET /organisations/{organisationId}';
    const expected = [
      row(read, { program: 'Chrome', requests: 3 }),
      row(read, { program: 'okhttp' }),
      row(read, { program: 'panelsync', credential: 'api_key', requests: 2 }),
      row('GET /whoami', { credential: 'api_key' }),
      row('POST /login', { organisation_id: 0, credential: 'none', requests: 2 }),
    ];
    const sorted = (rows: readonly UsageRow[]): string[] => rows.map((used) => JSON.stringify(used)).sort();
    expect(sorted(await usageOf(service))).toEqual(sorted(expected));
    const days = await service.sql(
      `SELECT DISTINCT to_char(day, 'YYYY-MM-DD') AS day, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today FROM variant_usage`,
    );
    expect(days).toEqual([{ day: days[0]?.['today'], today: days[0]?.['today'] }]);
  });

  it('is added up, and written when the process stops', async () => {
    const database = await createTestDatabase();
    try {
      for (let round = 1; round <= 2; round++) {
        await using process = await startTestService(variant, { database });
        const { plain } = await makeCustomer(process);
        await plain.client.get('/whoami').expect(200);
        await plain.client.get('/whoami').expect(200);
      }
      const reader = await startTestService(variant, { database });
      const rows = await usageOf(reader);
      await reader.stop();
      expect(rows.map(({ operation, requests }) => [operation, requests])).toEqual([
        ['GET /whoami', 2],
        ['GET /whoami', 2],
      ]);
    } finally {
      await database.drop();
    }
  });

  it('knows ten programs of an organisation, which push out nobody else’s', async () => {
    const recorder = recorderOf(service);
    const note = (organisationId: number, userAgent: string) =>
      recorder.note({ operation: 'GET /whoami', organisationId, credential: 'login', userAgent });
    // More than the process counts between two writes, and more than the day knows.
    for (let n = 0; n < 10_500; n++) note(5, `made-up-${n}/1`);
    note(6, 'own-panel/1');
    await recorder.flush();
    for (let n = 0; n < 300; n++) note(5, `again-${n}/1`);
    note(5, 'own-panel/2');
    note(6, 'own-script/1');
    await recorder.flush();
    const rows = await usageOf(service);
    const namesOf = (organisation: number) =>
      rows
        .filter(({ organisation_id, program }) => organisation_id === organisation && program !== 'other')
        .map(({ program }) => program);
    expect(namesOf(6)).toEqual(['own-panel', 'own-script']);
    expect(namesOf(5).filter((program) => program !== 'own-panel')).toHaveLength(10);
    const all = rows.filter(({ organisation_id }) => organisation_id === 5);
    expect(all.reduce((sum, { requests }) => sum + Number(requests), 0)).toBe(10_801);
    await service.sql('DELETE FROM variant_programs');
  });

  it('knows 200 programs a day by name, of all processes, and loses no count', async () => {
    const recorder = recorderOf(service);
    // Of fifteen organisations each.
    const note = (userAgent: string, organisationId = 700 + (Number(/-(\d+)/.exec(userAgent)?.[1]) % 15)) =>
      recorder.note({ operation: 'GET /whoami', organisationId, credential: 'login', userAgent });
    for (let n = 0; n < 150; n++) note(`first-${n}/1`);
    await recorder.flush();
    for (let n = 0; n < 150; n++) note(`second-${n}/1`, 715 + (n % 15));
    for (let n = 0; n < 150; n++) note(`first-${n}/2`);
    await recorder.flush();
    const rows = (await usageOf(service)).filter(({ organisation_id }) => organisation_id >= 700);
    const named = rows.filter(({ program }) => program !== 'other');
    expect(named).toHaveLength(200);
    expect(named.filter(({ requests }) => requests === 2)).toHaveLength(150);
    const others = rows.filter(({ program }) => program === 'other');
    expect(others.reduce((sum, { requests }) => sum + Number(requests), 0)).toBe(100);
    note(`${'x'.repeat(500)}/1`, 7);
    await recorder.flush();
    expect((await usageOf(service)).every(({ program }) => program.length <= 32)).toBe(true);
  });

  it('is added up exactly by 16 writes at once', async () => {
    const { manager } = service.app.get<DataSource>(getDataSourceToken());
    const programs = Array.from({ length: 30 }, (_, n) => `program-${n}`);
    const write = () =>
      manager.query(`SELECT record_variant_usage('B', $1, $2::integer[], $3, $4, $5::bigint[], 10)`, [
        programs.map(() => 'GET /whoami'),
        programs.map(() => 9),
        [...programs].sort(() => Math.random() - 0.5),
        programs.map(() => 'login'),
        programs.map(() => 1),
      ]);
    await atOnce(16, write);
    const rows = (await usageOf(service)).filter(({ organisation_id }) => organisation_id === 9);
    expect(rows).toHaveLength(11);
    expect(rows.find(({ program }) => program === 'other')?.requests).toBe(16 * 20);
    expect(rows.filter(({ requests }) => requests === 16)).toHaveLength(10);
  });

  it('is kept while it cannot be written, within bounds, and no request notices', async () => {
    const recorder = recorderOf(service);
    await service.sql('ALTER TABLE variant_usage RENAME TO elsewhere');
    await custadmin.client.get('/whoami').expect(200);
    await recorder.flush();
    for (let n = 1; n <= 12_000; n++) {
      recorder.note({ operation: 'GET /bulk', organisationId: n, credential: 'login', userAgent: undefined });
    }
    await custadmin.client.get('/whoami').expect(200);
    await recorder.flush();
    await service.sql('ALTER TABLE elsewhere RENAME TO variant_usage');
    await recorder.flush();
    await recorder.flush();
    const rows = await usageOf(service);
    expect(rows.filter(({ operation }) => operation === 'GET /whoami')).toMatchObject([
      { organisation_id: organisationId, requests: 2 },
    ]);
    expect(rows.length).toBeLessThanOrEqual(10_000);
    expect(rows.length).toBeGreaterThan(9000);
    expect(service.logLines.join()).toContain('usage could not be written');
  });
});
