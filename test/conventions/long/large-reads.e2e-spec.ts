import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { type Variant, VARIANTS } from '../../../qa/variants';
import type { MadeUser } from '../../support/factories/factories';
import {
  addUsers,
  type LargestRecords,
  MAIL_GROUPS,
  makeLargestRecords,
  usersOfOperator,
} from '../../support/factories/largest-records';
import { type AttackedService, bystanderDuring, startAttackedService } from '../../support/faults/bystander';
import type { InterfaceDocument } from '../../support/generators/interface';
import { triedRoutes } from '../../support/generators/own-routes';
import { atOnce } from '../../support/service/at-once';

/**
 * What the service may take of memory, in MB. The goal is 450 on a machine that does nothing else: where
 * other tests take the processors, V8 collects its garbage later.
 */
const MAX_MB = 500;
/** Requests of each kind at once, from four callers. */
const AT_ONCE = 8;
/**
 * Users of one organisation, as many as it may have (docs/limits.md): some 7 MB a response. And how many
 * such responses are asked for at once.
 */
const MAX_USERS = 10_000;
const WHOLE_AT_ONCE = 24;
/** Rounds until one comes whole: on a busy machine the database may have no time for any of a round. */
const MAX_ROUNDS = 5;
const FORMATS = ['json', 'csv'] as const;

/**
 * Paths of other areas of the panel, of files, which document-links.e2e-spec.ts reads, and of keys, which
 * authorized-keys.e2e-spec.ts reads; and what answers a few fields or none.
 */
const ELSEWHERE =
  /^\/v1\/(download|domains|registerInvitation|entities\/systems|access\/forward)|\{documentId\}/;
/** What is read by its owner alone, one by one like the rest. */
const OF_USER = /\{userId\}/;

