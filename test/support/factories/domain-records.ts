import { digestOf, newSecret } from '@app/security/secrets/digest';
import type { TestService } from '../service/service';
import { makeOwnBrand } from './brands-factories';
import { makeDocument } from './documents-factories';
import { makeGrant, makeOrganisation } from './factories';
import { insertRow } from './insert-row';
import { makeInvitation } from './invitations-factories';
import { makeApiKey, makeServiceKey, newPublicKey } from './key-factories';
import { PASSKEY_RECORDS } from './passkey-factories';
import { makeContact, makeTeam } from './records';
import { makeWebhook } from './webhooks-factories';

/** Identifiers of records by the parameter of a path that names them. */
export type Ids = Readonly<Record<string, number>>;

/** What a path can name, written by hand from the contract. */
interface Identifier {
  /** What a 404 calls it. */
  readonly named: string;
  /** Where it has an entity tag (rule idempotency 17): a change of it; each number makes another one. */
  readonly change?: (number: number) => object;
}

/**
 * The records of a domain: what its paths name, and a maker of one below an organisation and below a user.
 * Tests of access, of what is missing and of lost updates go over all of them.
 */
export interface DomainRecords {
  readonly identifiers: Readonly<Record<string, Identifier>>;
  readonly ofOrganisation?: (service: TestService, owner: OrganisationOwner) => Promise<Ids>;
  readonly ofUser?: (service: TestService, owner: UserOwner) => Promise<Ids>;
}

interface OrganisationOwner {
  readonly organisationId: number;
  /** Some of its users, of whom the first one acts. */
  readonly userIds: readonly number[];
}

interface UserOwner {
  readonly organisationId: number;
  readonly userId: number;
}

/** Of a team and not in the register. */
const TEAM_ENTITY = 17;

