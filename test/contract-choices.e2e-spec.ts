import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { OneTimeCodes } from '../qa/one-time-codes';
import { anonymous, asAdmin, loggedIn, type ApiClient } from './support/client';
import { makeCustomer, PASSWORD } from './support/factories';
import { makeInvitation, queuedMails, registrationOf } from './support/invitations-factories';
import { makeApiKey } from './support/key-factories';
import { startTestService, type TestService } from './support/service';
import { makeTeam } from './support/teams-factories';
import { VARIANTS, type PerVariant } from './support/variants';
import { failingFields } from './support/responses';

const root = join(__dirname, '..');

describe('docs/choices.md', () => {
  const text = readFileSync(join(root, 'docs/choices.md'), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:-|Point )/.test(line))
    .map((line) => line.slice(2, -2).split(' | '));

  it('has point, choice, setting and proof in every row', () => {
    expect(rows.length).toBeGreaterThan(80);
    expect(rows.filter((cells) => cells.length !== 4 || cells.some((cell) => cell.trim() === ''))).toEqual(
      [],
    );
    expect(rows.filter(([, , , proof = '']) => proofsIn(proof).length === 0)).toEqual([]);
  });

  it('names a point once', () => {
    const points = rows.map(([point]) => point);
    expect(points.filter((point, index) => points.indexOf(point) !== index)).toEqual([]);
  });

  it('names tests that exist', () => {
    const missing = rows
      .flatMap(([, , , proof = '']) => proofsIn(proof))
      .filter(({ file, title }) => !isOfRemovedVariant(file) && !titlesOf(file).has(title));
    expect(missing).toEqual([]);
  });

  it('names settings that exist', () => {
    const settings = readFileSync(join(root, 'config/env.ts'), 'utf8');
    const named = rows.flatMap(([, , setting = '']) =>
      [...setting.matchAll(/`([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !settings.includes(`'${name}'`))).toEqual([]);
  });

  it('would be found wrong by these tests', () => {
    const [proof] = proofsIn('`users.e2e-spec.ts › is never proven`');
    expect(titlesOf(proof?.file ?? '').size).toBeGreaterThan(5);
    expect(titlesOf(proof?.file ?? '').has(proof?.title ?? '')).toBe(false);
  });
});

interface Proof {
  readonly file: string;
  readonly title: string;
}

const proofsIn = (cell: string): Proof[] =>
  [...cell.matchAll(/`([\w./-]+\.ts) › ([^`]+)`/g)].map(([, file = '', title = '']) => ({
    file: file.startsWith('libs/') ? file : `test/${file}`,
    title,
  }));

/** Whether a file is about a variant that is no longer there, which took its tests with it. */
const isOfRemovedVariant = (file: string): boolean => {
  const variant = /\bvariant-(\w)\./.exec(file)?.[1]?.toUpperCase();
  return variant !== undefined && !VARIANTS.some((name) => name === variant);
};

const titles = new Map<string, ReadonlySet<string>>();

/** The titles of the tests of a file, as its syntax has them: of `it`, `it.each` and of written examples. */
function titlesOf(file: string): ReadonlySet<string> {
  const known = titles.get(file);
  if (known !== undefined) return known;
  const found = new Set<string>();
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.ES2023);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:it|test)\b/.test(calleeOf(node))) add(node.arguments[0]);
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === 'title') {
      add(node.initializer);
    }
    ts.forEachChild(node, visit);
  };
  const add = (title: ts.Node | undefined): void => {
    if (title !== undefined && ts.isStringLiteralLike(title)) found.add(title.text);
  };
  visit(source);
  titles.set(file, found);
  return found;
}

/** `it` of `it('…')`, and of `it.each([…])('…')`, whose own call is the callee. */
function calleeOf({ expression }: ts.CallExpression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) return calleeName(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return calleeName(expression.tag);
  return ts.isCallExpression(expression) ? calleeOf(expression) : '';
}

const calleeName = (node: ts.Node): string =>
  ts.isIdentifier(node) ? node.text : ts.isPropertyAccessExpression(node) ? calleeName(node.expression) : '';

/** How an organisation is changed: by every way that there is, in turn. */
const UPDATE: PerVariant<'put' | 'patch'> = { A: 'put', B: 'patch' };

/** Choices that no other test would miss. */
describe.each(VARIANTS)('where the description is silent, Variant %s', (variant) => {
  let service: TestService;
  let admin: ApiClient;
  beforeAll(async () => {
    service = await startTestService(variant);
    admin = await asAdmin(service);
  });
  afterAll(() => service.stop());

  it('takes an empty object at POST /login as no body', async () => {
    const { plain } = await makeCustomer(service);
    const told = await plain.client.post('/login', {}).expect(200);
    expect(told.body).toMatchObject({ hash: plain.client.hash, user: { id: plain.id } });
    await anonymous(service).post('/login', {}).expect(400);
    await plain.client.post('/login', { username: plain.username }).expect(400);
  });

  it('refuses required text of blanks alone', async () => {
    for (const blank of ['', ' ', '\t\n', '\u00a0']) {
      const { body } = await admin.post('/organisations', { name: blank, taxNumber: blank }).expect(400);
      expect(failingFields({ body: body as unknown })).toEqual(['name', 'taxNumber']);
    }
  });

  it('takes an empty text for a boolean or a word as nothing', async () => {
    const { organisationId, plain } = await makeCustomer(service);
    const organisation = `/organisations/${organisationId}`;
    const change = (path: string, body: object) =>
      path === organisation ? admin[UPDATE[variant]](path, body) : admin.patch(path, body);
    await change(organisation, { name: 'x', taxNumber: 'y', mustPayTax: false }).expect(204);
    await change(organisation, { name: 'x', taxNumber: 'y', mustPayTax: '', pdfInvoice: '' }).expect(204);
    expect(
      await service.sql('SELECT must_pay_tax FROM organisations WHERE id = $1', [organisationId]),
    ).toEqual([{ must_pay_tax: false }]);
    const names = { username: plain.username, firstName: 'Jan', lastName: 'Bakker' };
    await change(`${organisation}/users/${plain.id}`, { ...names, language: 'fr' }).expect(204);
    await change(`${organisation}/users/${plain.id}`, { ...names, language: '' }).expect(204);
    expect(await service.sql('SELECT language FROM users WHERE id = $1', [plain.id])).toEqual([
      { language: 'fr' },
    ]);
  });

  it('shows status2fa and the state of teams in the login answer', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    await makeTeam(service, organisationId, { name: 'Web', userIds: [plain.id] });
    const { body } = await anonymous(service)
      .post('/login', { username: plain.username, password: PASSWORD })
      .expect(200);
    expect(body.user.status2fa).toBe('disabled');
    expect(body.user.teams).toEqual([
      {
        id: expect.any(Number),
        name: 'Web',
        autoAddSshkey: expect.any(Boolean),
        status: 'ok',
        statusCategory: 'green',
      },
    ]);
  });

  it('reports what is wrong with fields by themselves before rules that need more than the field', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const path = `/organisations/${organisationId}/users/${plain.id}/contacts`;
    const failing = async (body: object): Promise<string[]> => {
      const response = await plain.client.post(path, body).expect(400);
      return failingFields(response);
    };
    expect(await failing({ type: 'email', name: 'no address', preferences: 'Weather' })).toEqual([
      'preferences',
    ]);
    expect(await failing({ type: 'email', name: 'no address' })).toEqual(['name']);
  });

  it('keeps logins of a user who logs in elsewhere', async () => {
    const { plain } = await makeCustomer(service);
    await loggedIn(service, plain.username, PASSWORD);
    await plain.client.get('/whoami').expect(200);
  });
});

