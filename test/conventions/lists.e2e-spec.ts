import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer, makeOrganisation, nextNumber } from '../support/factories/factories';
import { insertRow } from '../support/factories/insert-row';
import { makeWebhook } from '../support/factories/webhooks-factories';
import type { InterfaceDocument } from '../support/generators/interface';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { describeService, type TestService } from '../support/service/service';
import { TAKES_TAG } from '../support/service/variants';

/** The texts that `filter` searches. */
const TEXTS = ['delta', 'Alpha', 'alpha_2', 'charlie%', 'bravo', 'echo\\', 'Alphabet'] as const;

/** What `filter` finds, by its place in {@link TEXTS} (rule requests 53). */
const FILTERS: readonly (readonly [filter: string, places: readonly number[]])[] = [
  ['ALPHA', [1, 2, 6]],
  ['%', [3]],
  ['_', [2]],
  ['\\', [5]],
  ['nothing has this', []],
];

/** A text, and how people type it who look for it (rule requests 56). */
const SPELLINGS = [
  ['H\u00e9l\u00e8ne', 'helene'],
  ['Helene', 'h\u00e9l\u00e8ne'],
  ['\u0141\u00f3d\u017a', 'lodz'],
  ['Stra\u00dfe', 'strasse'],
  ['S\u00f8ren \u00c6r\u00f8', 'soren aero'],
  ['O\u2019Neil', "o'neil"],
  ["O'Neil", 'oneil'],
  ['Kaffee  Eck', 'kaffee eck'],
  ['Kaffee\u00a0Eck', ' Kaffee  Eck '],
] as const;

/**
 * Values of other columns in the order of the rows. Columns with few values are equal in
 * several, whose ids decide.
 */
const RANKS = [3, 6, 0, 5, 1, 4, 2] as const;

/**
 * Fields with identifiers and words of the contract, in the order of their bytes; all other
 * texts have that of people.
 */
const CODES: ReadonlySet<string> = new Set([
  'access',
  'type',
  'status',
  'statusCategory',
  'statusDisplay',
  'notificationGroup',
  'language',
  'entityClass',
  'entityIndex',
  'rootEntityClass',
  'object',
  'fingerprint',
  'content',
  'ip',
  'country',
  'os',
  'browser',
  'url',
  'lastError',
  'event',
  'error',
]);

/** The lists that this file leaves to another, because their rows or orders are their own. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '/v1/organisations': 'test/organisations/organisations-lists.e2e-spec.ts',
  '/v1/organisations/{organisationId}/organisations': 'test/organisations/organisations-lists.e2e-spec.ts',
  '/v1/organisations/{organisationId}/access': 'test/access-list/access-list.e2e-spec.ts',
  '/v1/organisations/{organisationId}/audit': 'test/audit/audit-customers.e2e-spec.ts',
};

type Columns = Readonly<Record<string, unknown>>;

interface Scene {
  readonly service: TestService;
  readonly organisationId: number;
  readonly plain: MadeUser;
  readonly custadmin: MadeUser;
  readonly stranger: MadeUser;
}

interface List {
  readonly table: string;
  /** The columns that put a row into the list. */
  readonly owner: (scene: Scene) => Columns;
  /** The columns that keep a row out of the list. */
  readonly others: (scene: Scene) => readonly Columns[];
  readonly row: (text: string, rank: number, scene: Scene, place: number) => Columns | Promise<Columns>;
  /** Orders by fields that are the same in all rows, or that none shows. */
  readonly constant?: readonly string[];
  /** Scalar fields that give no order (rule grants 15). */
  readonly unordered?: readonly string[];
  /** Rows that are there anyway, such as the login of the reader. */
  readonly before?: number;
  /** What `filter` finds, or must not find, in the other texts of the rows. */
  readonly finds?: typeof FILTERS;
}

const ofUser: Pick<List, 'owner' | 'others'> = {
  owner: ({ plain }) => ({ user_id: plain.id }),
  others: ({ custadmin, stranger }) => [{ user_id: custadmin.id }, { user_id: stranger.id }],
};
const ofOrganisation: Pick<List, 'owner' | 'others'> = {
  owner: ({ organisationId }) => ({ organisation_id: organisationId }),
  others: ({ stranger }) => [{ organisation_id: stranger.organisationId }],
};

const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);
const bytes = (): Buffer => randomBytes(32);
const oneOf = <Value>(values: readonly Value[], rank: number): Value => values[rank % values.length] as Value;

