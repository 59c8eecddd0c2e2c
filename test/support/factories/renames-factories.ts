import type { Test } from 'supertest';
import type { ReceivedMail, TestMailServer } from '../faults/smtp';
import type { ApiClient } from '../service/client';
import { runJobs } from '../service/jobs';
import type { TestService } from '../service/service';
import { type MadeUser, nextNumber } from './factories';
import { pathOf } from './users-factories';

/** Settings that lead the links of mails about user names to a panel. */
export const PANEL_LINKS = {
  resetUrlTemplate: 'https://panel.example/reset?token={token}',
  usernameUrlTemplate: 'https://panel.example/username?token={token}',
} as const;

/** The link that sets a password or gives a former name back, with its token. */
export const RESET_LINK = /https:\/\/panel\.example\/reset\?token=([0-9a-f]{64})/;

/** The link that verifies a user name, with its token. */
export const NAME_LINK = /https:\/\/panel\.example\/username\?token=([0-9a-f]{64})/;

/** A name that no user has. */
export const freshName = (): string => `name${nextNumber()}@other.example`;

interface Names {
  readonly firstName: string;
  readonly lastName: string;
}

/** Renames users of a service, and reads what it mails about it. `names` are what a change sends beside. */
export function renamesOf(
  service: TestService,
  mailServer: TestMailServer,
  names: Names = { firstName: 'Jan', lastName: 'de Vries' },
) {
  const rename = (by: ApiClient, user: MadeUser, username: string): Test =>
    by.patch(pathOf(user), { username, ...names });

  /** The mails since the last call. */
  async function mails(): Promise<ReceivedMail[]> {
    await runJobs(service);
    return mailServer.mails.splice(0);
  }

  /** Those of them to one address. */
  const mailsTo = async (address: string): Promise<ReceivedMail[]> =>
    (await mails()).filter(({ to }) => to.includes(address));

  return { rename, mails, mailsTo };
}
