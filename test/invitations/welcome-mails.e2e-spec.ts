import { type Customer, makeCustomer, PASSWORD } from '../support/factories/factories';
import { makeInvitation, registrationOf } from '../support/factories/invitations-factories';
import { type ReceivedMail, useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { anonymous } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';

const PANEL = 'https://panel.example/';
const mailServer = useMailServer();

/** rule notifications 45 */
describe.each(SHARED_VARIANTS)('POST /registerInvitation in Variant %s: who registers', (variant) => {
  const service = useService(variant, () => ({
    settings: {
      smtpUrl: mailServer.url,
      panelUrl: PANEL,
      companyName: 'Hoster',
      publicUrl: 'https://api.example',
      allowTokenlessRegistration: true,
    },
  }));
  let customer: Customer;

  beforeAll(async () => {
    customer = await makeCustomer(service, { name: 'Imprimerie Élan' });
  });

  const inviteAndRegister = async (language: string, withToken: boolean) => {
    const { organisationId, custadmin } = customer;
    const invitation = await makeInvitation(service, {
      organisationId,
      inviterId: custadmin.id,
      firstName: 'Anna',
      language,
    });
    await anonymous(service)
      .post(
        withToken ? `/registerInvitation/${invitation.token}` : '/registerInvitation',
        registrationOf(invitation, PASSWORD),
      )
      .expect(201);
    await runJobs(service);
    return invitation.email;
  };
  const linesOf = ({ text }: ReceivedMail): string[] => text.replaceAll('\r\n', '\n').split('\n\n');

  it.each([
    [
      'nl',
      'Uw account is klaar',
      'Beste Anna de Vries,',
      'Uw account bij Hoster is klaar. Het hoort bij organisatie Imprimerie Élan.',
    ],
    [
      'en',
      'Your account is ready',
      'Dear Anna de Vries,',
      'Your account with Hoster is ready. It belongs to the organisation Imprimerie Élan.',
    ],
    [
      'fr',
      'Votre compte est prêt',
      'Bonjour Anna de Vries,',
      'Votre compte chez Hoster est prêt. Il appartient à l’organisation Imprimerie Élan.',
    ],
  ])('is welcomed once, with the links to log in and to a new password: %s', async (...expected) => {
    const [language, subject, greeting, ready] = expected;
    const email = await inviteAndRegister(language, true);
    const mails = mailServer.mailsTo(email);
    expect(mails.map(({ headers }) => headers.get('subject'))).toEqual([subject]);
    const [first, told, logIn, , newPassword] = linesOf(mails[0] as ReceivedMail);
    expect(first).toBe(greeting);
    expect(told).toContain(ready);
    expect(told).toContain(email);
    expect([logIn, newPassword?.trim()]).toEqual([PANEL, 'https://api.example/account/password']);
  });

  it('is not welcomed at an address that nobody has proved', async () => {
    const email = await inviteAndRegister('en', false);
    const subjects = mailServer.mailsTo(email).map(({ headers }) => headers.get('subject'));
    expect(subjects).toEqual(['Please confirm your user name']);
  });
});
