import { makeOrganisation } from '../support/factories/factories';
import { treeAndOracle } from '../support/generators/tree-oracle';
import { auditRows } from '../support/service/audit';
import { type CliResult, runCli, startCli } from '../support/service/cli';
import { asAdmin } from '../support/service/client';
import { useFiles } from '../support/service/files';
import { useService } from '../support/service/service';

const service = useService('A');
const files = useFiles();

const HEADER = 'id,name,taxNumber,parentOrganisation,resellerOrganisation';
/** Identifiers of one test, far from those that the others take. */
let base = 0;
beforeEach(() => {
  base += 10_000;
});

const importFile = (path: string, ...flags: string[]): Promise<CliResult> =>
  runCli(service.database, ['import-organisations', path, '--json', ...flags]);
const importText = (name: string, content: string, ...flags: string[]): Promise<CliResult> =>
  importFile(files.write(name, content), ...flags);
const row = (n: number, parent?: number, reseller?: number): string =>
  `${base + n},Organisation ${n},NL${n},${parent === undefined ? '' : base + parent},${reseller === undefined ? '' : base + reseller}`;
const csv = (...rows: string[]): string => [HEADER, ...rows].join('\n');
const linksOf = () =>
  service.sql<{ id: number; parent: number; reseller: number | null }>(
    `SELECT id - $1 AS id, parent_id - $1 AS parent, reseller_id - $1 AS reseller FROM organisations
     WHERE id > $1 AND id < $1 + 10000 ORDER BY id`,
    [base],
  );

async function expectWholeTree(): Promise<void> {
  const { stored, computed } = await treeAndOracle(service);
  expect(stored).toEqual(computed);
}

