import type { Test } from 'supertest';
import type { ReceivedMail, TestMailServer } from '../faults/smtp';
import { anonymous, type ApiClient } from '../service/client';
import type { TestService } from '../service/service';
import { clientOf, type MadeUser, PASSWORD } from './factories';
import { type MadeInvitation, makeInvitation, registrationOf } from './invitations-factories';
import { NAME_LINK, renamesOf, RESET_LINK } from './renames-factories';

export const NEW_PASSWORD = 'Opnieuw-1234';

/** What a user and those around it do about its name, and what the service says of it. */
export function userNamesOf(
  service: TestService,
  mailServer: TestMailServer,
  names?: Parameters<typeof renamesOf>[2],
) {
  const { rename, mails, mailsTo } = renamesOf(service, mailServer, names);

  /** The present name; how it stands with the former one in the database. */
  async function stateOf({ id }: Pick<MadeUser, 'id'>): Promise<unknown> {
    const [row] = await service.sql`
      SELECT username, username_verified AS verified, former_name(users) AS former FROM users WHERE id = ${id}`;
    return row;
  }

  /** By which name forward-auth and introspection know the user. */
  async function nameForOthers(user: MadeUser, asking: ApiClient): Promise<string> {
    const secret = await clientOf(service, user.id);
    const { headers } = await secret.get('/access/forward').expect(204);
    const { body } = await asking.post('/access/introspect', { token: secret.hash }).expect(200);
    const { username } = body as { username: string };
    expect(decodeURIComponent(String(headers['x-account-username']))).toBe(username);
    return username;
  }

  /** Asks for a new password by a name. Where the mail goes, with the token of its link. */
  async function recover(username: string): Promise<{ to: string; token: string; text: string }[]> {
    await mails();
    await anonymous(service).post('/resetting/send_email', { username }).expect(204);
    return (await mails()).map(({ to, text }) => ({
      to: to.join(),
      token: RESET_LINK.exec(text)?.[1] ?? '',
      text,
    }));
  }
  const recoveredAt = async (username: string): Promise<string[]> =>
    (await recover(username)).map(({ to }) => to);

  const reset = (token: string | undefined, password = NEW_PASSWORD): Test =>
    anonymous(service).post(`/resetting/${token ?? ''}`, { password });

  const verify = (token: string | undefined, password: unknown = PASSWORD): Test =>
    anonymous(service).post(`/usernames/${token ?? 'none'}`, { password });

  /** The token of the link that verifies a name, in the mails to it. */
  const linkTo = (received: readonly ReceivedMail[], address: string): string | undefined =>
    received
      .filter(({ to }) => to.some((one) => one.toLowerCase() === address.toLowerCase()))
      .map(({ text }) => NAME_LINK.exec(text)?.[1])
      .find((token) => token !== undefined);

  const invite = (
    email: string,
    by: { organisationId: number; custadmin: MadeUser },
  ): Promise<MadeInvitation> =>
    makeInvitation(service, { organisationId: by.organisationId, inviterId: by.custadmin.id, email });

  const register = (invitation: MadeInvitation): Test =>
    anonymous(service).post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, PASSWORD));

  return {
    rename,
    mails,
    mailsTo,
    stateOf,
    nameForOthers,
    recover,
    recoveredAt,
    reset,
    verify,
    linkTo,
    invite,
    register,
  };
}
