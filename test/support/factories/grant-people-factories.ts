import { ApiClient } from '../service/client';
import type { ReachableService } from '../service/service';
import { clientOf, type MadeUser, makeCustomer, nextNumber, PASSWORD } from './factories';
import { queuedMails } from './invitations-factories';

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

/** A customer and the agency that manages it. */
export interface Managed {
  readonly giver: Customer;
  readonly agency: Customer;
  /** The path of the giver. */
  readonly of: string;
  readonly grantId: number;
}

/** Lets the agency manage the giver. Returns the id of the grant. */
export async function letManage({ giver, agency }: Pick<Managed, 'giver' | 'agency'>): Promise<number> {
  const { body } = await giver.custadmin.client
    .post(`/organisations/${giver.organisationId}/grants`, {
      organisation: agency.organisationId,
      access: 'manage',
    })
    .expect(201);
  return (body as { grant: { id: number } }).grant.id;
}

export async function makeManaged(service: ReachableService): Promise<Managed> {
  const giver = await makeCustomer(service);
  const agency = await makeCustomer(service);
  const grantId = await letManage({ giver, agency });
  return { giver, agency, grantId, of: `/organisations/${giver.organisationId}` };
}

/** An invitation that was made through the API. */
export interface SentInvitation {
  readonly id: number;
  readonly organisationId: number;
  readonly email: string;
}

/** Invites a mailbox to the organisation. */
export async function inviteBy(
  { client }: Pick<MadeUser, 'client'>,
  organisationId: number,
  more: object = {},
): Promise<SentInvitation> {
  const email = `mailbox${nextNumber()}@agency.example`;
  const { body } = await client
    .post(`/organisations/${organisationId}/invitations`, {
      email,
      firstName: 'Eva',
      lastName: 'Maes',
      ...more,
    })
    .expect(201);
  return { id: (body as { invitation: { id: number } }).invitation.id, organisationId, email };
}

/** The token of the newest mail to the address. */
export async function tokenTo(service: ReachableService, email: string): Promise<string> {
  const mails = await queuedMails(service, email);
  return /[0-9a-f]{64}/.exec(mails.at(-1)?.values['link'] ?? '')?.[0] ?? 'none';
}

/** The request that registers with a token. */
export const registering = (
  service: ReachableService,
  { id, organisationId, email }: SentInvitation,
  token: string,
) =>
  new ApiClient(service.url).post(`/registerInvitation/${token}`, {
    email,
    organisationId,
    inviationId: id,
    password: PASSWORD,
  });

/** Registers with the newest mail of the invitation. */
export async function register(service: ReachableService, invitation: SentInvitation): Promise<MadeUser> {
  const token = await tokenTo(service, invitation.email);
  const { body } = await registering(service, invitation, token).expect(201);
  const { id } = (body as { user: { id: number } }).user;
  const { organisationId, email: username } = invitation;
  return { id, organisationId, username, client: await clientOf(service, id) };
}
