/**
 * What an old panel of Variant B holds, written by hand from docs/spec/account-api.md. Nothing here knows the
 * service of this repository.
 */

const country = { id: 'NL', name: 'Netherlands' };

const users = [
  {
    id: 51,
    username: 'anna@bakery.example',
    email: 'anna@bakery.example',
    firstName: 'Anna',
    lastName: 'de Boer',
    roles: ['ROLE_SYSTEM', 'ROLE_DOMAIN', 'ROLE_MAIL'],
  },
  {
    id: 52,
    username: 'jan',
    email: 'jan@bakery.example',
    firstName: 'Jan',
    lastName: 'de Vries',
    roles: [],
  },
  {
    id: 53,
    username: 'rita@bakery.example',
    email: 'rita@bakery.example',
    firstName: 'Rita',
    lastName: 'Smit',
    roles: ['ROLE_FINANCE'],
  },
];

const organisation = {
  id: 5,
  name: 'Bakkerij de Vries',
  taxNumber: 'NL001234567B01',
  mustPayTax: true,
  street: 'Stationsplein',
  houseNumber: '1',
  zip: '3511 ED',
  city: 'Utrecht',
  country,
  resellerOrganisation: null,
  users,
  remarksToPrintInvoice: null,
  updateEntitiesOnly: false,
};

const shop = {
  ...organisation,
  id: 6,
  name: 'Bakkerij de Vries Winkels',
  taxNumber: 'NL001234567B02',
  country: null,
  users: [],
  remarksToPrintInvoice: 'Thank you',
};

const subOrganisation = {
  id: 6,
  name: shop.name,
  street: shop.street,
  houseNumber: shop.houseNumber,
  zip: shop.zip,
  city: shop.city,
  country,
  users: [],
};

const user = {
  id: 51,
  username: 'anna@bakery.example',
  email: 'anna@bakery.example',
  firstName: 'Anna',
  lastName: 'de Boer',
  fullname: 'Anna de Boer',
  roles: ['ROLE_SYSTEM', 'ROLE_DOMAIN', 'ROLE_MAIL'],
  status: 'ok',
  language: 'nl',
  organisation: { id: 5, name: 'Bakkerij de Vries' },
  country,
  teams: [],
};

const contact = {
  id: 71,
  type: 'email',
  name: 'anna@bakery.example',
  preferences: [
    { name: 'System', value: true },
    { name: 'Finance', value: false },
  ],
};

const phone = { id: 72, type: 'phone', name: '+31 20 123 4567', preferences: [] };

const sshkey = {
  id: 81,
  description: 'anna@laptop',
  content: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g anna@laptop',
  status: 'ok',
  fingerprint: '16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48',
  organisation: { id: 5, name: 'Bakkerij de Vries' },
};

const invitation = {
  id: 61,
  firstName: 'Piet',
  lastName: 'Jansen',
  email: 'piet@bakery.example',
  status: 'ok',
  language: 'nl',
  organisation: { id: 5 },
  fullname: 'Piet Jansen',
};

const notification = {
  id: 91,
  entityIndex: 'system-12',
  entityName: 'web12',
  dtStamp: '1700000000',
  notificationGroup: 'System',
  type: 'disk_full',
  entityClass: 'System',
  entityId: 12,
  rootEntityClass: 'Organisation',
  rootEntityId: 5,
  status: 1,
  statusDisplay: 'sent',
  statusCategory: 'green',
  sendMode: 0,
  priority: 1,
  subject: null,
  params: { used: 97 },
  userId: 51,
  contacts: [contact],
  extraRecipients: [],
  entity: { id: 12, name: 'web12' },
  user: users[0],
};

const crm = {
  ...notification,
  id: 92,
  notificationGroup: 'Crm',
  type: 'new',
  subject: 'Welcome',
  entity: {},
};

const entities = {
  total: { apps: 1, domains: 2, mailgroups: 0, systems: 1 },
  domains: [
    { id: 21, fullname: 'bakery.example', organisationId: 5, organisationName: 'Bakkerij de Vries' },
    { id: 22, fullname: 'bread.example', organisationId: 5, organisationName: 'Bakkerij de Vries' },
  ],
  systems: [{ id: 12, name: 'web12', organisationId: 5, organisationName: 'Bakkerij de Vries' }],
  apps: [{ id: 31, name: 'shop', organisationId: 5, organisationName: 'Bakkerij de Vries' }],
  mailgroups: [],
};

/** The bodies of all reads, by path below `/v1`. */
export const READS: Readonly<Record<string, object>> = {
  '/organisations': { total: 2, organisations: [organisation, shop] },
  '/organisations/5': { organisation: { ...organisation, preventDeactivation: true } },
  '/organisations/5/organisations': { subOrganisations: [subOrganisation] },
  '/organisations/5/users': { users },
  '/organisations/5/users/51': { user },
  '/organisations/5/users/51/contacts': { contacts: [contact, phone] },
  '/organisations/5/users/51/contacts/71': { contact },
  '/organisations/5/contacts': { contacts: [phone] },
  '/organisations/5/contacts/72': { contact: phone },
  '/organisations/5/users/51/sshkeys': { sshkeys: [sshkey] },
  '/organisations/5/users/51/sshkeys/81': { sshkey },
  '/organisations/5/invitations': { invitations: [invitation] },
  '/organisations/5/invitations/61': { invitation },
  '/organisations/5/notifications': { notifications: [notification, crm] },
  '/organisations/5/notifications/crm': { notifications: [crm] },
  '/organisations/5/entities': entities,
};
