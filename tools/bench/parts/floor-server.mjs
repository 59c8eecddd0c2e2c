/**
 * The floor of measureFloor: node floor-server.mjs DATABASE_URL. Hand-written handlers on Express and pg with
 * the least SQL a good engineer would write for each read: who calls and may, then the record, as prepared
 * statements. The answers are those of the service, field by field. No validation, whitelists, grants, logs,
 * metrics or security headers.
 */
import { createHash, randomBytes } from 'node:crypto';
import bcrypt from 'bcrypt';
import express from 'express';
import pg from 'pg';

const [databaseUrl] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
const digest = (hash) => createHash('sha256').update(hash).digest();

const CALLER = `SELECT u.id, u.organisation_id, u.roles, u.username, u.first_name, u.last_name
  FROM logins l JOIN users u ON u.id = l.user_id
  WHERE l.digest = $1 AND l.expires_at > now() AND u.enabled AND u.deleted_at IS NULL`;
const ORGANISATION = `SELECT o.*, t.description AS type_description, p.description AS price_group_description,
    r.name AS reseller_name, r.tax_number AS reseller_tax_number
  FROM organisations o JOIN organisation_types t ON t.identifier = o.organisation_type
    JOIN price_groups p ON p.id = o.price_group_id LEFT JOIN organisations r ON r.id = o.reseller_id`;
const USERS = `(SELECT json_agg(json_build_object('id', u.id, 'username', u.username, 'email', u.username,
    'firstName', u.first_name, 'lastName', u.last_name, 'roles', u.roles) ORDER BY u.id)
  FROM users u WHERE u.organisation_id = o.id AND u.deleted_at IS NULL)`;
/** As the tree keeps it. */
const TOTAL = '(SELECT 1 + beneath_count FROM organisations WHERE id = 1)';
const statements = {
  caller: { name: 'caller', text: CALLER },
  callerIn: {
    name: 'callerIn',
    text: `${CALLER} AND (u.organisation_id = $2 OR 'ROLE_ADMIN' = ANY (u.roles) OR EXISTS (
      SELECT 1 FROM organisation_closure WHERE ancestor_id = u.organisation_id AND descendant_id = $2))`,
  },
  contacts: {
    name: 'contacts',
    text: 'SELECT id, type, name, groups FROM contacts WHERE user_id = $1 ORDER BY id LIMIT 6',
  },
  user: {
    name: 'user',
    text: `SELECT u.id, u.username, u.first_name, u.last_name, u.language, u.enabled, u.second_factor, u.roles,
        o.id AS organisation_id, o.name, o.street, o.house_number, o.zip, o.city, o.country_code, o.organisation_type,
        r.id AS reseller_id, r.name AS reseller_name, r.tax_number AS reseller_tax_number,
        ARRAY(SELECT json_build_object('id', t.id, 'name', t.name) FROM team_members m JOIN teams t ON t.id = m.team_id
          WHERE m.user_id = u.id ORDER BY t.id) AS teams
      FROM users u JOIN organisations o ON o.id = u.organisation_id LEFT JOIN organisations r ON r.id = o.reseller_id
      WHERE u.id = $1 AND u.organisation_id = $2 AND u.deleted_at IS NULL`,
  },
  organisation: { name: 'organisation', text: `${ORGANISATION} WHERE o.id = $1 AND o.deleted_at IS NULL` },
  organisations: {
    name: 'organisations',
    text: `${ORGANISATION.replace('o.*', `o.*, ${USERS} AS users, ${TOTAL} AS total`)}
      WHERE o.deleted_at IS NULL ORDER BY o.id LIMIT 6`,
  },
  password: {
    name: 'password',
    text: 'SELECT id, password_hash FROM users WHERE username = $1 AND enabled AND deleted_at IS NULL',
  },
  login: {
    name: 'login',
    text: `INSERT INTO logins (user_id, digest, address, expires_at, last_used_at)
      VALUES ($1, $2, $3, now() + interval '30 days', now())`,
  },
};
const rows = async (statement, ...values) => (await pool.query({ ...statement, values })).rows;

const callerOf = async (request) => {
  const hash = digest(request.headers.authorization);
  const { organisationId } = request.params;
  const [caller] =
    organisationId === undefined
      ? await rows(statements.caller, hash)
      : await rows(statements.callerIn, hash, Number(organisationId));
  return caller;
};

const app = express();
app.disable('x-powered-by');
app.set('etag', false);

const read = (path, answer) =>
  app.get(path, async (request, response) => {
    const caller = await callerOf(request);
    if (caller === undefined) return response.status(401).json({});
    return response.json(await answer(request.params, caller));
  });