const sshKey: List['row'] = (description, rank) => ({
  description,
  type: 'ssh-ed25519',
  blob: bytes(),
  bits: 256,
  comment: '',
  key_digest: bytes(),
  fingerprint: `${rank}:${randomBytes(10).toString('hex')}`,
});
const contact: List['row'] = (name, rank, _scene, place) => ({
  name,
  unique_key: `${place}`,
  type: oneOf(['email', 'phone', 'slack'], rank),
});
const notification: List['row'] = (type, rank, { plain, custadmin }) => ({
  type,
  customer_id: custadmin.organisationId,
  notification_group: oneOf(['Crm', 'Mail', 'System'], rank),
  entity_class: oneOf(['User', 'Team'], rank),
  entity_id: rank + 1,
  entity_name: `Entity ${rank}`,
  subject: `Subject ${rank}`,
  priority: rank % 3,
  user_id: oneOf([custadmin.id, null, plain.id], rank),
  status: rank % 4,
  send_mode: rank % 2,
  created_at: inDays(-rank),
});
const grant: List['row'] = async (name, rank, { service }) => ({
  grantee_id: await makeOrganisation(service, { name }),
  access: oneOf(['manage', 'read'], rank),
  created_at: inDays(-rank),
  expires_at: inDays(1 + rank),
});

