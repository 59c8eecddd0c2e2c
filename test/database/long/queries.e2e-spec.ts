import { Client } from 'pg';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { type PerVariant, VARIANTS } from '../../../qa/variants';
import { makeCustomer, makeOrganisation, makeUser, PASSWORD } from '../../support/factories/factories';
import { makeApiKey } from '../../support/factories/key-factories';
import { pathOf } from '../../support/factories/users-factories';
import { transactionBeside } from '../../support/faults/locks';
import { Interface, nameOfRoute, Scene } from '../../support/generators/interface';
import { anonymous, ApiClient, asAdmin } from '../../support/service/client';
import { describeService, type TestService } from '../../support/service/service';

/**
 * The most statements of one request, whatever it finds: the access query and the read itself,
 * and one to spare for lists.
 */
const MAX_FOR_LISTS = 3;
const MAX_FOR_READS = 2;

/** Whether a manager's read of an organisation shows its users. */
const MANAGERS_SEE_USERS: PerVariant<boolean> = { A: false, B: true };

/** Whether the read of a single organisation shows its users. */
const USERS_OF_ONE: PerVariant<boolean> = { A: false, B: true };

interface WithUsers {
  readonly id: number;
  readonly users?: readonly { readonly id: number }[];
}

interface ShownUsers {
  readonly organisation?: WithUsers;
  readonly organisations?: readonly WithUsers[];
}

/** The ids of the users that a response shows of an organisation. */
const usersOf = ({ organisation, organisations = [] }: ShownUsers, id: number): number[] =>
  [organisation, ...organisations].flatMap((shown) =>
    shown?.id === id ? (shown.users ?? []).map((user) => user.id) : [],
  );

/** What a page above 100 items sends around its one statement, which is declared as a cursor. */
const OF_CURSOR = /^(BEGIN READ ONLY;|FETCH \d+ FROM page_rows$|ROLLBACK$)/;

/** Runs a request and gives every statement that the process sent meanwhile; a cursor is one. */
async function statementsOf(action: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const spy = jest.spyOn(Client.prototype, 'query');
  try {
    await action();
    for (const [query] of spy.mock.calls as unknown as [string | { text?: string }][]) {
      statements.push(typeof query === 'string' ? query : (query.text ?? ''));
    }
  } finally {
    spy.mockRestore();
  }
  const hasCursor = statements.some((text) => text.startsWith('DECLARE page_rows'));
  return hasCursor ? statements.filter((text) => !OF_CURSOR.test(text)) : statements;
}

/**
 * A login whose place the service takes for that of another credential: their digests
 * begin with the same two bytes.
 */
async function loginBesideOf(service: TestService, userId: number, credential: string): Promise<ApiClient> {
  const start = digestOf(credential).readUInt16LE(0);
  let secret = newSecret();
  while (digestOf(secret).readUInt16LE(0) !== start) secret = newSecret();
  await service.sql`INSERT INTO logins (user_id, digest, address, expires_at, last_used_at)
    VALUES (${userId}, ${digestOf(secret)}, '192.0.2.1', now() + interval '1 day', now())`;
  return new ApiClient(service.url, secret);
}