it('expired API keys stay listed until they are deleted, and are filtered by name alone', async () => {
  const service = await startTestService('A');
  const { plain, organisationId } = await makeCustomer(service);
  const { id } = await makeApiKey(service, plain.id, {
    name: 'old robot',
    whitelist: ['192.0.2.7'],
    expiresIn: '-1 day',
  });
  const path = `/organisations/${organisationId}/users/${plain.id}/apikeys`;
  const idsBy = async (filter: string): Promise<number[]> => {
    const { body } = await plain.client.get(`${path}?filter=${filter}`).expect(200);
    return (body.apiKeys as { id: number }[]).map((key) => key.id);
  };
  expect(await idsBy('robot')).toEqual([id]);
  expect(await idsBy('192.0.2.7')).toEqual([]);
  await plain.client.delete(`${path}/${id}`).expect(204);
  expect(await idsBy('robot')).toEqual([]);
  await service.stop();
});

it('a device that is trusted without GEOIP_DB is in no country', async () => {
  const service = await startTestService('A', { settings: { geoipDb: undefined } });
  const { plain, organisationId } = await makeCustomer(service);
  const credentials = { username: plain.username, password: PASSWORD };
  const shown = await anonymous(service).post('/enable2faandget2fasecret', credentials).expect(200);
  const code = await new OneTimeCodes(shown.body.secret as string).next();
  const { body } = await anonymous(service)
    .post('/activate2fa', { ...credentials, '6digitCode': code, trustThisDevice: true })
    .expect(200);
  const listed = await anonymous(service)
    .get(`/organisations/${organisationId}/users/${plain.id}/token2fa`)
    .set('Authorization', body.hash as string)
    .expect(200);
  expect(listed.body.tokens2fa[0].trustedDevice).toMatchObject({ country: '', ip: '127.0.0.1' });
  await service.stop();
});