const GROUPS = ['System', 'Domain', 'App', 'Finance', 'Job', 'Crm', 'Mail'];
const COUNTRIES = { NL: { id: 'NL', name: 'Netherlands' } };
const PAGE = 5;

const organisationOf = (row) => ({
  id: row.id,
  name: row.name,
  taxNumber: row.tax_number,
  mustPayTax: row.must_pay_tax,
  remarksToPrintInvoice: row.remarks_to_print_invoice,
  updateEntitiesOnly: row.update_entities_only,
  preventDeactivation: row.prevent_deactivation,
  parentOrganisation: row.parent_id === null ? '' : String(row.parent_id),
  externalInfoRequired: row.external_info_required,
  nextInvoiceRun: row.next_invoice_run === null ? '' : String(row.next_invoice_run.getTime() / 1000),
  required2fa: row.required_2fa,
  agencyMode: row.agency_mode,
  bundleProRata: row.bundle_pro_rata,
  testAccount: row.test_account,
  beforeFirstOrder: row.before_first_order,
  street: row.street,
  houseNumber: row.house_number,
  zip: row.zip,
  city: row.city,
  country: COUNTRIES[row.country_code] ?? null,
  resellerOrganisation: resellerOf(row),
  organisationType: {
    id: String(row.organisation_type),
    identifier: row.organisation_type,
    description: row.type_description,
  },
  source1: row.source1,
  source2: row.source2,
  pdfInvoice: row.pdf_invoice,
  peppolInvoicing: row.peppol_invoicing,
  isSoft: row.is_soft,
  information: row.information,
});

const resellerOf = (row) =>
  row.reseller_id === null
    ? null
    : { id: row.reseller_id, name: row.reseller_name, taxNumber: row.reseller_tax_number };

const wholeOrganisationOf = (row) => {
  const organisation = organisationOf(row);
  organisation.externalId = row.external_id;
  organisation.paymentperiod = row.payment_period;
  organisation.resellerKickback = row.reseller_kickback;
  organisation.defaultResellerKickback = row.default_reseller_kickback;
  organisation.discount = row.discount;
  organisation.prePaymentRequired = row.pre_payment_required;
  organisation.defaultAgreements = row.default_agreements;
  organisation.users = row.users ?? [];
  organisation.pricegroup = { id: String(row.price_group_id), description: row.price_group_description };
  return organisation;
};

read('/v1/organisations/:organisationId/users/:userId/contacts', async ({ userId }) => ({
  contacts: (await rows(statements.contacts, Number(userId)))
    .slice(0, PAGE)
    .map(({ id, type, name, groups }) => ({
      id,
      type,
      name,
      preferences: GROUPS.map((group) => ({ name: group, value: groups.includes(group) })),
    })),
}));
read('/v1/organisations/:organisationId/users/:userId', async ({ organisationId, userId }) => {
  const [row] = await rows(statements.user, Number(userId), Number(organisationId));
  return {
    user: {
      id: row.id,
      username: row.username,
      email: row.username,
      firstName: row.first_name,
      lastName: row.last_name,
      fullname: `${row.first_name} ${row.last_name}`,
      roles: row.roles,
      status: row.enabled ? 'ok' : 'disabled',
      statusCategory: row.enabled ? 'green' : 'red',
      language: row.language,
      organisation: {
        id: row.organisation_id,
        name: row.name,
        street: row.street,
        houseNumber: row.house_number,
        zip: row.zip,
        city: row.city,
        reseller: resellerOf(row),
        organisationType: { identifier: row.organisation_type },
      },
      country: COUNTRIES[row.country_code] ?? null,
      teams: row.teams,
    },
  };
});
read('/v1/organisations/:organisationId', async ({ organisationId }) => ({
  organisation: organisationOf((await rows(statements.organisation, Number(organisationId)))[0]),
}));
read('/v1/organisations', async () => {
  const page = await rows(statements.organisations);
  return { total: page[0].total, organisations: page.slice(0, PAGE).map(wholeOrganisationOf) };
});
read('/v1/whoami', (_, caller) => ({
  userId: caller.id,
  organisationId: caller.organisation_id,
  username: caller.username,
  name: `${caller.first_name} ${caller.last_name}`,
  email: caller.username,
}));

app.post('/v1/login', express.json(), async (request, response) => {
  const [user] = await rows(statements.password, request.body.username);
  if (user === undefined || !(await bcrypt.compare(request.body.password, user.password_hash))) {
    return response.status(401).json({});
  }
  const hash = randomBytes(32).toString('hex');
  await rows(statements.login, user.id, digest(hash), request.ip);
  return response.json({ hash });
});

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0));
const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