const DOMAINS: readonly DomainRecords[] = [
  {
    identifiers: {
      organisationId: { named: 'Organisation', change: (number) => ({ street: `Street ${number}` }) },
      userId: { named: 'User', change: (number) => ({ lastName: `Jansen ${number}` }) },
    },
  },
  {
    identifiers: {},
    ofOrganisation: makeOwnBrand,
  },
  {
    identifiers: {
      teamId: { named: 'Team', change: (number) => ({ name: `Team no. ${number}` }) },
      objectId: { named: 'Team entity' },
    },
    ofOrganisation: async (service, { organisationId, userIds }) => {
      const teamId = await makeTeam(service, organisationId, { userIds });
      await service.sql`INSERT INTO team_entities (team_id, kind, object_id)
        SELECT ${teamId}, unnest(ARRAY['apps', 'domains', 'mailgroups', 'systems']), ${TEAM_ENTITY}`;
      return { teamId, objectId: TEAM_ENTITY };
    },
  },
  {
    identifiers: {
      grantId: { named: 'Grant', change: (number) => ({ expires: String(4_000_000_000 + number) }) },
      granteeId: { named: 'Grant' },
    },
    ofOrganisation: async (service, { organisationId }) => {
      const granteeId = await makeOrganisation(service);
      return {
        granteeId,
        grantId: await makeGrant(service, organisationId, granteeId),
        receivedGrantId: await makeGrant(service, granteeId, organisationId),
      };
    },
  },
  {
    identifiers: { documentId: { named: 'Document' } },
    ofOrganisation: async (service, { organisationId }) => ({
      documentId: await makeDocument(service, organisationId),
    }),
  },
  {
    identifiers: {
      invitationId: {
        named: 'Invitation',
        change: (number) => ({ firstName: `Anna ${number}`, email: 'anna.lost@example.com' }),
      },
    },
    ofOrganisation: async (service, { organisationId, userIds }) => ({
      invitationId: (await makeInvitation(service, { organisationId, inviterId: userIds[0] as number })).id,
    }),
  },
  {
    identifiers: {
      contactId: {
        named: 'Contact',
        change: (number) => ({ type: 'email', name: `lost${number}@example.com` }),
      },
    },
    ofOrganisation: async (service, { organisationId }) => ({
      contactId: await makeContact(service, { organisationId }),
    }),
    ofUser: async (service, { organisationId, userId }) => ({
      contactId: await makeContact(service, { organisationId, userId }),
    }),
  },
  {
    identifiers: {
      sshkeyId: { named: 'SSH key', change: (number) => ({ description: `Laptop ${number}` }) },
    },
    ofOrganisation: async (service, { organisationId }) => ({
      sshkeyId: await makeSshKey(service, { organisationId }),
    }),
    ofUser: async (service, { userId }) => ({ sshkeyId: await makeSshKey(service, { userId }) }),
  },
  {
    identifiers: {
      serviceKeyId: { named: 'Service key', change: (number) => ({ name: `Robot ${number}` }) },
    },
    ofOrganisation: async (service, { organisationId }) => ({
      serviceKeyId: (await makeServiceKey(service, organisationId)).id,
    }),
  },
  {
    identifiers: {
      webhookId: {
        named: 'Webhook',
        change: (number) => ({ url: `https://receiver.invalid/${number}`, events: ['*'] }),
      },
      deliveryId: { named: 'Delivery' },
    },
    ofOrganisation: async (service, { organisationId }) => ({
      ...(await makeWebhook(service, organisationId)),
    }),
  },
  {
    identifiers: { token2faId: { named: 'Token' } },
    ofUser: async (service, { userId }) => ({
      token2faId: await insertRow(service, 'trusted_devices', {
        user_id: userId,
        digest: digestOf(newSecret()),
        user_agent: 'Test/1.0',
        address: '127.0.0.1',
        expires_at: tomorrow(),
      }),
    }),
  },
  {
    identifiers: { loginId: { named: 'Login' } },
    ofUser: async (service, { userId }) => ({
      loginId: await insertRow(service, 'logins', {
        user_id: userId,
        digest: digestOf(newSecret()),
        address: '127.0.0.1',
        expires_at: tomorrow(),
      }),
    }),
  },
  PASSKEY_RECORDS,
  {
    identifiers: { apiKeyId: { named: 'API key', change: (number) => ({ name: `Script ${number}` }) } },
    ofUser: async (service, { userId }) => ({ apiKeyId: (await makeApiKey(service, userId)).id }),
  },
  // Of all organisations: their makers choose the identifier, or admins keep them.
  { identifiers: { entityId: { named: 'Entity' }, pricegroupId: { named: 'Price group' } } },
];

const tomorrow = (): Date => new Date(Date.now() + 86_400_000);

/** Every identifier of a path, by its parameter. */
export const IDENTIFIERS: Readonly<Record<string, Identifier>> = Object.assign(
  {},
  ...DOMAINS.map(({ identifiers }) => identifiers),
) as Record<string, Identifier>;

/** Everything that a path can name in an organisation. */
export async function recordsOfOrganisation(service: TestService, owner: OrganisationOwner): Promise<Ids> {
  let ids: Ids = {};
  for (const { ofOrganisation } of DOMAINS) ids = { ...ids, ...(await ofOrganisation?.(service, owner)) };
  return ids;
}

/** Everything that a path can name below a user. */
export async function recordsOfUser(service: TestService, owner: UserOwner): Promise<Ids> {
  let ids: Ids = {};
  for (const { ofUser } of DOMAINS) ids = { ...ids, ...(await ofUser?.(service, owner)) };
  return ids;
}

export function makeSshKey(
  service: TestService,
  owner: { userId?: number; organisationId?: number },
): Promise<number> {
  const content = newPublicKey();
  const blob = Buffer.from(content.split(' ')[1] ?? '', 'base64');
  return insertRow(service, 'ssh_keys', {
    user_id: owner.userId,
    organisation_id: owner.organisationId,
    description: 'key',
    type: 'ssh-ed25519',
    blob,
    bits: 256,
    comment: '',
    fingerprint: 'aa',
    key_digest: digestOf(content),
  });
}
