/**
 * What every PUT and PATCH replaces, written by hand from rule keys 52: what the making of a thing announces,
 * its replacement announces.
 */
import { type MadeUser, nextNumber } from '../factories/factories';
import { newPublicKey } from '../factories/key-factories';
import type { ApiClient } from '../service/client';

/** A customer whose contacts are told. */
export interface ReplacementWorld {
  readonly organisationId: number;
  readonly admin: ApiClient;
  readonly custadmin: MadeUser;
  readonly plain: MadeUser;
  readonly granteeId: number;
}

export type Body = Readonly<Record<string, unknown>>;

/** A request that makes the thing. */
export interface Making {
  readonly client: ApiClient;
  readonly path: string;
  readonly body: Body;
}

/** A thing whose making is announced. Each body is that of one PUT or PATCH of a thing that was just made. */
export interface AnnouncedRow {
  readonly make: (world: ReplacementWorld) => Making;
  /** Whether `STEP_UP` asks for the proof before the thing is made. */
  readonly asksForProof: boolean;
  /** What is made instead, before the replacement of the same name. Its making is not looked at. */
  readonly startsFrom?: Readonly<Record<string, (made: Body) => Body>>;
  /** What is announced as the making is. */
  readonly replace: Readonly<Record<string, (made: Body) => Body>>;
  /** What nobody is told of, and what asks for nothing. */
  readonly narrow: Readonly<Record<string, (made: Body) => Body>>;
}

/** A thing whose making nobody is told of. */
export interface UnannouncedRow {
  readonly makeInSilence: (world: ReplacementWorld) => Making;
}

/** A row, or in words why no POST makes what the route changes. */
export type ReplacementRow = AnnouncedRow | UnannouncedRow | string;

const ofOrganisation = (world: ReplacementWorld, path: string): string =>
  `/organisations/${world.organisationId}/${path}`;
const ofUser = (world: ReplacementWorld, path: string): string =>
  ofOrganisation(world, `users/${world.plain.id}/${path}`);

const email = (): string => `made${nextNumber()}@of.example`;

const sshKeyRow = (pathOf: (world: ReplacementWorld) => string): AnnouncedRow => ({
  make: (world) => ({
    client: world.custadmin.client,
    path: pathOf(world),
    body: { content: newPublicKey('jan@laptop'), description: 'laptop' },
  }),
  asksForProof: false,
  replace: {
    'another key': (made) => ({ ...made, content: newPublicKey('jan@laptop') }),
    'another key and description': () => ({ content: newPublicKey(), description: 'server' }),
  },
  narrow: {
    'the same': (made) => made,
    'another description': (made) => ({ ...made, description: 'desktop' }),
    'another comment': (made) => ({ ...made, content: String(made['content']).replace('jan@', 'piet@') }),
  },
});

const contactRow = (pathOf: (world: ReplacementWorld) => string): AnnouncedRow => ({
  make: (world) => ({
    client: world.custadmin.client,
    path: pathOf(world),
    body: { type: 'email', name: email(), preferences: 'System,Crm' },
  }),
  asksForProof: false,
  replace: {
    'another address': (made) => ({ ...made, name: email() }),
    'the group System taken away': (made) => ({ ...made, preferences: 'Crm' }),
    'all groups taken away': (made) => ({ ...made, preferences: '' }),
    'another address without the group System': (made) => ({ ...made, name: email(), preferences: '' }),
  },
  narrow: {
    'the same': (made) => made,
    'the same without a word of groups': ({ type, name }) => ({ type, name }),
    'another group': (made) => ({ ...made, preferences: 'System,Finance' }),
    'another spelling': (made) => ({ ...made, name: String(made['name']).toUpperCase() }),
  },
});

const WHITELIST = ['192.0.2.0/24'];

const NO_POST = 'no POST makes what it changes';
const RENAMED = 'another name or password has a notification of its own: notified-people.e2e-spec.ts';

const SOONER = 4_000_000_000;

const ORGANISATION: UnannouncedRow = {
  makeInSilence: ({ admin }) => ({
    client: admin,
    path: '/organisations',
    body: { name: `Organisation ${nextNumber()}`, taxNumber: `NL${nextNumber()}` },
  }),
};

