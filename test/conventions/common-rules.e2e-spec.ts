import { type PerVariant, VARIANTS } from '../../qa/variants';
import { type Customer, makeCustomer, makeOrganisation, nextNumber } from '../support/factories/factories';
import { pathOf } from '../support/factories/users-factories';
import { audited } from '../support/service/audit';
import type { ApiClient } from '../support/service/client';
import { useService } from '../support/service/service';

/** What holds for the records of several domains alike, each rule once. */

interface Collection {
  /** The route, as titles name it. */
  readonly what: string;
  readonly path: (customer: Customer) => string;
  readonly client: (customer: Customer) => ApiClient;
}

const ofOrganisation = (collection: string) => ({
  path: ({ organisationId }: Customer) => `/organisations/${organisationId}/${collection}`,
  client: ({ custadmin }: Customer) => custadmin.client,
});

const ofUser = (collection: string) => ({
  path: ({ plain }: Customer) => `${pathOf(plain)}/${collection}`,
  client: ({ plain }: Customer) => plain.client,
});

/** A record of its own, beside `total` where it is in a list. */
const recordIn = (body: unknown): Record<string, unknown> =>
  Object.values(body as Record<string, Record<string, unknown>>)[0] as Record<string, unknown>;

interface WithSecret extends Collection {
  readonly body: object;
  readonly status: number;
  /** The field that only the first answer has. */
  readonly field: string;
  readonly form: RegExp;
  /** Whether the first answer has every other field too. */
  readonly isWhole: boolean;
  readonly table: string;
  /** What the audit log shows changed of it. */
  readonly column: string;
}

const API_KEYS: WithSecret = {
  what: 'POST …/apikeys: an API key',
  ...ofUser('apikeys'),
  body: { name: 'Script', whitelist: [] },
  status: 200,
  field: 'hash',
  form: /^[\da-f]{64}$/,
  isWhole: false,
  table: 'api_keys',
  column: 'digest',
};

const SECRETS_IN_BOTH: readonly WithSecret[] = [
  {
    what: 'POST …/servicekeys: a service key',
    ...ofOrganisation('servicekeys'),
    body: { name: 'Robot', operations: ['users.list'] },
    status: 201,
    field: 'hash',
    form: /^[\da-f]{64}$/,
    isWhole: true,
    table: 'service_keys',
    column: 'digest',
  },
  {
    what: 'POST …/webhooks: a webhook',
    ...ofOrganisation('webhooks'),
    body: { url: 'https://receiver.example/', events: ['*'] },
    status: 201,
    field: 'secret',
    form: /^whsec_[A-Za-z0-9+/]{43}=$/,
    isWhole: true,
    table: 'webhooks',
    column: 'encrypted_secret',
  },
];

const SECRETS: PerVariant<readonly WithSecret[]> = { A: [...SECRETS_IN_BOTH, API_KEYS], B: SECRETS_IN_BOTH };

interface Changed extends Collection {
  /** Every field. */
  readonly body: () => object | Promise<object>;
  /** Only what a change cannot leave out, or one field. */
  readonly change: object;
  /** What the record shows of the change, where it is not the same. */
  readonly becomes?: object;
}

describe.each(VARIANTS)('in Variant %s', (variant) => {
  const service = useService(variant, { settings: { trustedProxies: ['127.0.0.1'] } });

  describe.each(SECRETS[variant])(
    '$what',
    ({ path, client, body, status, field, form, isWhole, table, column }) => {
      it('has its secret in the answer to POST alone, and no table, log or audit row holds it as it is', async () => {
        const customer = await makeCustomer(service);
        const { organisationId } = customer;
        const { body: answer, rows } = await audited(
          service,
          client(customer).post(path(customer), body),
          status,
        );
        const { [field]: secret, ...shown } = recordIn(answer);
        expect(secret).toMatch(form);
        const single = `${path(customer)}/${String(shown['id'])}`;
        const read = recordIn((await client(customer).get(single).expect(200)).body);
        expect(read).not.toHaveProperty(field);
        expect(read).toEqual(isWhole ? shown : expect.objectContaining(shown));
        const listed = await client(customer).get(path(customer)).expect(200);
        expect(listed.text).toContain(`"id":${String(shown['id'])}`);
        expect(rows).toMatchObject([
          { table_name: table, organisation_id: organisationId, after: { [column]: '(changed)' } },
        ]);
        const stored = await service.sql(`SELECT row_to_json(t)::text AS row FROM ${table} t WHERE id = $1`, [
          shown['id'],
        ]);
        expect(JSON.stringify([rows, stored, listed.text, service.logLines])).not.toContain(
          String(secret).replace('whsec_', ''),
        );
      });
    },
  );

  const CHANGES: readonly Changed[] = [
    {
      what: 'PUT …/webhooks/{webhookId}',
      ...ofOrganisation('webhooks'),
      body: () => ({ url: 'https://receiver.example/', events: ['*'], beneath: true, enabled: false }),
      change: { url: 'https://other.example/x', events: ['users.*', 'users.*'] },
      becomes: { events: ['users.*'] },
    },
    {
      what: 'PUT …/servicekeys/{serviceKeyId}',
      ...ofOrganisation('servicekeys'),
      body: () => ({
        name: 'Robot',
        operations: ['users.list'],
        beneath: true,
        whitelist: ['127.0.0.1', '::1'],
        expires: Math.floor(Date.now() / 1000) + 86_400,
      }),
      change: { name: 'Other', operations: ['users.read'] },
    },
    {
      what: 'PUT …/organisations/{organisationId}/contacts/{contactId}',
      ...ofOrganisation('contacts'),
      body: () => ({ type: 'email', name: `a${nextNumber()}@example.com`, preferences: 'Mail,System' }),
      change: { type: 'email', name: 'piet@example.com' },
    },
    {
      what: 'PUT …/users/{userId}/contacts/{contactId}',
      ...ofUser('contacts'),
      body: () => ({ type: 'email', name: `a${nextNumber()}@example.com`, preferences: 'Mail,System' }),
      change: { type: 'email', name: 'piet@example.com' },
    },
    {
      what: 'PUT …/teams/{teamId}',
      ...ofOrganisation('teams'),
      body: () => ({ name: 'Web', autoAddSshkey: true }),
      change: { name: 'Mail' },
    },
    {
      what: 'PUT …/grants/{grantId}',
      ...ofOrganisation('grants'),
      body: async () => ({
        organisation: await makeOrganisation(service),
        access: 'read',
        expires: String(Math.floor(Date.now() / 1000) + 86_400),
      }),
      change: { access: 'manage' },
    },
    {
      what: 'PUT …/invitations/{invitationId}',
      ...ofOrganisation('invitations'),
      body: () => ({
        email: 'anna@example.com',
        firstName: 'Anna',
        lastName: 'Smit',
        language: 'en',
        autoRoles: 'ROLE_APP',
      }),
      change: { email: 'anna@example.com', firstName: 'Els', lastName: 'Bakker' },
      becomes: { fullname: 'Els Bakker' },
    },
  ];
  describe.each(CHANGES)('$what', ({ path, client, body, change, becomes }) => {
    it('keeps what is absent', async () => {
      const customer = await makeCustomer(service);
      const made = await client(customer).post(path(customer), await body());
      expect([200, 201]).toContain(made.status);
      const single = `${path(customer)}/${String(recordIn(made.body)['id'])}`;
      const read = async () => recordIn((await client(customer).get(single).expect(200)).body);
      const before = await read();
      await client(customer).put(single, change).expect(204);
      expect(await read()).toEqual({ ...before, ...change, ...becomes });
    });
  });
});