describe('cli import-organisations', () => {
  it('keeps ids, takes parents and resellers in any order, and gives new organisations later ids', async () => {
    const result = await importText('order.csv', csv(row(4, 3, 2), row(3, 1), row(1), row(2)));
    expect(result).toMatchObject({ exitCode: 0, messages: [] });
    expect(result.report).toEqual({ dryRun: false, stored: 4, kept: 0, refused: 0, refusedRows: [] });
    expect(await linksOf()).toEqual([
      { id: 1, parent: 1 - base, reseller: null },
      { id: 2, parent: 1 - base, reseller: null },
      { id: 3, parent: 1, reseller: null },
      { id: 4, parent: 3, reseller: 2 },
    ]);
    await expectWholeTree();
    expect(await makeOrganisation(service)).toBe(base + 5);
    const written = await auditRows(service, `table_name = 'organisations' AND record_id = $1`, [base + 4]);
    expect(written).toMatchObject([
      { action: 'insert', actor_credential_kind: 'command', request_id: 'import-organisations' },
    ]);
  });

  it('takes every field as GET /organisations/{organisationId} shows it, from csv and JSON lines alike', async () => {
    const fields = {
      name: 'Bakkerij "de Vries"',
      taxNumber: 'NL001',
      street: 'Dorpsstraat',
      houseNumber: '12a',
      zip: '1234 AB',
      city: 'Utrecht',
      country: 'nl',
      organisationType: 2,
      externalId: 'EXT-1',
      externalInfoRequired: 1,
      mustPayTax: false,
      remarksToPrintInvoice: 'two\nlines',
      updateEntitiesOnly: true,
      preventDeactivation: false,
      nextInvoiceRun: 1_767_225_600,
      required2fa: true,
      agencyMode: 3,
      bundleProRata: true,
      testAccount: true,
      beforeFirstOrder: 'call',
      paymentperiod: 60,
      documentInterval: '3',
      commissionFactor: 7,
      source1: 'a',
      source2: 'b',
      resellerKickback: 100,
      defaultResellerKickback: 200,
      pdfInvoice: true,
      peppolInvoicing: true,
      discount: '5%',
      isSoft: true,
      prePaymentRequired: true,
      defaultAgreements: { App: 4 },
      information: 'info',
      pricegroup: 1,
      invoiceDayMin: 2,
      invoiceDayMax: 20,
    };
    const cell = (value: string | number | boolean | object): string =>
      `"${(typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll('"', '""')}"`;
    const names = ['id', ...Object.keys(fields)];
    const cells = [base + 1, ...Object.values(fields)].map(cell);
    const results = [
      await importText('fields.csv', `${names.join(',')}\n${cells.join(',')}`),
      await importText('fields.jsonl', JSON.stringify({ id: base + 2, ...fields })),
    ];
    expect(results.map(({ report }) => report)).toEqual([
      expect.objectContaining({ stored: 1, refused: 0 }),
      expect.objectContaining({ stored: 1, refused: 0 }),
    ]);
    const rows = await service.sql<Record<string, unknown>>(
      'SELECT * FROM organisations WHERE id > $1 AND id < $1 + 10 ORDER BY id',
      [base],
    );
    // Each lies beneath the operator alone, and so is its own customer.
    const shared = rows.map(({ id: _id, created_at: _at, customer_id: _own, ...columns }) => columns);
    expect(rows.map(({ customer_id: customer }) => customer)).toEqual(rows.map(({ id }) => id));
    expect(shared[0]).toEqual(shared[1]);
    expect(shared[0]).toMatchObject({ before_first_order: 'call', discount: '5%', document_interval: '3' });
    const admin = await asAdmin(service);
    const { body } = await admin.get(`/organisations/${base + 1}`).expect(200);
    expect((body as { organisation: object }).organisation).toMatchObject({
      name: fields.name,
      country: { id: 'NL' },
      nextInvoiceRun: '1767225600',
      required2fa: true,
      defaultAgreements: { App: 4 },
    });
  });

  it('names every bad row with line and reason, takes all others over, and exits with 3', async () => {
    const deleted = await makeOrganisation(service);
    await service.sql`UPDATE organisations SET deleted_at = now() WHERE id = ${deleted}`;
    const chain = Array.from({ length: 32 }, (_, n) => row(100 + n, n === 0 ? undefined : 99 + n));
    const lines: [string, RegExp | undefined][] = [
      [row(1), undefined],
      [row(1), /^id: .*already taken by a row above, on line 2/],
      [`x,Name,NL1,,`, /^id: /],
      [`${base + 2},,NL1,,`, /^name: .*blank/],
      [`2000000001,Name,NL1,,`, /^id: .*2000000000/],
      [row(3, 4), /^parentOrganisation: .*beneath itself/],
      [row(4, 3), /^parentOrganisation: .*beneath itself/],
      [row(5, undefined, 3), /^resellerOrganisation: Organisation \d+ is refused itself/],
      [row(6, 9999), /^parentOrganisation: Organisation \d+ is neither in the file nor in the database/],
      [row(7, 6), /^parentOrganisation: Organisation \d+ is refused itself/],
      [`${base + 8},Name,NL1,${deleted},`, /^parentOrganisation: .*was deleted here/],
      [`${deleted},Name,NL1,,`, /^id: .*deleted/],
      [row(9, undefined, 1), undefined],
      ...chain.map((line, n): [string, RegExp | undefined] => [line, n === 31 ? /32/ : undefined]),
    ];
    const result = await importText('bad.csv', csv(...lines.map(([line]) => line)));
    const refused = lines.flatMap(([, reason], position) =>
      reason === undefined ? [] : [{ line: position + 2, reason: expect.stringMatching(reason) }],
    );
    const { refusedRows, ...counts } = result.report as { refusedRows: { line: number }[] };
    expect(refusedRows).toEqual(refused);
    expect(counts).toEqual({ dryRun: false, stored: 33, kept: 0, refused: refused.length });
    expect(result.exitCode).toBe(3);
    await expectWholeTree();
  });

  it('counts an organisation that is there as kept, and names one that is there with another value', async () => {
    const content = csv(row(1), row(2, 1));
    await importText('first.csv', content);
    await service.sql`UPDATE organisations SET city = ${'Gent'} WHERE id = ${base + 1}`;
    const again = await importText('again.csv', content);
    expect(again.report).toEqual({
      dryRun: false,
      stored: 0,
      kept: 1,
      refused: 1,
      refusedRows: [{ line: 2, reason: 'it is there already, with another city' }],
    });
  });

  it('--dry-run writes nothing, and finds the same', async () => {
    const content = csv(row(2, 1), row(1), row(3, 4));
    const before = await service.sql('SELECT last_value FROM organisations_id_seq');
    const trial = await importText('dry.csv', content, '--dry-run');
    expect(trial.report).toMatchObject({ dryRun: true, stored: 2, kept: 0, refused: 1 });
    expect(await linksOf()).toEqual([]);
    expect(await service.sql('SELECT last_value FROM organisations_id_seq')).toEqual(before);
    expect((await importText('real.csv', content)).report).toMatchObject({ stored: 2, refused: 1 });
  });

  it('goes on where a run was killed, with no organisation half-written', async () => {
    // Each beneath another one that stands later in the file.
    const rows = Array.from({ length: 3000 }, (_, n) => row(n + 1, n % 30 === 29 ? undefined : n + 2));
    const path = files.write('killed.csv', csv(...rows));
    const { child, ended } = startCli(service.database, ['import-organisations', path]);
    while ((await linksOf()).length === 0);
    child.kill('SIGKILL');
    await ended;
    await expectWholeTree();
    const [{ count: first } = { count: 0 }] = await service.sql<{ count: number }>(
      `SELECT count(*)::integer AS count FROM organisations o JOIN organisation_closure c
       ON c.descendant_id = o.id AND c.ancestor_id = 1 WHERE o.id > $1 AND o.id < $1 + 10000`,
      [base],
    );
    const second = await importFile(path);
    expect(second.exitCode).toBe(0);
    const [storedNow, kept] = [Number(second.report['stored']), Number(second.report['kept'])];
    expect(first).toBeGreaterThan(0);
    expect(kept).toBeGreaterThanOrEqual(first);
    expect(storedNow).toBeGreaterThan(0);
    expect(storedNow + kept).toBe(rows.length);
    expect(await linksOf()).toHaveLength(rows.length);
    await expectWholeTree();
  });

  it('leaves organisation_closure whole beside POST and PUT /organisations', async () => {
    const admin = await asAdmin(service);
    const one = await makeOrganisation(service);
    const other = await makeOrganisation(service);
    const rows = Array.from(
      { length: 1500 },
      (_, n) => `${base + n + 1},Organisation,NL,${n % 2 === 0 ? one : ''},${n % 3 === 0 ? one : ''}`,
    );
    const { ended } = startCli(service.database, [
      'import-organisations',
      files.write('busy.csv', csv(...rows)),
    ]);
    let isOver = false;
    void ended.then(() => (isOver = true));
    while (!isOver) {
      await admin
        .post('/organisations', { name: 'New', taxNumber: 'T', parentOrganisation: one })
        .expect(201);
      for (const parentOrganisation of [other, 1]) {
        await admin
          .put(`/organisations/${one}`, { name: 'O', taxNumber: 'T', parentOrganisation })
          .expect(204);
      }
    }
    expect((await ended).exitCode).toBe(0);
    expect((await linksOf()).filter(({ id }) => id <= rows.length)).toHaveLength(rows.length);
    await expectWholeTree();
  });
});

