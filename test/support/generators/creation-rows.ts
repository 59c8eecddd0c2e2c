/**
 * What adds a record to an organisation or to one of its users, written by hand from the contract: each POST
 * below an organisation, and each PUT of what no POST makes.
 */
import type { Response } from 'supertest';
import type { PerVariant } from '../../../qa/variants';
import { PDF } from '../factories/documents-factories';
import type { Ids } from '../factories/domain-records';
import { makeGrant, makeOrganisation, makeUser, nextNumber, PASSWORD } from '../factories/factories';
import { newPublicKey } from '../factories/key-factories';
import { makeTeam, register } from '../factories/records';
import type { ApiClient } from '../service/client';
import type { TestService } from '../service/service';

/** An organisation whose users are disabled: with an enabled one it is not deleted. */
export interface CreationWorld {
  readonly service: TestService;
  readonly organisationId: number;
  /** What paths name in it. */
  readonly ids: Ids;
  readonly admin: ApiClient;
  /** A CUSTADMIN of the organisation above it, for what no admin may do. */
  readonly above: ApiClient;
}

/** A request that adds one record, which no other request adds. */
export type Addition = () => PromiseLike<Response>;

/** Prepares a request. The path is that of the route, with the identifiers of the world. */
type Prepare = (world: CreationWorld, path: string) => Addition | Promise<Addition>;

/** A row, or in words why no creation is raced here. */
export type CreationRow = Creation | string;

interface Creation {
  readonly prepare: Prepare;
  /** Enabled ones: once there is one, the organisation is not deleted. */
  readonly makesUsers?: true;
}

type BodyOf = (world: CreationWorld) => object | Promise<object>;

const post = (bodyOf: BodyOf): Creation => ({
  prepare: async (world, path) => {
    const body = await bodyOf(world);
    return () => world.admin.post(path, body);
  },
});

const email = (): string => `raced${nextNumber()}@example.com`;
const contact = post(() => ({ type: 'email', name: email() }));
const sshKey = post(() => ({ content: newPublicKey() }));

/** Adds an entity that the organisation has in the register. */
const teamEntity = (kind: 'app' | 'domain' | 'mailgroup' | 'system'): CreationRow =>
  post(async ({ service, organisationId }) => {
    const id = nextNumber();
    const domains = kind === 'mailgroup' ? [] : undefined;
    await register(service, { kind, id, name: `${kind} ${id}`, organisationId, domains });
    return { objectId: id };
  });

const names = { firstName: 'Anna', lastName: 'Smit' };

const user = (fields: object): CreationRow => ({
  ...post(() => ({ ...names, username: email(), ...fields })),
  makesUsers: true,
});

const CHANGES = 'it changes a record that is there';
const MAILS = 'it sends a mail';
const ENABLED_USERS = 'for enabled users alone, and an organisation with one is not deleted';

const O = '/v1/organisations/:organisationId';
const U = `${O}/users/:userId`;

const IN_BOTH: Readonly<Record<string, CreationRow>> = {
  [`POST ${O}/actions`]: post(() => ({ type: 'disable' })),
  [`POST ${O}/contacts`]: contact,
  [`POST ${U}/contacts`]: contact,
  [`POST ${O}/sshkeys`]: sshKey,
  [`POST ${U}/sshkeys`]: sshKey,
  [`POST ${O}/servicekeys`]: post(() => ({ name: 'Robot', operations: ['users.list'] })),
  [`POST ${O}/servicekeys/:serviceKeyId/rotate`]: CHANGES,
  [`POST ${O}/webhooks`]: post(() => ({ url: 'https://receiver.invalid/', events: ['*'] })),
  [`POST ${O}/webhooks/:webhookId/rotate`]: CHANGES,
  [`POST ${O}/webhooks/:webhookId/test`]: 'a delivery belongs to its webhook',
  [`POST ${O}/webhooks/:webhookId/deliveries/:deliveryId/resend`]: CHANGES,
  [`POST ${O}/invitations`]: post(() => ({ ...names, email: email() })),
  [`POST ${O}/invitations/:invitationId/resend`]: CHANGES,
  [`POST ${O}/notifications`]: post(() => ({ type: 'note', group: 'Crm' })),
  [`POST ${O}/grants`]: post(async ({ service }) => ({ organisation: await makeOrganisation(service) })),
  [`PUT ${O}/grants/:grantId/teams/:teamId`]: {
    prepare: async ({ service, organisationId, admin }) => {
      const grantId = await makeGrant(service, await makeOrganisation(service), organisationId);
      const teamId = await makeTeam(service, organisationId);
      return () => admin.put(`/organisations/${organisationId}/grants/${grantId}/teams/${teamId}`);
    },
  },
  [`POST ${O}/teams`]: post(() => ({ name: `Team ${nextNumber()}` })),
  [`POST ${O}/teams/:teamId/apps`]: teamEntity('app'),
  [`POST ${O}/teams/:teamId/domains`]: teamEntity('domain'),
  [`POST ${O}/teams/:teamId/mailgroups`]: teamEntity('mailgroup'),
  [`POST ${O}/teams/:teamId/systems`]: teamEntity('system'),
  [`PUT ${O}/teams/:teamId/users/:userId`]: {
    prepare: async ({ service, organisationId, admin, ids }) => {
      const { id } = await makeUser(service, { organisationId, enabled: false });
      return () => admin.put(`/organisations/${organisationId}/teams/${ids['teamId']}/users/${id}`);
    },
  },
  [`PUT ${O}/documents/:documentId`]: {
    prepare: ({ organisationId, admin }) => {
      const path = `/organisations/${organisationId}/documents/${7_000_000 + nextNumber()}?name=Invoice`;
      return () => admin.put(path).type('application/pdf').send(PDF);
    },
  },
  [`POST ${O}/documents/:documentId/send`]: MAILS,
  [`PUT ${O}/brand`]: {
    prepare:
      ({ admin }, path) =>
      () =>
        admin.put(path, { name: `Brand ${nextNumber()}` }),
  },
  [`PUT ${O}/supportaccess`]: {
    prepare:
      ({ above }, path) =>
      () =>
        above.put(path, { access: 'write' }),
  },
  [`PUT ${O}/billing`]: CHANGES,
  [`POST ${U}/actions`]: CHANGES,
  [`POST ${U}/changepassword`]: CHANGES,
  [`POST ${U}/loginlinks`]: ENABLED_USERS,
  [`POST ${U}/supportlogins`]: ENABLED_USERS,
};

/** By method and path. */
export const CREATION_ROWS: PerVariant<Readonly<Record<string, CreationRow>>> = {
  A: {
    ...IN_BOTH,
    [`POST ${U}/apikeys`]: ENABLED_USERS,
    [`POST ${U}/apikeys/:apiKeyId/rotate`]: CHANGES,
    [`POST ${U}/passkeys`]: ENABLED_USERS,
    [`POST ${U}/passkeys/options`]: ENABLED_USERS,
    [`POST ${U}/recoverycodes`]: ENABLED_USERS,
  },
  B: {
    ...IN_BOTH,
    [`POST ${O}/users`]: user({ cp3Password: '$1$abcdefgh$M5lxU5XK.tcr2msanB7D0/' }),
    [`POST ${O}/userandcontact`]: user({ password: PASSWORD }),
    [`POST ${O}/acls`]: post(async ({ service }) => ({ organisation: await makeOrganisation(service) })),
  },
};
