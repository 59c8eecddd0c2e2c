import request, { type Test } from 'supertest';
import type { ReceivedMail, TestMailServer } from '../faults/smtp';
import { ApiClient } from '../service/client';
import { runJobs } from '../service/jobs';
import type { TestService } from '../service/service';
import type { MadeUser } from './factories';
import { Device, type MovableClock, showSecret } from './two-factor-factories';

/** Seconds that a link about a second factor holds. */
export const THREE_DAYS = 72 * 3600;

/** The links of the mails about second factors. */
export class FactorLinkPages {
  constructor(
    private readonly service: TestService,
    private readonly mailServer: TestMailServer,
  ) {}

  open = (token: string): Test => request(this.service.url).get(`/account/second-factor/${token}`);
  send = (token: string): Test =>
    request(this.service.url).post(`/account/second-factor/${token}`).type('form');

  async mailsTo({ username }: Pick<MadeUser, 'username'>): Promise<ReceivedMail[]> {
    await runJobs(this.service);
    return this.mailServer.mailsTo(username);
  }

  /** The token of the last such link to the user; empty without one. */
  async tokenTo(user: Pick<MadeUser, 'username'>): Promise<string> {
    const tokens = (await this.mailsTo(user)).flatMap(
      ({ text }) => /\/account\/second-factor\/([0-9a-f]{64})\s/.exec(text)?.[1] ?? [],
    );
    return tokens.at(-1) ?? '';
  }
}

/** Switches an authenticator on with nothing but the password of the user, and trusts the device. */
export async function activateAsThief(
  service: TestService,
  clock: MovableClock,
  { username }: Pick<MadeUser, 'username'>,
): Promise<ApiClient> {
  const secret = await showSecret(service, username);
  const { body } = await new Device(service, username, 'Thief/1.0')
    .activate({ '6digitCode': clock.code(secret), trustThisDevice: true })
    .expect(200);
  clock.moveSteps(2);
  return new ApiClient(service.url, (body as { hash: string }).hash);
}

/** What the users and contacts were told about a user, in this order: class and type of each notification. */
export async function newsAbout(service: TestService, { id }: Pick<MadeUser, 'id'>): Promise<string[]> {
  const rows = await service.sql<{ type: string }>`
    SELECT entity_class || '.' || type AS type FROM notifications WHERE about_user_id = ${id} ORDER BY id`;
  return rows.map(({ type }) => type);
}