describeService(VARIANTS, 'the statements of a request in Variant %s', (service, variant) => {
  it('that may ask a login by a link for the password learn from the access statement what made it', async () => {
    const { organisationId, custadmin, plain } = await makeCustomer(service);
    const grantee = await makeOrganisation(service);
    const { client } = custadmin;
    const organisation = `/organisations/${organisationId}`;
    const name = 'Sample';
    const changes: Readonly<Record<string, () => ReturnType<ApiClient['post']>>> = {
      contact: () => client.post(`${pathOf(plain)}/contacts`, { type: 'email', name: 'jan@a.example' }),
      organisation: () => client.put(organisation, { name, taxNumber: 'BE0123456789' }),
      'support access': () => client.put(`${organisation}/supportaccess`, { access: 'write' }),
      'service key': () => client.post(`${organisation}/servicekeys`, { name, operations: ['users.read'] }),
      webhook: () =>
        client.post(`${organisation}/webhooks`, { url: 'https://receiver.invalid/', events: ['users.*'] }),
      grant: () => client.post(`${organisation}/grants`, { organisation: grantee, access: 'manage' }),
      ...(variant === 'A' && {
        'API key': () => client.post(`${pathOf(custadmin)}/apikeys`, { name, whitelist: [] }),
      }),
    };
    for (const [change, send] of Object.entries(changes)) {
      const statements = await statementsOf(async () => {
        const { status } = await send();
        expect([change, Math.floor(status / 100)]).toEqual([change, 2]);
      });
      const ofLogins = statements.filter((text) => /\bFROM logins\b/.test(text));
      expect([change, ofLogins]).toEqual([change, [expect.stringContaining('/* access */')]]);
    }
  });

  it('are at most two for every GET of a record and three of a list, whatever the size of the page', async () => {
    const description = await Interface.of(service);
    const reads = description.triedRoutes.filter(
      ({ method, operation }) => method === 'GET' && operation !== undefined,
    );
    let tried = 0;
    for (const route of reads) {
      const scene = await Scene.of(description, route);
      if (!scene.isComplete) continue;
      tried++;
      const isList = route.described.parameters?.some(({ name }) => name === 'limit') ?? false;
      // The first request of a credential may write when it was used.
      await scene.caller.get(scene.path).expect(200);
      for (const query of isList ? ['?limit=1', '?limit=0', '?limit=0&filter=a'] : ['']) {
        const statements = await statementsOf(() => scene.caller.get(`${scene.path}${query}`).expect(200));
        expect(statements.length).toBeGreaterThan(0);
        expect({
          route: nameOfRoute(route),
          query,
          tooMany: statements.slice(isList ? MAX_FOR_LISTS : MAX_FOR_READS),
        }).toEqual({ route: nameOfRoute(route), query, tooMany: [] });
      }
    }
    expect(tried).toBeGreaterThan(4);
  });

  it('are six for POST …/teams, and two more with an Idempotency-Key', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const send = (name: string) =>
      custadmin.client.post(`/organisations/${organisationId}/teams`, { name, autoAddSshkey: false });
    await send('First').expect(201);
    const without = await statementsOf(() => send('Second').expect(201));
    // Credential, BEGIN, actor, the change, COMMIT, and the read of the response.
    expect({ length: without.length, without }).toEqual({ length: 6, without });
    const keyed = (name: string) => send(name).set('Idempotency-Key', name);
    // The look for a stored response, and the response that is kept.
    const first = await statementsOf(() => keyed('Third').expect(201));
    expect({ length: first.length, first }).toEqual({ length: 6 + 2, first });
    const again = await statementsOf(() => keyed('Third').expect(201));
    expect({ length: again.length, again }).toEqual({ length: 2, again });
  });

  it('find rows of stored_responses by index, even if the connection has planned it for a small table', async () => {
    const { plain } = await makeCustomer(service);
    await service.sql('ANALYZE stored_responses');
    await using connection = await transactionBeside(service);
    await connection.query(
      `INSERT INTO stored_responses (digest, user_id, encrypted)
       SELECT sha256(n::text::bytea), $1, 'v1.00000000.x' FROM generate_series(1, 10) n`,
      [plain.id],
    );
    const { rows } = await connection.query<{ scans: number }>(
      `SELECT seq_scan::integer AS scans FROM pg_stat_xact_user_tables WHERE relname = 'stored_responses'`,
    );
    expect(rows).toEqual([{ scans: 0 }]);
  });

  it('are nine for POST /login from a known network, and four more from a new one', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const logIn = ({ username } = plain) =>
      statementsOf(() => anonymous(service).post('/login', { username, password: PASSWORD }).expect(200));
    // Its connections say who they are.
    await logIn(custadmin);
    const first = await logIn();
    const known = await logIn();
    // The user, two for the count of guesses, BEGIN, actor, the login, the demand for a second
    // factor, COMMIT, the response.
    expect({ length: known.length, known }).toEqual({ length: 9, known });
    await service.sql`DELETE FROM known_networks WHERE user_id = ${plain.id}`;
    const elsewhere = await logIn();
    // The mailbox of the user, the notice, its mail and the job of the mail.
    expect({ length: elsewhere.length, elsewhere }).toEqual({ length: known.length + 4, elsewhere });
    // The first login is told to nobody.
    expect({ length: first.length, first }).toEqual({ length: known.length + 1, first });
  });

  it('are one for POST /access/introspect and for GET /access/forward', async () => {
    const { plain } = await makeCustomer(service);
    const admin = await asAdmin(service);
    const ask = () => admin.post('/access/introspect', { token: plain.client.hash }).expect(200);
    const forward = () => plain.client.get('/access/forward').expect(204);
    for (const request of [ask, forward]) expect(await statementsOf(request)).toHaveLength(1);
    expect((await ask()).body).toMatchObject({ active: true, sub: String(plain.id) });
  });

  it('are one for GET /whoami, with a credential of any kind', async () => {
    const { plain } = await makeCustomer(service);
    const key = await makeApiKey(service, plain.id);
    const whoami = (client: ApiClient) => client.get('/whoami').expect(200);
    // A request of a key that was not used for a minute writes when it was.
    await service.sql`UPDATE api_keys SET last_used_at = now() WHERE id = ${key.id}`;
    await whoami(key.client);
    expect(await statementsOf(() => whoami(key.client))).toHaveLength(1);
    const login = await loginBesideOf(service, plain.id, key.client.hash as string);
    for (const client of [login, key.client, login]) {
      expect(await statementsOf(() => whoami(client))).toHaveLength(1);
      expect((await whoami(client)).body).toMatchObject({ userId: plain.id });
    }
    await service.sql`DELETE FROM logins WHERE user_id = ${plain.id}`;
    expect(await statementsOf(() => login.get('/whoami').expect(401))).toHaveLength(1);
  });

  it('are the same in GET /organisations, …/organisations and …/users for one organisation and for fifty', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const admin = await asAdmin(service);
    const counts = async (): Promise<number[]> => {
      const taken: number[] = [];
      for (const [client, path] of [
        [admin, '/organisations'],
        [custadmin.client, '/organisations'],
        [custadmin.client, `/organisations/${organisationId}/organisations`],
        [custadmin.client, `/organisations/${organisationId}/users`],
      ] as const) {
        taken.push((await statementsOf(() => client.get(`${path}?limit=0`).expect(200))).length);
      }
      return taken;
    };
    const few = await counts();
    for (let index = 0; index < 50; index++) {
      const beneath = await makeOrganisation(service, { resellerId: organisationId });
      await makeUser(service, { organisationId: index % 2 === 0 ? organisationId : beneath });
    }
    expect(await counts()).toEqual(few);
    expect(Math.max(...few)).toBeLessThanOrEqual(MAX_FOR_LISTS);
  });

  it('are three at most in GET /organisations that shows all users of an organisation of many', async () => {
    const admin = await asAdmin(service);
    // The operator organisation is on the first page.
    await service.sql(
      `INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
       SELECT 1, n || '@many.example', 'Jan', 'Bakker', '' FROM generate_series(1, 120) n`,
    );
    const stored = await service.sql(
      'SELECT id FROM users WHERE organisation_id = 1 AND deleted_at IS NULL ORDER BY id',
    );
    expect(stored.length).toBeGreaterThan(120);
    for (const path of ['/organisations', '/organisations/1']) {
      const shown: unknown[] = [];
      const statements = await statementsOf(async () => {
        const { body } = await admin.get(path).expect(200);
        shown.push(...usersOf(body as ShownUsers, 1));
      });
      if (USERS_OF_ONE[variant] || path === '/organisations')
        expect(shown).toEqual(stored.map(({ id }) => id));
      expect(statements.length).toBeLessThanOrEqual(MAX_FOR_LISTS);
    }
  });

  it('fetch the users in GET /organisations for those alone who are shown them', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const admin = await asAdmin(service);
    for (const path of ['/organisations?limit=1', `/organisations/${organisationId}`]) {
      const fetchesUsers = async (client: ApiClient): Promise<boolean> => {
        const statements = await statementsOf(() => client.get(path).expect(200));
        return statements.some((text) => text.includes('FROM users u WHERE u.organisation_id = o.id'));
      };
      expect(await fetchesUsers(admin)).toBe(true);
      expect(await fetchesUsers(custadmin.client)).toBe(MANAGERS_SEE_USERS[variant]);
    }
  });
});
