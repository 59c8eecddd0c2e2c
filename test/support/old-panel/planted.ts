import type { Fault, PanelAnswer } from './old-panel';

/** A difference that a panel has, and how a comparison names it. */
export interface Planted extends Fault {
  /** What is sent to show it, with a credential unless it says otherwise. */
  readonly as?: 'nobody';
  readonly found: { readonly operation: string; readonly kind: string; readonly at: string };
}

const ORGANISATION = '/organisations/{organisationId}';
const USER = `${ORGANISATION}/users/{userId}`;

type Change = Fault['change'];

/** Changes the text of a body, which must have what is replaced. */
const replaced =
  (part: string | RegExp, by: string): Change =>
  (answer) => {
    const text = answer.text.replace(part, by);
    if (text === answer.text) throw new Error(`nothing to replace in ${answer.text}`);
    answer.text = text;
  };

const header =
  (name: string, value: string | undefined): Change =>
  ({ headers }) => {
    if (value === undefined) delete headers[name];
    else headers[name] = value;
  };

const status =
  (code: number): Change =>
  (answer) => {
    answer.status = code;
  };

type Body = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Turns a list of the body round. */
const reversed =
  (name: string): Change =>
  (answer) => {
    const body = JSON.parse(answer.text) as Body;
    answer.text = JSON.stringify({ ...body, [name]: body[name]?.toReversed() });
  };

const planted = (
  path: string,
  operation: string,
  [kind, at]: readonly [string, string],
  change: Change,
): Planted => ({
  method: 'GET',
  path,
  change,
  found: { operation: `GET ${operation}`, kind, at },
});

const everyThird =
  (change: Change): Change =>
  (answer: PanelAnswer, call) => {
    if (call % 3 === 0) change(answer, call);
  };

const ANNA = '/organisations/5/users/51';

/** Thirty differences, each of which breaks some program. */
export const PLANTED: readonly Planted[] = [
  // Types.
  planted(
    '/organisations/5/users',
    `${ORGANISATION}/users`,
    ['type', '$.users[].id'],
    replaced('"id":52', '"id":"52"'),
  ),
  planted('/organisations', '/organisations', ['type', '$.total'], replaced('"total":2', '"total":"2"')),
  planted(
    '/organisations',
    '/organisations',
    ['type', '$.organisations[].mustPayTax'],
    replaced('true', '1'),
  ),
  planted(`${ANNA}/contacts`, `${USER}/contacts`, ['type', '$.contacts[].preferences'], replaced('[]', '{}')),
  planted(ANNA, USER, ['type', '$.user.teams'], replaced('"teams":[]', '"teams":null')),
  // Null is not the empty text, and not an empty object.
  planted(
    '/organisations/5',
    ORGANISATION,
    ['type', '$.organisation.remarksToPrintInvoice'],
    replaced('"remarksToPrintInvoice":null', '"remarksToPrintInvoice":""'),
  ),
  planted(
    '/organisations/5',
    ORGANISATION,
    ['type', '$.organisation.resellerOrganisation'],
    replaced('"resellerOrganisation":null', '"resellerOrganisation":{}'),
  ),
  planted(
    '/organisations/5/notifications',
    `${ORGANISATION}/notifications`,
    ['type', '$.notifications[].subject'],
    replaced('"subject":null', '"subject":""'),
  ),
  // Absent and added.
  planted(
    '/organisations/5/organisations',
    `${ORGANISATION}/organisations`,
    ['absent', '$.subOrganisations[].zip'],
    replaced('"zip":"3511 ED",', ''),
  ),
  planted(ANNA, USER, ['absent', '$.user.fullname'], replaced('"fullname":"Anna de Boer",', '')),
  planted(
    '/organisations/5/contacts',
    `${ORGANISATION}/contacts`,
    ['absent', '$.contacts[]'],
    replaced(/\[\{.*\}\]/, '[]'),
  ),
  planted(
    '/organisations/5/invitations',
    `${ORGANISATION}/invitations`,
    ['added', '$.invitations[].autoRoles'],
    replaced('"id":61', '"id":61,"autoRoles":""'),
  ),
  planted(
    '/organisations/5/entities',
    `${ORGANISATION}/entities`,
    ['absent', '$.domains[]'],
    replaced(/,\{"id":22[^}]*\}/, ''),
  ),
  // Values.
  planted(
    '/organisations/5/notifications',
    `${ORGANISATION}/notifications`,
    ['value', '$.notifications[].priority'],
    replaced('"priority":1', '"priority":1.0'),
  ),
  planted(
    '/organisations/5/notifications/crm',
    `${ORGANISATION}/notifications/crm`,
    ['value', '$.notifications[].dtStamp'],
    replaced('1700000000', '1700000000000'),
  ),
  planted(
    '/organisations/5/notifications',
    `${ORGANISATION}/notifications`,
    ['value', '$.notifications[].dtStamp'],
    replaced('1700000000', '1700003600'),
  ),
  planted(ANNA, USER, ['value', '$.user.status'], replaced('"status":"ok"', '"status":"OK"')),
  planted(
    `${ANNA}/sshkeys/81`,
    `${USER}/sshkeys/{sshkeyId}`,
    ['value', '$.sshkey.fingerprint'],
    replaced('16:27:ac', '16:27:AC'),
  ),
  // Statuses.
  planted('/organisations/1', ORGANISATION, ['status', ''], status(404)),
  planted('/organisations/99/users', `${ORGANISATION}/users`, ['status', ''], status(500)),
  planted(`${ANNA}/contacts/71`, `${USER}/contacts/{contactId}`, ['status', ''], status(204)),
  // Headers.
  planted(
    '/organisations/5/invitations/61',
    `${ORGANISATION}/invitations/{invitationId}`,
    ['header', 'Content-Type'],
    header('content-type', 'text/html; charset=utf-8'),
  ),
  planted(`${ANNA}/sshkeys`, `${USER}/sshkeys`, ['header', 'Link'], header('link', undefined)),
  planted('/countries', '/countries', ['header', 'Retry-After'], header('retry-after', '3600')),
  {
    ...planted('/whoami', '/whoami', ['header', 'WWW-Authenticate'], header('www-authenticate', 'Bearer')),
    as: 'nobody',
  },
  // Orders.
  planted('/organisations/5/users', `${ORGANISATION}/users`, ['order', '$.users'], reversed('users')),
  planted(
    `${ANNA}/contacts`,
    `${USER}/contacts`,
    ['order', '$.contacts[].preferences'],
    replaced(/(\{"name":"System","value":true\}),(\{"name":"Finance","value":false\})/, '$2,$1'),
  ),
  // Whole bodies, slowness, and a lie now and then.
  planted(
    '/organisations/5/contacts/72',
    `${ORGANISATION}/contacts/{contactId}`,
    ['body', '$'],
    (answer) => void (answer.text = '<html>Please log in</html>'),
  ),
  planted('/organisations/5/entities', `${ORGANISATION}/entities`, ['slow', ''], (answer) => {
    // Far above what a busy machine takes for any other answer.
    answer.delay = 3000;
  }),
  planted(
    '/organisations/5/organisations',
    `${ORGANISATION}/organisations`,
    ['value', '$.subOrganisations[].city'],
    everyThird(replaced('Utrecht', 'Amsterdam')),
  ),
];