/** The paths that give something, from the description: a route that comes is asked too. */
function readPaths(variant: Variant): string[] {
  const file = join(__dirname, `../../../docs/openapi-${variant.toLowerCase()}.json`);
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as InterfaceDocument;
  const tried = triedRoutes(variant);
  const isTried = (path: string): boolean => tried.has(`GET ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
  return Object.entries(paths)
    .filter(([path, methods]) => path.startsWith('/v1/') && !ELSEWHERE.test(path) && 'get' in methods)
    .map(([path]) => path)
    .filter(isTried);
}

/** What a path names stands under other names where an organisation has what users have too. */
function filled(path: string, ids: LargestRecords): string {
  const prefix = OF_USER.test(path) ? '' : 'organisation';
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const own = prefix + name.charAt(0).toUpperCase() + name.slice(1);
    const id = prefix === '' ? ids[name] : (ids[own] ?? ids[name]);
    if (id === undefined) throw new Error(`No largest record for {${name}} of ${path}`);
    return String(id);
  });
}

interface Taken {
  readonly status: number;
  readonly bytes: number;
  /** The whole body, where it is asked for. */
  readonly text: string;
}

/** Reads a whole response without keeping it, but where it is wanted. */
const take = (url: string, hash: string, keep = false): Promise<Taken> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { Authorization: hash }, agent: false }, (response) => {
      let bytes = 0;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        bytes += part.length;
        if (keep) text += part;
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, bytes, text }));
      // Cut where the database had no time for its next part, as it may be on a busy machine: refused late.
      response.once('error', () => resolve({ status: 503, bytes, text: '' }));
    }).on('error', reject);
  });

describe.each(VARIANTS)('rows of the largest size, in every GET of Variant %s,', (variant) => {
  let service: AttackedService;
  let ids: LargestRecords;
  let self: MadeUser;
  let admins: readonly MadeUser[];
  const paths = readPaths(variant);

  beforeAll(async () => {
    service = await startAttackedService(variant);
    ({ ids, self, admins } = await makeLargestRecords(service));
  }, 120_000);
  afterAll(() => service.stop());

  const hashOf = (path: string, index: number): string =>
    (OF_USER.test(path) ? self : (admins[index % admins.length] as MadeUser)).client.hash as string;

  it('are read in every list, csv and by themselves, many at once, in bounded memory', async () => {
    expect(paths.length).toBeGreaterThan(20);
    const unexpected: string[] = [];
    const peaks: Record<string, number> = {};
    for (const path of paths) {
      for (const format of FORMATS) {
        const url = `${service.url}${filled(path, ids)}?limit=1000&format=${format}`;
        let taken: Taken[] = [];
        const notice = await bystanderDuring(service, async () => {
          taken = await atOnce(AT_ONCE, (index) => take(url, hashOf(path, index)));
        });
        const statuses = new Set(taken.map(({ status }) => status));
        if (!statuses.has(200) || [...statuses].some((status) => status !== 200 && status !== 503)) {
          unexpected.push(`${path} ${format}: ${[...statuses].join(', ')}`);
        }
        if (Object.keys(notice.statuses).join() !== '200')
          unexpected.push(`${path} ${format}: others got none`);
        peaks[`${path} ${format}`] = Math.round(notice.peakMb);
      }
    }
    expect(unexpected).toEqual([]);
    expect(Object.entries(peaks).filter(([, peak]) => peak > MAX_MB)).toEqual([]);
  }, 300_000);

  it('are whole and in order inside a record', async () => {
    const users = await usersOfOperator(service);
    const read = async (path: string): Promise<unknown> => {
      const { status, text } = await take(`${service.url}/v1${path}`, hashOf(path, 0), true);
      expect(status).toBe(200);
      return path.includes('csv') ? text : JSON.parse(text);
    };
    const inOrder = (found: readonly { readonly id: number }[]): void => {
      expect(found).toHaveLength(users);
      const sorted = found.map(({ id }) => id);
      expect(sorted).toEqual([...new Set(sorted)].sort((one, other) => one - other));
    };
    const single = (await read('/organisations/1')) as { organisation: { users: { id: number }[] } };
    inOrder(single.organisation.users);
    const list = (await read('/organisations?limit=2')) as { organisations: { users: { id: number }[] }[] };
    inOrder(list.organisations[0]?.users ?? []);
    const team = (await read(`/organisations/1/teams/${ids['teamId']}`)) as {
      team: {
        users: { id: number }[];
        entities: { objectId: number }[];
        teamEntities: { mailgroups: unknown[] };
      };
    };
    inOrder(team.team.users);
    expect(team.team.entities.map(({ objectId }) => objectId)).toEqual(
      Array.from({ length: MAIL_GROUPS }, (_, index) => index + 1),
    );
    expect(team.team.teamEntities.mailgroups).toHaveLength(MAIL_GROUPS);
    const csv = (await read('/organisations/1?format=csv')) as string;
    const [header = '', row = '', ...more] = csv.split('\r\n');
    expect(more).toEqual(['']);
    const cells = row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/);
    const idsInCsv = cells[header.split(',').indexOf('users.id')]?.replaceAll('"', '').split(';').map(Number);
    inOrder((idsInCsv ?? []).map((id) => ({ id })));
  }, 120_000);

  it('of an organisation with as many users as it may have leave the service to others', async () => {
    await addUsers(service, MAX_USERS - (await usersOfOperator(service)));
    // All of them in one team, as many as it may have.
    const team = `/organisations/1/teams/${ids['teamId']}`;
    for (const path of ['/organisations/1', '/organisations?limit=2', '/organisations?format=csv', team]) {
      const url = `${service.url}/v1${path}`;
      const taken: Taken[] = [];
      const notice = await bystanderDuring(service, async () => {
        for (let round = 0; round < MAX_ROUNDS && taken.every(({ status }) => status !== 200); round++) {
          const requests = Array.from({ length: WHOLE_AT_ONCE }, (_, index) => take(url, hashOf('', index)));
          taken.push(...(await Promise.all(requests)));
        }
      });
      const whole = taken.filter(({ status }) => status === 200);
      expect({ path, whole: whole.length > 0 }).toEqual({ path, whole: true });
      for (const { bytes } of whole) expect(bytes).toBeGreaterThan(MAX_USERS * 600);
      for (const { status } of taken) expect([200, 503]).toContain(status);
      expect({ path, statuses: Object.keys(notice.statuses) }).toEqual({ path, statuses: ['200'] });
      expect({ path, peakMb: Math.max(notice.peakMb, MAX_MB) }).toEqual({ path, peakMb: MAX_MB });
    }
  }, 300_000);
});
