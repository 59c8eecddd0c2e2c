import 'reflect-metadata';
import { TestClockShapes } from '@app/edge/test-clock/test-clock.shapes';
import { WebhooksShapes } from '@app/feeds/webhooks/shapes/webhooks.shapes';
import { ContactsShapes } from '@app/people/contacts/shapes/contacts.shapes';
import { InvitationsShapes } from '@app/people/invitations/shapes/invitations.shapes';
import { NotificationsShapes } from '@app/people/notifications/notifications.shapes';
import { PriceGroupsShapes } from '@app/people/organisations/price-groups/price-groups.shapes';
import { OrganisationsShapes } from '@app/people/organisations/shapes/organisations.shapes';
import { PreferencesShapes } from '@app/people/preferences/shapes/preferences.shapes';
import { SuspensionsShapes } from '@app/people/suspensions/suspensions.shapes';
import { TeamsShapes } from '@app/people/teams/shapes/teams.shapes';
import { UsersShapes } from '@app/people/users/shapes/users.shapes';
import { EntityRegisterShapes } from '@app/records/entities/shapes/entity-register.shapes';
import { type PerVariant, VARIANTS } from '../../../qa/variants';
import {
  longerThan,
  MISSING,
  NO_TEXT,
  NOT_STORABLE,
  noTextOf,
  refuses,
  type Wrong,
  WRONG_NAMES,
  WRONG_PEOPLE,
} from '../../../test/support/faults/wrong-values';
import { boundShapes } from '../../../test/support/generators/bound-shapes';

/*
 * Values that only the shape of a request refuses. Tests of the domains send one of them, to see that
 * nothing is stored; values that need the database to be judged are tested there alone.
 */

/** Shortcuts that take exactly so many bytes as JSON. */
const shortcutsOf = (bytes: number): object[] => [{ t: 'x'.repeat(bytes - '[{"t":""}]'.length) }];

refuses(
  'preferences',
  new PreferencesShapes().update,
  { darkTheme: true, shortcuts: shortcutsOf(16_384) },
  {
    darkTheme: ['dark', 2, null, [true]],
    shortcuts: [
      null,
      {},
      '',
      '[]',
      [1],
      [null],
      [[]],
      [{}, 'x'],
      [{ name: 'a\0b' }],
      [{ 'a\0b': 1 }],
      [{ deep: [{ deeper: ['\0'] }] }],
      [{ name: '\ud800' }],
      shortcutsOf(16_385),
      // Bytes count, not characters.
      [{ t: 'é'.repeat(8190) }],
    ],
  },
);

const webhooks = new WebhooksShapes();
const webhook = {
  url: 'https://receiver.example:8443/hooks?of=7',
  events: ['users.updated', 'teams.*', '*'],
};
const WRONG_WEBHOOK = {
  url: [
    ...MISSING,
    'no URL',
    'ftp://receiver.example/',
    'https://user:secret@receiver.example/',
    ...['#part', 'a\u202eb', 'a\tb', 'a b'].map((path) => `https://receiver.example/${path}`),
    'https://receiver.example:0/',
  ],
  events: [undefined, null, [], 'users.*', [1], ['users.read'], ['logins.created'], ['users.*', 'kites.*']],
};
refuses('a new webhook', webhooks.create, webhook, WRONG_WEBHOOK);
refuses('a changed webhook', webhooks.update, webhook, WRONG_WEBHOOK);

const teams = new TeamsShapes();
refuses(
  'a new team',
  teams.create,
  { name: 'Web' },
  { name: [...MISSING, ...noTextOf(255), ...WRONG_NAMES] },
);
refuses('a tie of a team', teams.addEntity, { objectId: 1 }, { objectId: [...MISSING, -1, 1.5, 'x', []] });

refuses(
  'an action on an organisation',
  new SuspensionsShapes().action,
  { type: 'disable', reason: 'x'.repeat(1000), withSubOrganisations: 'true' },
  {
    type: [...MISSING, 'pause'],
    reason: [...NO_TEXT, ...NOT_STORABLE, longerThan(1000)],
    withSubOrganisations: ['maybe', []],
  },
);

const contacts = new ContactsShapes();
const contact = { type: 'email', name: 'jan@example.nl', preferences: 'System, Mail' };
const WRONG_CONTACT = {
  type: [...MISSING, 'fax'],
  name: [...MISSING, ...noTextOf(254)],
  preferences: ['system', 'Weather', ['System']],
};
refuses('a new contact', contacts.create, contact, WRONG_CONTACT);
refuses('a changed contact', contacts.update, contact, WRONG_CONTACT);

refuses(
  'a move of the test clock',
  new TestClockShapes().move,
  { seconds: 3650 * 86_400 },
  { seconds: [...MISSING, 0, -1, 1.5, 'soon', 3650 * 86_400 + 1] },
);

const priceGroups = new PriceGroupsShapes();
const WRONG_PRICE_GROUP = { description: [...MISSING, ...noTextOf(255)] };
refuses('a new price group', priceGroups.create, { description: 'Partners' }, WRONG_PRICE_GROUP);
refuses('a changed price group', priceGroups.update, { description: 'Partners' }, WRONG_PRICE_GROUP);