/** The lists by their paths. */
const LISTS: Readonly<Record<string, List>> = {
  '/v1/organisations/{organisationId}/users': {
    ...ofOrganisation,
    table: 'users',
    row: (first_name, rank) => ({
      first_name,
      last_name: oneOf(['Smit', 'De Boer'], rank),
      password_hash: '',
      username: `${rank}.${nextNumber()}@example.com`,
    }),
    before: 2,
    finds: [
      ['SMIT', [1, 2, 5, 6]],
      ['charlie% DE', [3]],
      ['5.', [3]],
    ],
  },
  '/v1/organisations/{organisationId}/teams': {
    ...ofOrganisation,
    table: 'teams',
    row: (name, rank) => ({ name, admin_only: rank % 2 === 0, auto_add_sshkey: rank % 3 === 0 }),
  },
  '/v1/organisations/{organisationId}/users/{userId}/contacts': {
    table: 'contacts',
    owner: ({ organisationId, plain }) => ({ organisation_id: organisationId, user_id: plain.id }),
    others: ({ organisationId, custadmin, stranger }) => [
      { organisation_id: organisationId },
      { organisation_id: organisationId, user_id: custadmin.id },
      { organisation_id: stranger.organisationId, user_id: stranger.id },
    ],
    row: contact,
    finds: [['slack', []]],
  },
  '/v1/organisations/{organisationId}/contacts': {
    table: 'contacts',
    owner: ({ organisationId }) => ({ organisation_id: organisationId }),
    others: ({ organisationId, plain, stranger }) => [
      { organisation_id: organisationId, user_id: plain.id },
      { organisation_id: stranger.organisationId },
    ],
    row: contact,
  },
  '/v1/organisations/{organisationId}/users/{userId}/sshkeys': {
    table: 'ssh_keys',
    owner: ofUser.owner,
    others: (scene) => [...ofUser.others(scene), ofOrganisation.owner(scene)],
    row: sshKey,
    constant: ['status'],
    finds: [
      ['5:', [3]],
      ['ed25519', []],
    ],
  },
  '/v1/organisations/{organisationId}/sshkeys': {
    table: 'ssh_keys',
    owner: ofOrganisation.owner,
    others: (scene) => [...ofOrganisation.others(scene), ofUser.owner(scene)],
    row: sshKey,
    constant: ['status'],
    finds: [
      ['5:', [3]],
      ['ed25519', []],
    ],
  },
  '/v1/organisations/{organisationId}/users/{userId}/apikeys': {
    ...ofUser,
    table: 'api_keys',
    row: (name, rank) => ({ name, digest: bytes(), expires_at: inDays(1 + rank) }),
  },
  '/v1/organisations/{organisationId}/users/{userId}/logins': {
    ...ofUser,
    table: 'logins',
    row: (browser, rank) => ({
      browser,
      digest: bytes(),
      address: `192.0.2.${rank}`,
      os: `OS ${rank % 3}`,
      country: oneOf(['NL', 'BE'], rank),
      created_at: inDays(-rank),
      expires_at: inDays(1),
      last_used_at: inDays((rank - 6) / 24),
    }),
    // The login that reads.
    before: 1,
    constant: ['support', 'reason', 'serviceKey'],
    finds: [
      ['192.0.2.5', [3]],
      ['os 2', [3, 6]],
      ['nl', [1, 2, 5, 6]],
    ],
  },
  '/v1/organisations/{organisationId}/users/{userId}/token2fa': {
    ...ofUser,
    table: 'trusted_devices',
    row: (user_agent, rank) => ({
      user_agent,
      digest: bytes(),
      address: `192.0.2.${rank}`,
      os: `OS ${rank % 3}`,
      browser: `Edge ${rank}`,
      created_at: inDays(-rank),
      expires_at: inDays(1 + rank),
    }),
    finds: [
      ['192.0.2.5', [3]],
      ['os 2', [3, 6]],
      ['edge 5', [3]],
    ],
  },
  '/v1/organisations/{organisationId}/users/{userId}/passkeys': {
    ...ofUser,
    table: 'passkeys',
    row: (name, rank) => ({
      name,
      credential_id: bytes(),
      public_key: bytes(),
      counter: 0,
      backed_up: rank % 2 === 0,
      backup_eligible: true,
      created_at: inDays(-rank),
      last_used_at: rank === 5 ? null : inDays((rank - 6) / 24),
      rp_id: 'panel.example',
    }),
  },
  '/v1/organisations/{organisationId}/servicekeys': {
    ...ofOrganisation,
    table: 'service_keys',
    row: (name, rank) => ({
      name,
      digest: bytes(),
      operations: ['organisations.read'],
      reaches_beneath: rank % 2 === 0,
      created_at: inDays(-rank),
      expires_at: inDays(1 + rank),
      last_used_at: rank === 5 ? null : inDays((rank - 6) / 24),
    }),
    finds: [['organisations.read', []]],
  },
  '/v1/organisations/{organisationId}/webhooks': {
    ...ofOrganisation,
    table: 'webhooks',
    row: (text, rank) => ({
      url: `https://receiver.example/${text}`,
      events: ['*'],
      encrypted_secret: '',
      made_after: 0,
      reaches_beneath: rank % 2 === 0,
      enabled: rank % 3 === 0,
      last_error: `Error ${rank}`,
      created_at: inDays(-rank),
    }),
    finds: [['error', []]],
  },
  '/v1/organisations/{organisationId}/webhooks/{webhookId}/deliveries': {
    table: 'webhook_deliveries',
    owner: () => ({}),
    others: () => [],
    row: (text, rank) => ({
      event: text.toLowerCase(),
      message_id: randomUUID(),
      body: '{}',
      tries: rank,
      status: 200 + rank,
      error: `Error ${rank}`,
      duration: rank,
      created_at: inDays(-rank / 2),
      next_try_at: inDays(1 + rank),
    }),
    finds: [['error', []]],
  },
  '/v1/organisations/{organisationId}/invitations': {
    ...ofOrganisation,
    table: 'invitations',
    row: (first_name, rank, { custadmin }) => ({
      first_name,
      last_name: oneOf(['Smit', 'De Boer'], rank),
      email: `${rank}@example.com`,
      language: oneOf(['nl', 'en', 'fr'], rank),
      inviter_id: custadmin.id,
      token_digest: bytes(),
      expires_at: inDays(rank % 3 === 0 ? -1 : 1),
      accepted_at: rank % 3 === 1 ? inDays(0) : null,
    }),
    finds: [
      ['SMIT', [1, 2, 5, 6]],
      ['5@EXAMPLE', [3]],
    ],
  },
  '/v1/organisations/{organisationId}/notifications': {
    ...ofOrganisation,
    table: 'notifications',
    row: notification,
    constant: ['rootEntityClass', 'rootEntityId'],
    finds: [
      ['entity 5', [3]],
      ['subject 5', [3]],
      ['SYST', [3, 6]],
    ],
  },
  '/v1/organisations/{organisationId}/notifications/crm': {
    table: 'notifications',
    owner: (scene) => ({ ...ofOrganisation.owner(scene), notification_group: 'Crm' }),
    others: ({ organisationId, stranger }) => [
      { organisation_id: organisationId, notification_group: 'Mail' },
      { organisation_id: stranger.organisationId, notification_group: 'Crm' },
    ],
    row: notification,
    constant: ['notificationGroup', 'rootEntityClass', 'rootEntityId'],
    finds: [['syst', []]],
  },
  '/v1/organisations/{organisationId}/documents': {
    ...ofOrganisation,
    table: 'documents',
    row: (name, rank) => ({
      id: 1000 + nextNumber(),
      name,
      pdf_file: randomUUID(),
      pdf_size: 1,
      pdf_sha256: '',
      created_at: inDays(-rank),
      changed_at: inDays(-rank / 2),
      sent_at: rank === 5 ? null : inDays(-rank / 3),
    }),
  },
  '/v1/organisations/{organisationId}/grants': {
    ...ofOrganisation,
    table: 'acls',
    row: grant,
    unordered: ['onlyTeams'],
    finds: [['CUSTOMER', [0, 1, 2, 3, 4, 5, 6]]],
  },
  '/v1/organisations/{organisationId}/acls': {
    ...ofOrganisation,
    table: 'acls',
    row: grant,
    constant: ['object', 'objectId', 'type'],
    finds: [['customer', []]],
  },
};

