import { type ReceivedMail, type TestMailServer } from '../faults/smtp';
import { anonymous, ApiClient } from '../service/client';
import { runJobs } from '../service/jobs';
import type { TestService } from '../service/service';
import { type MadeUser, makeCustomer, PASSWORD } from './factories';

/** Networks of their own, which no country database of the tests knows. */
export const HOME = '192.0.2.10';
export const CAFE = '198.51.100.7';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';

export interface NoticedLogin {
  readonly user: MadeUser;
  /** Of the login at home. */
  readonly home: ApiClient;
  /** Of the login that the mail tells of. */
  readonly client: ApiClient;
  readonly mail: ReceivedMail;
  /** Of the link in the mail; empty if it has none. */
  readonly token: string;
}

export interface NoticedLoginOptions {
  readonly language?: string;
  readonly address?: string;
  readonly userAgent?: string;
}

/**
 * A user who logs in at home, then somewhere else, and gets the mail about it. The service must trust
 * 127.0.0.1 as its proxy and send its mails to the server.
 */
export async function makeNoticedLogin(
  service: TestService,
  mailServer: TestMailServer,
  { language = 'nl', address = CAFE, userAgent = FIREFOX }: NoticedLoginOptions = {},
): Promise<NoticedLogin> {
  const { plain: user } = await makeCustomer(service);
  const { id, username } = user;
  await service.sql`UPDATE users SET language = ${language} WHERE id = ${id}`;
  const logIn = async (from: string): Promise<ApiClient> => {
    const { body } = await anonymous(service)
      .post('/login', { username, password: PASSWORD })
      .set('X-Forwarded-For', from)
      .set('User-Agent', userAgent)
      .expect(200);
    return new ApiClient(service.url, (body as { hash: string }).hash);
  };
  const home = await logIn(HOME);
  const client = await logIn(address);
  await runJobs(service);
  const mail = mailServer.mailsTo(username).at(-1);
  if (mail === undefined) throw new Error('No mail about the login');
  const [, token = ''] = /\/account\/end-login\/([0-9a-f]{64})\s/.exec(mail.text) ?? [];
  return { user, home, client, mail, token };
}