const mailDomain = { id: 7, name: 'bakery', mailPrimary: true, domaintype: { id: 1, extension: 'nl' } };
refuses(
  'an entity of the register',
  new EntityRegisterShapes().register,
  { name: 'post', organisationId: 1, domains: [mailDomain] },
  {
    name: [...MISSING, ...noTextOf(255)],
    organisationId: [...MISSING, 0, 'x'],
    domains: [
      'bakery.nl',
      [{ id: 1 }],
      [{ ...mailDomain, id: 0 }],
      [{ ...mailDomain, name: ' ' }],
      [{ ...mailDomain, domaintype: { id: 1 } }],
    ],
  },
);

const NEVER_NULL = [
  'street',
  'houseNumber',
  'zip',
  'city',
  'updateEntitiesOnly',
  'preventDeactivation',
  'parentOrganisation',
];

/** Wrong values of fields that only some variants know, or know in another form. */
const OF_NEW_ORGANISATIONS: PerVariant<Wrong> = {
  A: { externalInfoRequired: [3], agencyMode: [1.5], testAccount: ['perhaps'] },
  B: {},
};
const OF_CHANGED_ORGANISATIONS: PerVariant<Wrong> = {
  A: {
    nextInvoiceRun: ['tomorrow', -1],
    defaultAgreements: [[1], { apps: 'x' }, 'x', ''],
    organisationType: [null],
    externalInfoRequired: [null],
    required2fa: [null],
    agencyMode: [null],
    bundleProRata: [null],
    testAccount: [null],
  },
  B: {
    invoiceDay: [{ min: 0 }, { max: 29 }, { min: 20, max: 10 }, [1, 2], 5, null],
  },
};

/** Texts that old clients send for numbers; an empty one is an absent number. */
const NUMBERS_AS_TEXT: PerVariant<object> = {
  A: { defaultAgreements: { apps: 7, domains: '8' } },
  B: { invoiceDay: { min: '3', max: '' } },
};

describe.each(VARIANTS)('in Variant %s', (variant) => {
  const organisations = boundShapes(OrganisationsShapes, variant);
  const organisation = { name: 'Bakkerij de Vries', taxNumber: 'NL001234567B01' };
  refuses('a new organisation', organisations.create, organisation, {
    name: [...MISSING, ...noTextOf(255), ...WRONG_NAMES],
    taxNumber: [...MISSING, ...noTextOf(64)],
    resellerOrganisation: ['x', 0],
    parentOrganisation: [3_000_000_000],
    country: ['XX', 'NLD'],
    street: noTextOf(255),
    houseNumber: noTextOf(32),
    zip: NO_TEXT,
    city: [...NO_TEXT, ...NOT_STORABLE],
    ...OF_NEW_ORGANISATIONS[variant],
  });
  const changed = { ...organisation, ...NUMBERS_AS_TEXT[variant] };
  refuses('a changed organisation', organisations.update, changed, {
    name: MISSING,
    taxNumber: MISSING,
    paymentperiod: [45, '30x', null],
    mustPayTax: ['yes', null],
    pricegroup: [null],
    pdfInvoice: [2, null],
    resellerKickback: [2_147_483_648],
    documentInterval: [longerThan(64), null],
    remarksToPrintInvoice: [longerThan(4000)],
    ...Object.fromEntries(NEVER_NULL.map((field) => [field, [null]])),
    ...OF_CHANGED_ORGANISATIONS[variant],
  });

  const names = { firstName: 'Zoë-Jan 𝄞', lastName: "O'Neill & Zn., http: //" };
  const users = boundShapes(UsersShapes, variant);
  refuses(
    'a changed user',
    users.update,
    { ...names, username: 'a@b.example' },
    {
      username: [...MISSING, 'a b@c.example', '"a"@c.example'],
      firstName: [...MISSING, ...noTextOf(255)],
      lastName: [...MISSING, ...noTextOf(255)],
      language: ['de', null],
      defaultRoles: [['ROLE_APP'], null],
    },
  );
  refuses(
    'an action on a user',
    users.action,
    { type: 'enable' },
    { type: [...MISSING, 'remove', ['enable']] },
  );
  const passwords = { oldPassword: 'old', password: 'Passw0rd-1' };
  refuses('a changed password', users.changePassword, passwords, {
    oldPassword: [undefined],
    password: [undefined],
  });
  const invitations = boundShapes(InvitationsShapes, variant);
  const invitation = { ...names, email: 'a@b.example' };
  const wrongInvitation = {
    email: [...MISSING, 'no address', `${'a'.repeat(65)}@example.com`, 'a\0b@example.com'],
    firstName: [...MISSING, ...WRONG_PEOPLE],
    lastName: [...MISSING, ...WRONG_PEOPLE],
    language: ['de'],
    autoRoles: [['ROLE_APP']],
  };
  refuses('a new invitation', invitations.create, invitation, wrongInvitation);
  refuses('a changed invitation', invitations.update, invitation, {
    ...wrongInvitation,
    language: ['de', null],
  });
});

refuses(
  'a notification',
  new NotificationsShapes().create,
  { type: 'x', group: 'System', params: { a: 1 } },
  {
    type: [...MISSING, ...NOT_STORABLE, longerThan(255)],
    group: [...MISSING, 'Job'],
    params: [
      [],
      'text',
      { a: 'nul\0' },
      { 'nul\0': 1 },
      { a: ['\ud800'] },
      { a: longerThan(16_384) },
      { a: [[[[[[[[[[1]]]]]]]]]] },
    ],
  },
);
