import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { clientOf, type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { makeInvitation, registrationOf } from '../support/factories/invitations-factories';
import {
  freshName,
  PANEL_LINKS,
  PROOF_LINK,
  renamesOf,
  RESET_LINK,
} from '../support/factories/renames-factories';
import { pathOf } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { anonymous, failingFields } from '../support/service/client';
import { runJob } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { moveTestClock } from '../support/service/time';

/** rule recovery 63, rule recovery 66: what an unproved name gives to whom. */
const mailServer = useMailServer();
const service = useService('A', () => ({
  settings: {
    smtpUrl: mailServer.url,
    ...PANEL_LINKS,
    testClock: true,
  },
}));

const { rename, mails, mailsTo } = renamesOf(service, mailServer);

const NAMES = { firstName: 'Jan', lastName: 'de Vries' } as const;
const HOURS_72 = 72 * 3600;

let organisationId: number;
let custadmin: MadeUser;
let plain: MadeUser;

beforeEach(async () => {
  ({ organisationId, custadmin, plain } = await makeCustomer(service));
  await mails();
});

/** Where recovery of the name is mailed to, and its token. */
async function recover(username: string): Promise<{ to: string; token: string }[]> {
  await mails();
  await anonymous(service).post('/resetting/send_email', { username }).expect(204);
  return (await mails()).map(({ to, text }) => ({ to: to.join(), token: RESET_LINK.exec(text)?.[1] ?? '' }));
}
const recoveredAt = async (username: string): Promise<string[]> =>
  (await recover(username)).map(({ to }) => to);
const reset = (token: string | undefined, password: string) =>
  anonymous(service).post(`/resetting/${token ?? ''}`, { password });
const nameOf = async (user: MadeUser): Promise<unknown> => {
  const { body } = await custadmin.client.get(pathOf(user)).expect(200);
  return (body as { user: { email: string } }).user.email;
};
const pass = (seconds: number): Promise<void> => moveTestClock(service, seconds);

it('mails no text of a user to a stranger whose address was the name, after the name has gone again too', async () => {
  const stranger = freshName();
  await rename(plain.client, plain, stranger).expect(204);
  for (let made = 0; made < 3; made++) {
    const body = { name: `Zmark-evil.example/win${made}`, whitelist: [] };
    await plain.client.post(`${pathOf(plain)}/apikeys`, body).expect(200);
  }
  await rename(plain.client, plain, plain.username).expect(204);
  const received = await mailsTo(stranger);
  expect(received.length).toBeGreaterThan(0);
  for (const { text, headers } of received) {
    expect(text).not.toContain('Zmark');
    expect(headers.get('subject')).not.toContain('Zmark');
  }
});

describe('an account that somebody handed over', () => {
  let next: string;
  beforeEach(async () => {
    next = freshName();
    await rename(custadmin.client, plain, next).expect(204);
  });

  async function expectNobodyLetIn(): Promise<void> {
    expect(await nameOf(plain)).toBe(`user-${plain.id}@name.invalid`);
    for (const name of [plain.username, next, `user-${plain.id}@name.invalid`])
      expect((await recoveredAt(name)).filter((to) => to === plain.username)).toEqual([]);
    // Who is logged in stays so, and a manager decides who gets the account.
    await plain.client.get('/whoami').expect(200);
    await rename(custadmin.client, plain, plain.username).expect(204);
    expect(await recoveredAt(plain.username)).toEqual([plain.username]);
  }

  it('does not fall back to its former owner when the new one registers elsewhere', async () => {
    const other = await makeCustomer(service);
    const invitation = await makeInvitation(service, {
      organisationId: other.organisationId,
      inviterId: other.custadmin.id,
      email: next,
    });
    await anonymous(service)
      .post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, PASSWORD))
      .expect(201);
    await expectNobodyLetIn();
  });

  it('does not fall back to its former owner when the reader of the new address denies it', async () => {
    const [mail] = await mailsTo(next);
    const token = PROOF_LINK.exec(mail?.text ?? '')?.[1] ?? '';
    await deny(token);
    await expectNobodyLetIn();
  });

  it('tells its owner in bare words when somebody with the password renames it', async () => {
    await mails();
    await rename(await clientOf(service, plain.id), plain, freshName()).expect(204);
    const [told, ...more] = await mailsTo(next);
    expect(more).toEqual([]);
    expect(told?.headers.get('subject')).toBe('Gebruikersnaam gewijzigd');
    expect(told?.text).not.toContain('Vries');
  });
});

/** "This is not me", on the page of the link. */
async function deny(token: string): Promise<void> {
  const answer = await fetch(`${service.url}/account/username/${token}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'answer=not-me',
  });
  expect(answer.status).toBe(200);
}

it('tells the last proved address when a manager renames a user who gave itself another name', async () => {
  await rename(plain.client, plain, freshName()).expect(204);
  await mails();
  await rename(custadmin.client, plain, freshName()).expect(204);
  const subjects = (await mailsTo(plain.username)).map(({ headers }) => headers.get('subject'));
  expect(subjects).toEqual(['Uw gebruikersnaam is gewijzigd']);
});

describe('recovery of a user whose login somebody else has renamed', () => {
  let thief: string;
  beforeEach(async () => {
    thief = freshName();
    await rename(plain.client, plain, thief).expect(204);
  });

  it('stays at the last proved address once that has reset the password', async () => {
    const [asked] = await recover(thief);
    expect(asked?.to).toBe(plain.username);
    await reset(asked?.token, 'Opnieuw-1234').expect(200);
    await pass(HOURS_72 + 3600);
    expect(await recoveredAt(thief)).toEqual([plain.username]);
    expect(await recoveredAt(plain.username)).toEqual([plain.username]);
  });

  it('goes to the new address after 72 hours in which nobody did', async () => {
    expect(await recoveredAt(plain.username)).toEqual([plain.username]);
    await pass(HOURS_72 + 3600);
    expect(await recoveredAt(thief)).toEqual([thief]);
  });

  it('is asked for by the last proved name too, by nobody else', async () => {
    expect(await recoveredAt(plain.username)).toEqual([plain.username]);
    const handedOver = await makeUser(service, { organisationId });
    await rename(custadmin.client, handedOver, freshName()).expect(204);
    expect(await recoveredAt(handedOver.username)).toEqual([]);
  });
});

it('refuses an invitation of the domain that is kept for users without a name', async () => {
  const body = { email: `user-${plain.id}@name.invalid`, ...NAMES };
  const refused = await custadmin.client
    .post(`/organisations/${organisationId}/invitations`, body)
    .expect(400);
  expect(failingFields(refused)).toEqual(['email']);
});

it('mails one link a day to an address, whoever of the organisation is deleted in between', async () => {
  const stranger = freshName();
  const links = async (): Promise<number> => {
    const user = await makeUser(service, { organisationId });
    const manager = await clientOf(service, custadmin.id);
    await rename(manager, user, stranger).expect(204);
    const received = (await mailsTo(stranger)).filter(({ text }) => PROOF_LINK.test(text));
    await manager.delete(pathOf(user)).expect(204);
    return received.length;
  };
  expect([await links(), await links()]).toEqual([1, 0]);
  const digests = () =>
    service.sql`SELECT 1 FROM name_proofs WHERE name_digest = address_digest(${stranger})`;
  expect(await digests()).toHaveLength(1);
  await pass(25 * 3600);
  await runJob(service, CleanUpHandler);
  expect(await digests()).toEqual([]);
  expect(await links()).toBe(1);
});
