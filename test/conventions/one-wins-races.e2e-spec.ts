import type { Response } from 'supertest';
import { type Customer, makeCustomer, makeUser, nextNumber } from '../support/factories/factories';
import { pathOf } from '../support/factories/users-factories';
import { atOnce } from '../support/service/at-once';
import { ApiClient, asAdmin } from '../support/service/client';
import { useServices } from '../support/service/service';
import { NEIGHBOUR } from '../support/service/variants';

/** Requests at once, half of them at each of two processes. */
const AT_ONCE = 16;

const [service, other] = useServices(['A', NEIGHBOUR]);

/** A unique index of the catalogue, and a request that is for one alone. */
interface UniqueIndex {
  readonly index: string;
  readonly route: string;
  /** Refused on this field. */
  readonly field: string;
  /** Prepares the requests; each number sends another one. */
  readonly prepare: (
    customer: Customer,
  ) => Promise<(client: ClientOf, number: number) => PromiseLike<Response>>;
}

/** The client of somebody at the process that this request goes to. */
type ClientOf = (of: ApiClient) => ApiClient;

const email = () => ({ type: 'email', name: `raced${nextNumber()}@example.com` });

const CASES: readonly UniqueIndex[] = [
  {
    index: 'contacts_unique_for_user',
    route: 'POST …/users/{userId}/contacts',
    field: 'name',
    prepare: async ({ plain }) => {
      const contact = email();
      return (at) => at(plain.client).post(`${pathOf(plain)}/contacts`, contact);
    },
  },
  {
    index: 'contacts_unique_for_organisation',
    route: 'POST …/organisations/{organisationId}/contacts',
    field: 'name',
    prepare: async ({ organisationId, custadmin }) => {
      const contact = email();
      return (at) => at(custadmin.client).post(`/organisations/${organisationId}/contacts`, contact);
    },
  },
  {
    index: 'price_groups_description_unique',
    route: 'POST /pricegroups',
    field: 'description',
    prepare: async () => {
      const admin = await asAdmin(service);
      const description = `Raced ${nextNumber()}`;
      return (at) => at(admin).post('/pricegroups', { description });
    },
  },
  {
    index: 'teams_name_unique',
    route: 'POST …/teams',
    field: 'name',
    prepare: async ({ organisationId, custadmin }) => {
      return (at) => at(custadmin.client).post(`/organisations/${organisationId}/teams`, { name: 'Race' });
    },
  },
  {
    index: 'users_username_unique',
    route: 'PATCH …/users/{userId}',
    field: 'username',
    prepare: async ({ organisationId, custadmin }) => {
      const users = await atOnce(AT_ONCE, () => makeUser(service, { organisationId }));
      const taken = { username: email().name, firstName: 'Anna', lastName: 'Smit' };
      return (at, number) => {
        const user = users[number];
        if (user === undefined) throw new Error(`No user ${number}`);
        return at(custadmin.client).patch(pathOf(user), taken);
      };
    },
  },
  {
    index: 'invitations_one_open',
    route: 'POST …/invitations',
    field: 'email',
    prepare: async ({ organisationId, custadmin }) => {
      const invited = { email: email().name, firstName: 'Anna', lastName: 'Smit' };
      return (at) => at(custadmin.client).post(`/organisations/${organisationId}/invitations`, invited);
    },
  },
];

/** Unique indexes whose race is something else, and where it is tried, or why there is none. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  acl_teams_once: 'grants/grants: PUT twice is 204',
  acls_once: 'grants/acls.variant-b: all of them get the one grant; grants/grants-races',
  brands_link_key_once: 'no request: each brand draws its own',
  brands_once: 'brands/brands: PUT, so that all are 204, and one with a tag',
  documents_pkey: 'documents/long/documents: all of them write the one document',
  entities_once: 'entities/entities-register: all of them write the one entity',
  known_networks_once: 'auth/login-notices-races: all of them log in',
  notification_recipients_once: 'no request: the worker expands a notification once',
  passkeys_credential_unique: 'passkeys/passkeys-races',
  recovery_codes_once: 'auth/recovery-codes: one whole set',
  recovery_requests_one_name: 'users/username-links',
  ssh_keys_key_unique: 'sshkeys/sshkeys: also told once, to one of two owners',
  support_access_once: 'support-logins/support-races: PUT, so that all are 204',
  suspensions_once: 'suspensions/suspensions-races: one, told once',
  team_entities_once: 'conventions/long/amounts: who is one already may be added again',
  team_members_once: 'conventions/long/amounts: who is one already may be added again',
  trusted_devices_once: 'auth/two-factor-races',
};

it('every unique index of pg_index has a race here or elsewhere, but those of keys and digests', async () => {
  const indexes = await service.sql<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class c ON c.oid = indrelid
     WHERE indisunique AND NOT indisprimary AND c.relnamespace = 'public'::regnamespace AND NOT EXISTS (
       SELECT FROM pg_attribute a WHERE a.attrelid = indrelid AND a.attnum = ANY (indkey) AND a.attname ~ '(^|_)digest$')
     ORDER BY 1`,
  );
  const tried = [...CASES.map(({ index }) => index), ...Object.keys(ELSEWHERE)];
  expect(indexes.map(({ name }) => name).filter((name) => !tried.includes(name))).toEqual([]);
});

it.each(CASES)(
  '$route: of 16 at once at two processes one is done, the others are 400 on $field ($index)',
  async (row) => {
    const send = await row.prepare(await makeCustomer(service));
    const responses = await atOnce(AT_ONCE, (number) =>
      send((of) => (number % 2 === 0 ? of : new ApiClient(other.url, of.hash)), number),
    );
    expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
    const refused = responses.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(AT_ONCE - 1);
    for (const { body } of refused)
      expect(body).toMatchObject({ errors: { children: { [row.field]: { errors: [expect.any(String)] } } } });
  },
);