export const REPLACEMENT_ROWS: Readonly<Record<string, ReplacementRow>> = {
  'PUT /v1/organisations/:organisationId/users/:userId/sshkeys/:sshkeyId': sshKeyRow((world) =>
    ofUser(world, 'sshkeys'),
  ),
  'PUT /v1/organisations/:organisationId/sshkeys/:sshkeyId': sshKeyRow((world) =>
    ofOrganisation(world, 'sshkeys'),
  ),
  'PUT /v1/organisations/:organisationId/users/:userId/contacts/:contactId': contactRow((world) =>
    ofUser(world, 'contacts'),
  ),
  'PUT /v1/organisations/:organisationId/contacts/:contactId': contactRow((world) =>
    ofOrganisation(world, 'contacts'),
  ),
  'PUT /v1/organisations/:organisationId/users/:userId/apikeys/:apiKeyId': {
    make: ({ organisationId, plain }) => ({
      client: plain.client,
      path: `/organisations/${organisationId}/users/${plain.id}/apikeys`,
      body: { name: 'Deployment', whitelist: WHITELIST },
    }),
    asksForProof: true,
    replace: {
      'a further address': ({ name }) => ({ name, whitelist: [...WHITELIST, '198.51.100.7'] }),
      'any address': ({ name }) => ({ name, whitelist: [] }),
    },
    narrow: {
      'the same': ({ name, whitelist }) => ({ name, whitelist }),
      'another name': ({ whitelist }) => ({ name: 'Robot', whitelist }),
      'fewer addresses': ({ name }) => ({ name, whitelist: ['192.0.2.7'] }),
    },
  },
  'PUT /v1/organisations/:organisationId/servicekeys/:serviceKeyId': {
    make: (world) => ({
      client: world.custadmin.client,
      path: ofOrganisation(world, 'servicekeys'),
      body: {
        name: 'Name server',
        operations: ['countries.list', 'contacts.*'],
        beneath: false,
        whitelist: WHITELIST,
      },
    }),
    asksForProof: true,
    replace: {
      'a further operation': (made) => ({
        ...made,
        operations: ['countries.list', 'contacts.*', 'users.list'],
      }),
      'another operation': (made) => ({ ...made, operations: ['users.list'] }),
      beneath: (made) => ({ ...made, beneath: true }),
      'any address': (made) => ({ ...made, whitelist: [] }),
      'a larger range': (made) => ({ ...made, whitelist: ['192.0.0.0/16'] }),
    },
    narrow: {
      'the same': (made) => made,
      'another name': (made) => ({ ...made, name: 'Robot' }),
      'an operation of its group': (made) => ({ ...made, operations: ['contacts.list'] }),
      'fewer addresses': (made) => ({ ...made, whitelist: ['192.0.2.7'] }),
      'absent fields': ({ name, operations }) => ({ name, operations }),
    },
  },
  'PUT /v1/organisations/:organisationId/webhooks/:webhookId': {
    make: (world) => ({
      client: world.custadmin.client,
      path: ofOrganisation(world, 'webhooks'),
      body: {
        url: 'https://receiver.invalid/account',
        events: ['users.*', 'teams.created'],
        beneath: false,
        enabled: false,
      },
    }),
    asksForProof: true,
    replace: {
      'another receiver': (made) => ({ ...made, url: 'https://thief.invalid/account' }),
      'another path of the receiver': (made) => ({ ...made, url: 'https://receiver.invalid/other' }),
      'further events': (made) => ({ ...made, events: ['users.*', 'teams.*'] }),
      'all events': (made) => ({ ...made, events: ['*'] }),
      beneath: (made) => ({ ...made, beneath: true }),
    },
    narrow: {
      'the same': (made) => made,
      'switched on': (made) => ({ ...made, enabled: true }),
      'fewer events': (made) => ({ ...made, events: ['users.deleted'] }),
      'absent fields': ({ url, events }) => ({ url, events }),
    },
  },
  'PUT /v1/organisations/:organisationId/invitations/:invitationId': {
    make: (world) => ({
      client: world.custadmin.client,
      path: ofOrganisation(world, 'invitations'),
      body: { email: email(), firstName: 'Piet', lastName: 'Puk' },
    }),
    asksForProof: false,
    replace: { 'another address': (made) => ({ ...made, email: email() }) },
    narrow: {
      'the same': (made) => made,
      'another name': (made) => ({ ...made, firstName: 'Anne' }),
      'another spelling': (made) => ({ ...made, email: String(made['email']).toUpperCase() }),
    },
  },
  // What becomes narrower is told by a rule of its own (rule grants 47).
  'PUT /v1/organisations/:organisationId/grants/:grantId': {
    make: (world) => ({
      client: world.custadmin.client,
      path: ofOrganisation(world, 'grants'),
      body: { organisation: world.granteeId, access: 'manage', expires: SOONER },
    }),
    asksForProof: true,
    startsFrom: { 'managing instead of reading': (made) => ({ ...made, access: 'read' }) },
    replace: {
      'managing instead of reading': () => ({ access: 'manage' }),
    },
    narrow: { 'the same': () => ({ access: 'manage', expires: SOONER }) },
  },
  'PUT /v1/organisations/:organisationId/teams/:teamId': {
    makeInSilence: (world) => ({
      client: world.custadmin.client,
      path: ofOrganisation(world, 'teams'),
      body: { name: 'Night shift' },
    }),
  },
  'PUT /v1/organisations/:organisationId': ORGANISATION,
  'PATCH /v1/organisations/:organisationId': ORGANISATION,
  'PUT /v1/pricegroups/:pricegroupId': {
    makeInSilence: ({ admin }) => ({
      client: admin,
      path: '/pricegroups',
      body: { description: `Group ${nextNumber()}` },
    }),
  },
  'PUT /v1/organisations/:organisationId/billing': NO_POST,
  'PATCH /v1/organisations/:organisationId/billing': NO_POST,
  'PUT /v1/organisations/:organisationId/brand': NO_POST,
  'PUT /v1/organisations/:organisationId/supportaccess': NO_POST,
  'PUT /v1/organisations/:organisationId/documents/:documentId': NO_POST,
  'PUT /v1/organisations/:organisationId/teams/:teamId/users/:userId': NO_POST,
  'PUT /v1/organisations/:organisationId/grants/:grantId/teams/:teamId': NO_POST,
  'PATCH /v1/organisations/:organisationId/users/:userId/preferences': NO_POST,
  'PUT /v1/entities/apps/:entityId': NO_POST,
  'PUT /v1/entities/domains/:entityId': NO_POST,
  'PUT /v1/entities/mailgroups/:entityId': NO_POST,
  'PUT /v1/entities/systems/:entityId': NO_POST,
  'PATCH /v1/organisations/:organisationId/users/:userId': RENAMED,
  'PATCH /v1/organisations/:organisationId/cp3/users/:userId': RENAMED,
  'PUT /v1/organisations/:organisationId/users/:userId/passkeys/:passkeyId':
    'it changes the name alone: no passkey takes the place of another',
  'PATCH /v1/organisations/:organisationId/users/:userId/enable2fa': NO_POST,
  'PATCH /v1/organisations/:organisationId/users/:userId/disable2fa': NO_POST,
};