type Value = string | number | boolean | null;
type Item = Readonly<Record<string, Value | object>> & { readonly id: number };

interface Answer {
  readonly ids: readonly number[];
  readonly items: readonly Item[];
  readonly total: number | undefined;
  readonly link: string | undefined;
}

const isScalar = (value: unknown): value is Value => ['string', 'number', 'boolean'].includes(typeof value);

/** Lists that a variant has alone, or whose items it shapes. All others are the same but for `tag`. */
const SHAPED_BY_VARIANT = /\/(?:acls|invitations|users)$/;

describeService(VARIANTS, 'GET of a list in Variant %s', (service, variant) => {
  const { paths, components } = JSON.parse(
    readFileSync(join(__dirname, `../../docs/openapi-${variant.toLowerCase()}.json`), 'utf8'),
  ) as InterfaceDocument;

  /** The documented values of `orderBy` by the paths of the lists. */
  const orders = new Map<string, readonly string[]>();
  for (const [path, { get }] of Object.entries(paths)) {
    const order = get?.parameters?.find(({ name }) => name === 'orderBy')?.schema;
    if (order?.enum !== undefined && !(path in ELSEWHERE)) orders.set(path, order.enum as string[]);
  }

  const showsTotal = (path: string): boolean => {
    const { schema } = paths[path]?.['get']?.responses['200']?.content?.['application/json'] ?? {};
    const name = schema?.$ref?.split('/').at(-1);
    return 'total' in ((name === undefined ? schema : components.schemas[name])?.properties ?? {});
  };

  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  it('every list is described here or in another file', () => {
    expect([...orders.keys()].filter((path) => !(path in LISTS))).toEqual([]);
  });

  describe.each([...orders].filter(([path]) => path in LISTS))('%s', (template, orderNames) => {
    const {
      table,
      owner,
      others,
      row,
      constant = [],
      unordered = [],
      before = 0,
      finds = [],
    } = LISTS[template] as List;
    const isCounted = showsTotal(template);
    let path: string;
    let reader: ApiClient;
    /** Ids of the rows by their places in {@link TEXTS}. */
    let made: readonly number[];
    /** The list in its default order. */
    let whole: Answer;
    /** Adds a row with the text. */
    let add: (text: string) => Promise<{ readonly id: number } & AsyncDisposable>;

    const read = async (query: string): Promise<Answer> => {
      const { body, headers } = await reader.get(`${path}?${query}`).expect(200);
      const { total, ...list } = body as { total?: number } & Readonly<Record<string, readonly Item[]>>;
      const [items = []] = Object.values(list);
      return { ids: items.map(({ id }) => id), items, total, link: headers['link'] };
    };

    /** The order of the items by the values that they show; in equal ones by id. */
    const idsBy = async (field: string): Promise<number[]> => {
      const values = whole.items.map(({ [field]: value }) => (isScalar(value) ? String(value) : null));
      // A time that is missing is an empty text among numbers.
      const isNumber = values.every((value) => value === null || /^-?\d*$/.test(value));
      const text = `value COLLATE ${CODES.has(field) ? '"C"' : '"und-x-icu"'}`;
      const rows = await service.sql<{ id: number }>(
        `SELECT id FROM unnest($1::integer[], $2::text[]) AS shown (id, value)
         ORDER BY ${isNumber ? `nullif(value, '')::numeric` : text}, id`,
        [whole.ids, values],
      );
      return rows.map(({ id }) => id);
    };

    beforeAll(async () => {
      const { organisationId, custadmin, plain } = await makeCustomer(service, { name: 'Customer' });
      const { plain: stranger } = await makeCustomer(service, { name: 'Stranger' });
      const scene: Scene = { service, organisationId, custadmin, plain, stranger };
      const fill = async (columns: Columns): Promise<number[]> => {
        const ids: number[] = [];
        for (const [place, text] of TEXTS.entries()) {
          const own = await row(text, RANKS[place] as number, scene, place);
          ids.push(await insertRow(service, table, { ...own, ...columns }));
        }
        return ids;
      };
      let owned = owner(scene);
      let beside = others(scene);
      path = template
        .slice('/v1'.length)
        .replace('{organisationId}', `${organisationId}`)
        .replace('{userId}', `${plain.id}`);
      if (path.includes('{webhookId}')) {
        const { webhookId } = await makeWebhook(service, organisationId);
        const other = await makeWebhook(service, organisationId);
        await service.sql`DELETE FROM webhook_deliveries WHERE webhook_id = ${webhookId}`;
        path = path.replace('{webhookId}', `${webhookId}`);
        owned = { webhook_id: webhookId };
        beside = [{ webhook_id: other.webhookId }];
      }
      reader = template.includes('{userId}') ? plain.client : admin;
      add = async (text) => {
        const added = { ...(await row(text, TEXTS.length, scene, TEXTS.length)), ...owned };
        const id = await insertRow(service, table, added);
        return {
          id,
          [Symbol.asyncDispose]: async () => {
            await service.sql(`DELETE FROM ${table} WHERE id = $1`, [id]);
          },
        };
      };
      for (const columns of beside) await fill(columns);
      made = await fill(owned);
      whole = await read('limit=0');
    });

    it('has the rows of its owner alone, five by default, total where it is described, and Link to the next page', async () => {
      expect(whole.ids.slice(before)).toEqual(made);
      const { ids } = whole;
      const total = isCounted ? ids.length : undefined;
      expect(whole).toMatchObject({ total, link: undefined });
      const next = (query: string) => `</v1${path}?${query}>; rel="next"`;
      expect(await read('')).toMatchObject({ ids: ids.slice(0, 5), total, link: next('offset=5') });
      expect(await read('offset=5')).toMatchObject({ ids: ids.slice(5), total, link: undefined });
      expect(await read('offset=50')).toMatchObject({ ids: [], total, link: undefined });
      const whatRemains = next('limit=2&orderType=desc&offset=4');
      const middle = await read('limit=2&orderType=desc&offset=2');
      expect(middle).toMatchObject({ ids: [...ids].reverse().slice(2, 4), total, link: whatRemains });
      const tagged = await read('tag=x&limit=0');
      expect(tagged.ids).toEqual(TAKES_TAG[variant] ? [] : ids);
    });

    if (!SHARED_VARIANTS.includes(variant) && !SHAPED_BY_VARIANT.test(template)) return;

    it('orderBy takes each scalar field, ASC and DESC, with equal values by id, and any other is 400', async () => {
      const fields = Object.keys(whole.items[0] ?? {});
      const scalars = fields.filter(
        (field) => !unordered.includes(field) && whole.items.some((item) => isScalar(item[field])),
      );
      expect([...orderNames].sort()).toEqual([...new Set([...scalars, ...constant])].sort());
      const { length } = whole.ids;
      for (const field of orderNames) {
        const expected = await idsBy(field);
        if (field !== 'id' && !constant.includes(field)) expect(expected).not.toEqual(whole.ids);
        expect({ field, ids: (await read(`limit=0&orderBy=${field}`)).ids }).toEqual({
          field,
          ids: expected,
        });
        const down = `orderBy=${field}&orderType=DESC`;
        const pages = [await read(`limit=4&${down}`), await read(`limit=${length}&offset=4&${down}`)];
        expect({ field, ids: pages.flatMap(({ ids }) => ids) }).toEqual({ field, ids: expected.reverse() });
      }
      for (const field of ['nothing', ...fields.filter((name) => !scalars.includes(name))]) {
        const refused = await reader.get(`${path}?orderBy=${field}`).expect(400);
        expect(failingFields(refused)).toEqual(['orderBy']);
      }
    });

    it.each([...FILTERS, ...finds])(
      'filter=%j finds in any case, without wildcards',
      async (filter, places) => {
        const ids = places.map((place) => made[place]);
        const total = isCounted ? ids.length : undefined;
        const query = `filter=${encodeURIComponent(filter)}`;
        expect(await read(`${query}&limit=0`)).toMatchObject({ ids, total });
        expect(await read(`${query}&limit=1&offset=1`)).toMatchObject({ ids: ids.slice(1, 2), total });
      },
    );

    it('filter finds a text in either form of Unicode', async () => {
      await using added = await add('Zo\u00eb');
      for (const filter of ['zo\u00eb', 'zoe\u0308'])
        expect(await read(`filter=${encodeURIComponent(filter)}&limit=0`)).toMatchObject({ ids: [added.id] });
    });

    it.each(SPELLINGS)('finds %j by filter=%j', async (text, filter) => {
      await using added = await add(text);
      expect((await read(`filter=${encodeURIComponent(filter)}&limit=0`)).ids).toContain(added.id);
    });
  });
});
