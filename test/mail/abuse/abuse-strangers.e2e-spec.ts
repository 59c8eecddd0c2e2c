import { type MadeUser, makeCustomer, makeOrganisation } from '../../support/factories/factories';
import { useMailServer } from '../../support/faults/smtp';
import { makeJobsDue, runJobs } from '../../support/service/jobs';
import { useService } from '../../support/service/service';
import { letTimePass, useOneHour } from '../../support/service/time';

useOneHour();

const BENEATH = 6;
const POSTS = 60;
/** rule notifications 36 */
const MOST = 60;

/** Words of the attacker, each in another place. */
const WORDS = {
  subject: 'Operator Hosting: your mailbox will be closed',
  message: 'Dear customer, log in at https://evil.example/login to keep it.',
  param: 'evil.example/param',
  type: 'pay-at-evil.example',
  organisation: 'your hosting account: it closes today, confirm at evil.example/a',
  firstName: 'Your mailbox is blocked, unblock at evil.example/login',
};

const mailServer = useMailServer();
const service = useService('A', () => ({
  settings: { smtpUrl: mailServer.url, companyName: 'Operator Hosting', panelUrl: 'https://panel.example' },
}));

/** Its organisations send a stranger every mail that the interface lets them send. */
describe('a customer with six organisations beneath', () => {
  let attacker: MadeUser;
  let beneath: number[];
  let stranger: string;

  beforeEach(async () => {
    const { organisationId, custadmin } = await makeCustomer(service, { name: WORDS.organisation });
    attacker = custadmin;
    stranger = `stranger${organisationId}@else.example`;
    beneath = [];
    for (let made = 0; made < BENEATH; made++) {
      const id = await makeOrganisation(service, { parentId: organisationId, name: WORDS.organisation });
      const contact = { type: 'email', name: stranger, preferences: 'App' };
      await attacker.client.post(`/organisations/${id}/contacts`, contact).expect(201);
      beneath.push(id);
    }
    await runJobs(service);
    mailServer.mails.length = 0;
  });

  const post = (id: number) =>
    attacker.client
      .post(`/organisations/${id}/notifications`, {
        type: WORDS.type,
        group: 'App',
        params: { subject: WORDS.subject, message: WORDS.message, more: WORDS.param },
      })
      .expect(201);

  it('POST …/notifications: 360 posts mail a stranger sixty times in an hour, without a word of theirs', async () => {
    for (let round = 0; round < POSTS; round++) {
      for (const id of beneath) await post(id);
    }
    await runJobs(service);
    const mails = mailServer.mailsTo(stranger);
    expect(mails).toHaveLength(MOST);
    for (const { headers, text, html, raw } of mails) {
      expect(headers.get('subject')).toBe('Er staat een bericht voor u klaar');
      for (const part of [text, html, raw])
        expect(part).not.toMatch(/evil|closed|keep it|blocked|pay-at|hosting account|Jan/);
      expect(text).toContain('https://panel.example');
    }
    // What was skipped is not sent later.
    await letTimePass(service, '1 hour');
    await makeJobsDue(service);
    await runJobs(service);
    expect(mailServer.mailsTo(stranger)).toHaveLength(MOST);
  }, 120_000);

  it('POST …/invitations: invite a stranger in the name of the operator, with names that make no link', async () => {
    for (const id of beneath) {
      const body = { email: stranger, firstName: WORDS.firstName, lastName: 'evil.example' };
      await attacker.client.post(`/organisations/${id}/invitations`, body).expect(201);
    }
    await runJobs(service);
    const mails = mailServer.mailsTo(stranger);
    expect(mails).toHaveLength(BENEATH);
    for (const { headers, text, html } of mails) {
      expect(headers.get('subject')).toBe('Uitnodiging voor het klantenpaneel van Operator Hosting');
      for (const part of [text, html]) expect(part).not.toMatch(/evil\.|blocked|Your mailbox/);
      expect(text).toContain('“your hosting account: it closes today, confirm at…”');
    }
  });
});
