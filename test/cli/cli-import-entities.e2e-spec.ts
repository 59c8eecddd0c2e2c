import { makeOrganisation, nextNumber } from '../support/factories/factories';
import { registeredEntities, type StoredEntity } from '../support/factories/records';
import { type CliResult, runCli } from '../support/service/cli';
import { asAdmin } from '../support/service/client';
import { useFiles } from '../support/service/files';
import { useService } from '../support/service/service';

const service = useService('A');
let organisationId: number;
const files = useFiles();

beforeEach(async () => {
  organisationId = await makeOrganisation(service, { name: 'Bakery' });
});

const newId = (): number => 5000 + nextNumber();
const importText = (name: string, content: string, ...flags: string[]): Promise<CliResult> =>
  runCli(service.database, ['import-entities', files.write(name, content), '--json', ...flags]);
const mailDomain = (id: number) => ({
  id,
  name: 'bakery',
  mailPrimary: true,
  domaintype: { id: 1, name: 'Netherlands', extension: 'nl' },
});
const stored = (): Promise<StoredEntity[]> => registeredEntities(service, organisationId);

describe('cli import-entities', () => {
  it('takes entities over, from csv and JSON lines alike', async () => {
    const [app, domain, group, system, other] = [newId(), newId(), newId(), newId(), newId()] as const;
    const cell = JSON.stringify([mailDomain(7)]).replaceAll('"', '""');
    const csv = [
      'kind,id,name,organisationId,domains',
      `app,${app},shop,${organisationId},`,
      `domain,${domain},bakery.nl,${organisationId},`,
      `mailgroup,${group},post,${organisationId},"${cell}"`,
    ];
    const json = [
      { kind: 'system', id: system, name: 'web1', organisationId },
      {
        kind: 'mailgroup',
        id: String(other),
        name: 'news',
        organisationId: String(organisationId),
        domains: null,
      },
    ];
    const results = [
      await importText('entities.csv', csv.join('\n')),
      await importText('entities.jsonl', json.map((entity) => JSON.stringify(entity)).join('\n')),
    ];
    expect(results.map(({ report }) => report)).toEqual([
      { dryRun: false, stored: 3, kept: 0, refused: 0, refusedRows: [] },
      { dryRun: false, stored: 2, kept: 0, refused: 0, refusedRows: [] },
    ]);
    expect(await stored()).toEqual([
      { kind: 'app', id: app, name: 'shop', domains: null },
      { kind: 'domain', id: domain, name: 'bakery.nl', domains: null },
      { kind: 'mailgroup', id: group, name: 'post', domains: [mailDomain(7)] },
      { kind: 'mailgroup', id: other, name: 'news', domains: [] },
      { kind: 'system', id: system, name: 'web1', domains: null },
    ]);
    const admin = await asAdmin(service);
    const overview = await admin.get(`/organisations/${organisationId}/entities`).expect(200);
    const owner = { organisationId, organisationName: 'Bakery' };
    expect(overview.body).toEqual({
      total: { apps: 1, domains: 1, mailgroups: 2, systems: 1 },
      apps: [{ id: app, name: 'shop', ...owner }],
      domains: [{ id: domain, fullname: 'bakery.nl', ...owner }],
      mailgroups: [
        { id: group, name: 'post', ...owner, domains: [mailDomain(7)] },
        { id: other, name: 'news', ...owner, domains: [] },
      ],
      systems: [{ id: system, name: 'web1', ...owner }],
    });
  });

  it('updates an entity that is there, and writes nothing with --dry-run', async () => {
    const id = newId();
    const line = (name: string) => JSON.stringify({ kind: 'app', id, name, organisationId });
    await importText('first.jsonl', line('old'));
    const trial = await importText('dry.jsonl', line('new'), '--dry-run');
    expect(trial.report).toMatchObject({ dryRun: true, stored: 1 });
    expect(await stored()).toMatchObject([{ kind: 'app', id, name: 'old' }]);
    await importText('second.jsonl', line('new'));
    expect(await stored()).toMatchObject([{ kind: 'app', id, name: 'new' }]);
  });

  it('deletes what is removed, also in teams, with rows in the audit log, and counts it as kept when sent again', async () => {
    const [app, group] = [newId(), newId()] as const;
    await importText(
      'there.csv',
      `kind,id,name,organisationId\napp,${app},shop,${organisationId}\nmailgroup,${group},post,${organisationId}`,
    );
    const [team] = await service.sql<{ id: number }>(
      `INSERT INTO teams (organisation_id, name) VALUES ($1, 'Web') RETURNING id`,
      [organisationId],
    );
    await service.sql(
      `INSERT INTO team_entities (team_id, kind, object_id) VALUES ($1, 'apps', $2), ($1, 'mailgroups', $3)`,
      [team?.id, app, group],
    );
    const gone =
      `{"kind": "app", "id": ${app}, "removed": true}\n{"kind": "mailgroup", "id": ${group}, ` +
      `"removed": false, "name": "mail", "organisationId": ${organisationId}}`;
    expect((await importText('dry.jsonl', gone, '--dry-run')).report).toMatchObject({ stored: 2 });
    expect(await stored()).toHaveLength(2);
    expect((await importText('gone.jsonl', gone)).report).toMatchObject({ stored: 2, kept: 0, refused: 0 });
    expect(await stored()).toEqual([{ kind: 'mailgroup', id: group, name: 'mail', domains: [] }]);
    expect(await service.sql`SELECT kind, object_id FROM team_entities WHERE team_id = ${team?.id}`).toEqual([
      { kind: 'mailgroups', object_id: group },
    ]);
    const again = await importText('again.csv', `kind,id,removed\napp,${app},true\napp,${app},perhaps\n,x,1`);
    expect(again.report).toMatchObject({
      stored: 0,
      kept: 1,
      refused: 2,
      refusedRows: [
        { line: 3, reason: expect.stringMatching(/^removed: /) as string },
        { line: 4, reason: expect.stringMatching(/^kind: .*; id: /) as string },
      ],
    });
    const logged = await service.sql(
      `SELECT table_name, action, actor_credential_kind AS by FROM audit_log
       WHERE table_name IN ('entities', 'team_entities') AND action = 'delete' ORDER BY id`,
    );
    expect(logged).toEqual([
      { table_name: 'entities', action: 'delete', by: 'command' },
      { table_name: 'team_entities', action: 'delete', by: 'command' },
    ]);
  });

  it('names every bad row, takes all others over, and exits with 3', async () => {
    const good = [newId(), newId()] as const;
    const rows = [
      { kind: 'app', id: good[0], name: 'a', organisationId },
      { kind: 'App', id: newId(), name: 'b', organisationId },
      { kind: 'app', id: 'x', name: '', organisationId },
      { kind: 'app', id: newId(), name: 'c', organisationId: 999_999_999 },
      { kind: 'app', id: newId(), name: 'd', organisationId, domains: [mailDomain(1)] },
      { kind: 'mailgroup', id: newId(), name: 'e', organisationId, domains: [{ id: 1 }] },
      { kind: 'mailgroup', id: newId(), name: 'f', organisationId, domains: 'bakery.nl' },
      { kind: 'app', id: newId(), name: 'g', organisationId, owner: 'x' },
      { kind: 'app', id: good[1], name: 'h', organisationId },
    ];
    const result = await importText('bad.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
    expect(result.exitCode).toBe(3);
    expect(result.messages).toHaveLength(7);
    const { refusedRows, ...counts } = result.report as { refusedRows: { line: number; reason: string }[] };
    expect(counts).toEqual({ dryRun: false, stored: 2, kept: 0, refused: 7 });
    expect(refusedRows.sort((a, b) => a.line - b.line)).toEqual(
      [
        /^kind: /,
        /^id: .*; name: /,
        /^organisationId: .*exist/,
        /^domains: /,
        /^domains: /,
        /^domains: /,
        /^owner: /,
      ].map((reason, position) => ({ line: position + 2, reason: expect.stringMatching(reason) })),
    );
    expect(await stored()).toMatchObject([
      { kind: 'app', id: good[0] },
      { kind: 'app', id: good[1] },
    ]);
  });
});