describe('an INSERT into organisations', () => {
  it('links organisations of one statement in any order, and refuses circles and ways that are too long', async () => {
    const insert = (...rows: [id: number, parent: number, reseller?: number][]) =>
      service.sql(
        `INSERT INTO organisations (id, name, tax_number, parent_id, reseller_id)
         SELECT id, 'O', 'T', parent, reseller FROM unnest($1::integer[], $2::integer[], $3::integer[])
           AS given (id, parent, reseller)`,
        [
          rows.map(([id]) => base + id),
          rows.map(([, parent]) => (parent === 0 ? 1 : base + parent)),
          rows.map(([, , reseller]) => (reseller === undefined ? null : base + reseller)),
        ],
      );
    await insert([1, 2], [2, 3, 4], [3, 0], [4, 0]);
    await insert([5, 1], [6, 5, 5]);
    await expectWholeTree();
    await expect(insert([7, 8], [8, 7])).rejects.toThrow(/organisation_closure_no_circle/);
    await expect(insert([9, 0, 10], [10, 9])).rejects.toThrow(/organisation_closure_no_circle/);
    const chain = (length: number) =>
      Array.from({ length }, (_, n): [number, number] => [100 + n, n === 0 ? 0 : 99 + n]).reverse();
    await expect(insert(...chain(32))).rejects.toThrow(/too deep over parent/);
    await expect(insert(...chain(31), [200, 0, 130])).rejects.toThrow(/too deep over reseller/);
    await insert(...chain(31));
    await expectWholeTree();
  });
});
