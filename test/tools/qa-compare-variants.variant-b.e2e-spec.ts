import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompareReport } from '../../tools/qa/compare/report';
import { makeInvitation } from '../support/factories/invitations-factories';
import { type AccessWorld, makeAccessWorld } from '../support/generators/access-world';
import { triedRoutes } from '../support/generators/own-routes';
import { readsOf, type RecordedRead } from '../support/generators/reads.variant-b';
import { useFiles } from '../support/service/files';
import { qa } from '../support/service/qa';
import { useServices } from '../support/service/service';

const files = useFiles();

const [a, b] = useServices(['A', 'B']);
let world: AccessWorld;
beforeAll(async () => {
  world = await makeAccessWorld(a);
});

/** Those with a credential that the service takes. */
const actors = () => world.actors.filter(({ credential }) => credential === 'usable');

async function compare(old: string, fresh: string, reads: readonly RecordedRead[]) {
  const pairs = actors().map(({ name, hash }) => [name, { old: hash, new: hash }]);
  const credentials = files.write('credentials.json', JSON.stringify(Object.fromEntries(pairs)));
  const requests = files.write('reads.jsonl', reads.map((read) => JSON.stringify(read)).join('\n'));
  for (const path of [credentials, requests]) chmodSync(path, 0o600);
  const addresses = ['compare', '--old', `${old}/v1`, '--new', `${fresh}/v1`, '--requests', requests];
  const speed = ['--rate', '10000', '--concurrency', '8'];
  const { status, output } = await qa([...addresses, '--credentials', credentials, ...speed, '--json']);
  return { status, report: JSON.parse(output) as CompareReport };
}

/** Enough to try every read (own-routes.ts) at every place, by everybody, in an order without a pattern. */
const READS = { A: 12_000, B: 4_000 } as const;
const PRIME = 7919;

it.each(['A', 'B'] as const)(
  'npm run qa -- compare finds nothing in thousands of reads of Variant %s against itself',
  async (variant) => {
    const { url } = variant === 'A' ? a : b;
    const names = actors().map(({ name }) => name);
    const all = readsOf(variant, world, names, triedRoutes(variant));
    const count = READS[variant];
    const reads = Array.from(
      { length: count },
      (_, index) => all[(index * PRIME) % all.length] as RecordedRead,
    );
    const { status, report } = await compare(url, url, reads);
    expect(report.differences).toEqual([]);
    expect({ status, ...report.total }).toMatchObject({
      status: 0,
      sent: count,
      different: 0,
      skipped: 0,
    });
  },
);

/** Each item on one line. */
const PAGE = readFileSync(join(__dirname, '../../docs/variants.md'), 'utf8').replaceAll('\n  ', ' ');

/** What the page lists of the answers to reads: fields of routes that both variants have. */
function listed(): string[] {
  return PAGE.split(/^### `/m)
    .slice(1)
    .flatMap((section) => {
      const [operation = ''] = section.split('`');
      const fields = [...section.matchAll(/^- response `([^`]+)`, (new in A|other): (.*)$/gm)];
      return fields.map(([, field, word, what = '']) => {
        const changed = what.startsWith('array, required in B, array in A') ? 'absent' : 'value';
        return `${operation} ${word === 'new in A' ? 'added' : changed} $.${field}`;
      });
    })
    .filter((difference) => difference.startsWith('GET '));
}

/** The reads that the page calls those of Variant B alone. */
const onlyInB = (): string[] =>
  [
    ...(/^## Routes that only Variant B has[^]*?(?=^## )/m.exec(PAGE)?.[0] ?? '').matchAll(
      /^- `(GET [^`]+)`/gm,
    ),
  ].map(([, operation = '']) => operation);

it('npm run qa -- compare finds in Variant A exactly what docs/variants.md lists', async () => {
  const place = world.places[0] as AccessWorld['places'][number];
  const { organisationId } = place;
  const inviterId = place.users[0]?.id as number;
  const { id } = await makeInvitation(a, { organisationId, inviterId, state: 'accepted' });
  const accepted = `/organisations/${organisationId}/invitations/${id}`;
  const reads = [
    ...readsOf('B', world, ['admin', 'CUSTADMIN']),
    { method: 'GET', path: accepted, as: 'admin' } as const,
  ];
  const { status, report } = await compare(b.url, a.url, reads);
  const found = report.differences.map(({ operation, kind, at }) => ({
    operation,
    text: `${operation} ${kind} ${at}`,
  }));
  const gone = onlyInB();
  expect(gone).toHaveLength(2);
  const ofBoth = found.filter(({ operation }) => !gone.includes(operation));
  expect(ofBoth.map(({ text }) => text).toSorted()).toEqual(listed().toSorted());
  expect(found.map(({ text }) => text)).toEqual(
    expect.arrayContaining(gone.map((operation) => `${operation} status `)),
  );
  expect(status).toBe(1);
});
