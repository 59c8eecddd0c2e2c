import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { VARIANTS } from '../../qa/variants';
import { brunoCollection } from '../../tools/docs/bruno.cjs';
import { makeCustomer } from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { makeContact, makeTeam } from '../support/factories/records';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { commandsOf } from '../support/generators/samples';
import { ADMIN, describeService } from '../support/service/service';

const run = promisify(execFile);

const PAGE = 'docs/generated-clients.md';
const ROOT = join(__dirname, '../..');
/** The printed lines: what writes the collections, and what plays one. */
const WRITES = commandsOf(PAGE, '--bruno');
const PLAYS = commandsOf(PAGE, 'bru run');
/**
 * Not among the packages of the tools: it brings 508 packages and 275 MB. npx keeps it in its own
 * cache, and finds it there.
 */
const CLI = /--package (\S+)/.exec(PLAYS)?.[1] ?? '';
const INSTALLATION = 600_000;

interface Result {
  readonly name: string;
  readonly response: { readonly status: number };
  readonly testResults: readonly { readonly status: string; readonly error?: string }[];
}

/** Whether npm can be reached, and where the program is. */
const { status, stdout } = spawnSync('npx', ['--yes', '--package', CLI, '--', 'which', 'bru'], {
  cwd: tmpdir(),
  encoding: 'utf8',
  timeout: INSTALLATION,
});
const bru = stdout.trim();
/** Skipped where the program is missing, and in variants that need no run of their own. */
const itPlays = (isTried: boolean) => (status === 0 && isTried ? it : it.skip);

/** Bruno makes a sandbox for every request: hundreds take half a minute on an idle machine. */
const MAX_PLAY_MS = 400_000;

describeService(VARIANTS, 'the Bruno collection of Variant %s', (service, variant) => {
  const folder = mkdtempSync(join(tmpdir(), 'account-api-bruno-'));
  const description = JSON.parse(
    readFileSync(join(__dirname, `../../docs/openapi-${variant.toLowerCase()}.json`), 'utf8'),
  ) as { readonly paths: Record<string, object> };
  afterAll(() => rmSync(folder, { recursive: true }));

  const play = async (
    program: string,
    ids: Readonly<Record<string, number>>,
    ...args: string[]
  ): Promise<Result[]> => {
    const variables = { url: service.url, ...ADMIN, ...ids };
    const report = join(folder, 'report.json');
    const options = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
    const asked = ['run', '-r', ...args, '--env', 'local', ...options, '--output', report];
    await run(program, asked, { cwd: folder, maxBuffer: 1e8 }).catch((error: unknown) => {
      if ((error as { code?: number }).code !== 1) throw error;
    });
    const [{ results }] = JSON.parse(readFileSync(report, 'utf8')) as [{ results: Result[] }];
    return results;
  };

  it('npm run docs -- --bruno: it has a request for each operation, in the folder of its tag', () => {
    const files = brunoCollection(variant, description);
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const operations = Object.values(description.paths).flatMap((item) => Object.keys(item));
    const requests = [...files.keys()].filter((path) => /\/(?!folder)\w+\.bru$/.test(path));
    expect(requests.filter((path) => !path.startsWith('environments/'))).toHaveLength(operations.length);
    expect(files.get('login/authLogin.bru')).toContain('"password": "{{password}}"');
    expect(files.get('users/usersUpdate.bru')).toMatch(
      /url: .*\/organisations\/:organisationId\/users\/:userId$/m,
    );
  });

  // A run takes as much processor as the tests of a domain, and the one below sends the reads too.
  itPlays(variant === 'A')(
    'docs/generated-clients.md writes and plays it: it logs in, reads everything, and gets no status that the description lacks',
    async () => {
      const { organisationId, custadmin } = await makeCustomer(service);
      const variables = {
        url: service.url,
        username: ADMIN.username,
        organisationId,
        userId: custadmin.id,
        teamId: await makeTeam(service, organisationId),
        contactId: await makeContact(service, { organisationId, userId: custadmin.id }),
        invitationId: (await makeInvitation(service, { organisationId, inviterId: 1 })).id,
      };
      const place = mkdtempSync(join(tmpdir(), 'account-api-bruno-'));
      // npm runs scripts where package.json stands.
      const writes = WRITES.replace('npm run docs --', `node ${join(ROOT, 'tools/docs/run.mjs')}`);
      const plays = PLAYS.replace("'…'", `'${ADMIN.password}'`).trim();
      const local = Object.entries(variables).map(([name, value]) => `--env-var ${name}=${value}`);
      const options = [...local, '--output report.json'].join(' ');
      try {
        await run('bash', ['-ec', `${writes}\n${plays} ${options} > output || [ $? = 1 ]`], { cwd: place });
        const report = readFileSync(join(place, 'collections/account-api-a/report.json'), 'utf8');
        const [{ results }] = JSON.parse(report) as [{ results: Result[] }];
        expect(failuresOf(results)).toEqual([]);
        const answered = results.filter(({ response }) => response.status === 200).map(({ name }) => name);
        expect(answered).toEqual(
          expect.arrayContaining([
            'authLogin',
            'organisationsList',
            'usersRead',
            'teamsRead',
            'contactsList',
          ]),
        );
        expect(answered.length).toBeGreaterThan(30);
        expect(results.filter(({ response }) => response.status === 401)).toEqual([]);
      } finally {
        rmSync(place, { recursive: true });
      }
    },
  );

  itPlays(SHARED_VARIANTS.includes(variant))(
    'bru run sends every example, keeps the ids of what it makes, and gets no status that the description lacks',
    async () => {
      const { organisationId, custadmin } = await makeCustomer(service);
      const results = await play(
        bru,
        { organisationId, userId: custadmin.id },
        '--exclude-tags',
        'deletes,ends-login',
      );
      expect(failuresOf(results)).toEqual([]);
      const made = results.filter(({ response }) => response.status === 201).map(({ name }) => name);
      expect(made).toEqual(expect.arrayContaining(['organisationsCreate', 'teamsCreate']));
      expect(made.length).toBeGreaterThan(5);
    },
    MAX_PLAY_MS,
  );
});

const failuresOf = (results: readonly Result[]): unknown[] =>
  results
    .filter(
      ({ testResults }) => testResults.length !== 1 || testResults.some(({ status }) => status !== 'pass'),
    )
    .map(({ name, response, testResults }) => ({ name, status: response.status, testResults }));