it('an invitation whose address changes in case alone keeps its token and mails nothing', async () => {
  const service = await startTestService('A');
  const { custadmin, organisationId } = await makeCustomer(service);
  const made = await makeInvitation(service, { organisationId, inviterId: custadmin.id });
  const shouted = made.email.toUpperCase();
  await custadmin.client
    .put(`/organisations/${organisationId}/invitations/${made.id}`, {
      email: shouted,
      firstName: 'Jan',
      lastName: 'de Vries',
    })
    .expect(204);
  for (const address of [made.email, shouted]) expect(await queuedMails(service, address)).toEqual([]);
  await anonymous(service)
    .post(`/registerInvitation/${made.token}`, registrationOf({ ...made, email: shouted }, PASSWORD))
    .expect(201);
  await service.stop();
});

describe('a login', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('A');
  });
  afterAll(() => service.stop());

  const statusOf = async (hash: string): Promise<number> =>
    (await anonymous(service).get('/whoami').set('Authorization', hash)).status;

  it('a login ends 7 days after its last use, and 30 days after it began', async () => {
    const { id, username } = (await makeCustomer(service)).plain;
    await service.sql('DELETE FROM logins WHERE user_id = $1', [id]);
    const hash = (await loggedIn(service, username, PASSWORD)).hash as string;
    const pass = (days: number): Promise<unknown> =>
      service.sql(
        `UPDATE logins SET last_used_at = last_used_at - $2 * interval '1 day',
           expires_at = expires_at - $2 * interval '1 day' WHERE user_id = $1`,
        [id, days],
      );
    for (let week = 0; week < 4; week++) {
      await pass(6.9);
      expect(await statusOf(hash)).toBe(200);
      await useIsWritten(id);
    }
    await pass(2.5);
    expect(await statusOf(hash)).toBe(401);

    const idle = (await loggedIn(service, username, PASSWORD)).hash as string;
    await pass(7.01);
    expect(await statusOf(idle)).toBe(401);
  });

  /** The use of a credential is written beside the answer, not before it. */
  async function useIsWritten(userId: number): Promise<void> {
    for (;;) {
      const rows = await service.sql(
        `SELECT 1 FROM logins WHERE user_id = $1 AND last_used_at > now() - interval '1 minute'`,
        [userId],
      );
      if (rows.length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
});
