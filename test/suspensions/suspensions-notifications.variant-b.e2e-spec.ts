import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { RecoveryMailHandler } from '@app/sign-in/recovery/recovery-mail.handler';
import {
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
} from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { enable, suspend } from '../support/factories/suspensions-factories';
import { makeAdmin } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { type ApiClient, asAdmin } from '../support/service/client';
import { runJob, runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { letExpire, makeOlder } from '../support/service/time';

interface Told {
  readonly organisation: number;
  readonly type: string;
  readonly by: number | null;
  readonly params: object;
}

const mailServer = useMailServer();
const service = useService('B', () => ({
  settings: {
    smtpUrl: mailServer.url,
    companyName: 'Hoster BV',
    supportUrl: 'https://help.hoster.example/contact',
    resetUrlTemplate: 'https://panel.example/reset?token={token}',
    invitationUrlTemplate: 'https://panel.example/register?token={token}',
  },
}));
let admin: ApiClient;
let manager: MadeUser;
beforeAll(async () => {
  admin = await asAdmin(service);
  manager = await makeAdmin(service);
});

/** What organisations were told of being disabled and enabled, once the jobs have run. */
async function told(...organisations: number[]): Promise<Told[]> {
  await runJobs(service);
  return service.sql<Told & Record<string, unknown>>(
    `SELECT organisation_id AS organisation, type, user_id AS "by", params FROM notifications
     WHERE entity_class = 'Organisation' AND notification_group = 'Crm' AND organisation_id = ANY ($1) ORDER BY id`,
    [organisations],
  );
}

/** A time in a mail, with its zone. */
const A_TIME = /\d{1,2}(?:er)? \S+ \d{4} (?:om|at|à) \d\d:\d\d (?:CES?T|UTC\+\d)/g;

/** An address that no other test of this run knows. */
const freshAddress = (): string => `told${nextNumber()}@of.example`;

describe('contacts of a suspended organisation', () => {
  it('with the group Crm are mailed in their language, with the reason', async () => {
    const name = 'Bakkerij de Vries';
    const organisationId = await makeOrganisation(service, { name });
    const own = freshAddress();
    const deaf = freshAddress();
    await makeContact(service, { organisationId, name: own, groups: ['Crm'] });
    await makeContact(service, { organisationId, name: deaf, groups: ['System'] });
    const custadmins: Record<string, string> = {};
    for (const language of ['nl', 'en', 'fr']) {
      const user = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
      await service.sql`UPDATE users SET language = ${language} WHERE id = ${user.id}`;
      custadmins[language] = freshAddress();
      await makeContact(service, {
        organisationId,
        userId: user.id,
        groups: ['Crm'],
        name: custadmins[language],
      });
    }
    const textOf = (address: string | undefined): string[] =>
      mailServer
        .mailsTo(address ?? '')
        .map(({ text }) =>
          text.replaceAll('\r\n', '\n').replaceAll(A_TIME, '(time)').split('\n\n').slice(0, 4).join('\n\n'),
        );

    await suspend(manager.client, organisationId, { reason: 'Factuur 117 is niet betaald' });
    await runJobs(service);
    const dutch =
      `Goedendag,\n\nUw organisatie “${name}” is geblokkeerd door “Jan de Vries” op (time). Haar ` +
      'gebruikers kunnen niet inloggen en haar sleutels werken niet.\n\n' +
      'Reden: “Factuur 117 is niet betaald”\n\nHebt u vragen? Neem dan contact op met Hoster BV: help.hoster.example/contact';
    expect(textOf(own)).toEqual([dutch]);
    expect(textOf(custadmins['nl'])).toEqual([dutch]);
    expect(textOf(custadmins['en'])).toEqual([
      `Hello,\n\nYour organisation “${name}” was suspended by “Jan de Vries” on (time). Its users cannot log in and its keys do not work.\n\n` +
        'Reason: “Factuur 117 is niet betaald”\n\nIf you have questions, please contact Hoster BV: help.hoster.example/contact',
    ]);
    expect(textOf(custadmins['fr'])).toEqual([
      `Bonjour,\n\nVotre organisation «\u00a0${name}\u00a0» a été suspendue par «\u00a0Jan de ` +
        'Vries\u00a0» le (time). Ses utilisateurs ne peuvent pas se connecter et ses clés ne ' +
        'fonctionnent pas.\n\n' +
        'Motif\u00a0: «\u00a0Factuur 117 is niet betaald\u00a0»\n\nDes questions ? Contactez Hoster BV\u00a0: help.hoster.example/contact',
    ]);
    expect(textOf(deaf)).toEqual([]);

    await enable(manager.client, organisationId);
    await runJobs(service);
    expect(textOf(own)[1]?.split('\n\n').slice(0, 3)).toEqual([
      'Goedendag,',
      `De blokkering van uw organisatie “${name}” is opgeheven door “Jan de Vries” op (time). Haar gebruikers kunnen weer inloggen.`,
      'Hebt u vragen? Neem dan contact op met Hoster BV: help.hoster.example/contact',
    ]);
    const { body } = await admin.get(`/organisations/${organisationId}/notifications/crm`).expect(200);
    expect(body).toMatchObject({
      notifications: [
        { type: 'disabled', params: { reason: 'Factuur 117 is niet betaald' } },
        { type: 'enabled' },
      ],
    });
  });

  it('are told of a change of its state alone', async () => {
    const reseller = await makeOrganisation(service);
    const id = await makeOrganisation(service, { resellerId: reseller });
    await enable(admin, id);
    await suspend(admin, id);
    await suspend(admin, id, { reason: 'another' });
    await suspend(admin, reseller, { withSubOrganisations: true });
    await enable(admin, id);
    const types = async () => (await told(id)).map(({ type }) => type);
    // Its own suspension has ended; that of the reseller keeps it out, as it did before.
    expect(await types()).toEqual(['disabled']);
    await enable(admin, reseller);
    expect(await types()).toEqual(['disabled', 'enabled']);
  });
});

describe('contacts beneath a suspended organisation', () => {
  it('are told that theirs is, neither why nor by whom, unless it was so already', async () => {
    const reseller = await makeOrganisation(service);
    const held = await makeOrganisation(service, { resellerId: reseller });
    const free = await makeOrganisation(service, { resellerId: reseller });
    const beneath = await makeOrganisation(service, { parentId: free });
    await suspend(admin, held);
    await suspend(manager.client, reseller, { withSubOrganisations: true, reason: 'between us' });
    const all = [reseller, held, free, beneath];
    const quiet = { by: null, params: {} };
    expect((await told(...all)).slice(1)).toEqual([
      { organisation: reseller, type: 'disabled', by: manager.id, params: { reason: 'between us' } },
      { organisation: free, type: 'disabled', ...quiet },
      { organisation: beneath, type: 'disabled', ...quiet },
    ]);
    await enable(manager.client, reseller, { reason: 'paid' });
    expect((await told(...all)).slice(4)).toEqual([
      { organisation: reseller, type: 'enabled', by: manager.id, params: { reason: 'paid' } },
      { organisation: free, type: 'enabled', ...quiet },
      { organisation: beneath, type: 'enabled', ...quiet },
    ]);
  });

  it('are told whatever somebody there has posted before', async () => {
    const reseller = await makeOrganisation(service);
    const { organisationId, custadmin } = await makeCustomer(service, { resellerId: reseller });
    const post = (type: string) =>
      custadmin.client
        .post(`/organisations/${organisationId}/notifications`, { type, group: 'Crm' })
        .expect(201);
    const news = async () => (await told(organisationId)).filter(({ by }) => by === null);
    await post('disabled');
    await suspend(admin, reseller, { withSubOrganisations: true });
    expect((await news()).map(({ type }) => type)).toEqual(['disabled']);
    await enable(admin, reseller);
    await post('disabled');
    await enable(admin, reseller);
    expect((await news()).map(({ type }) => type)).toEqual(['disabled', 'enabled']);
  });

  it('are told nothing of what was over before it was their turn', async () => {
    const reseller = await makeOrganisation(service);
    const customer = await makeOrganisation(service, { resellerId: reseller });
    await suspend(admin, reseller, { withSubOrganisations: true });
    await enable(admin, reseller);
    expect(await told(customer)).toEqual([]);
  });

  it('are told once each where there are many, also when a job runs again', async () => {
    const reseller = await makeOrganisation(service);
    await service.sql`INSERT INTO organisations (name, tax_number, parent_id, reseller_id)
       SELECT 'Customer ' || n, 'NL' || n, 1, ${reseller} FROM generate_series(1, 230) n`;
    const customers = (
      await service.sql<{ id: number }>`SELECT id FROM organisations WHERE reseller_id = ${reseller}`
    ).map(({ id }) => id);
    await suspend(admin, reseller, { withSubOrganisations: true });
    // Taken twice, as by a process that died before it could say that it was done.
    await service.sql(
      `SELECT FROM ${JOB_TABLE} j
       CROSS JOIN LATERAL graphile_worker.add_job('suspensions.notifyBeneath', j.payload)
       WHERE j.payload ->> 'organisationId' = $1 AND j.payload ->> 'kind' = 'disabled'`,
      [String(reseller)],
    );
    const notifications = await told(...customers);
    expect(notifications).toHaveLength(230);
    expect(new Set(notifications.map(({ organisation }) => organisation)).size).toBe(230);
  });
});

describe('mails with a link into a suspended organisation', () => {
  const letAnHourPass = async () => {
    await makeOlder(service, 'mails', {}, '1 hour', ['waits_until']);
    await service.sql(`UPDATE ${JOB_TABLE} SET run_at = now() WHERE run_at > now()`);
  };

  it('wait until it is enabled, and open it then: invitations', async () => {
    const { organisationId } = await makeCustomer(service);
    const email = freshAddress();
    await suspend(admin, organisationId);
    await admin
      .post(`/organisations/${organisationId}/invitations`, { email, firstName: 'A', lastName: 'B' })
      .expect(201);
    await runJobs(service);
    await letAnHourPass();
    await runJobs(service);
    expect(mailServer.mailsTo(email)).toEqual([]);
    await enable(admin, organisationId);
    await letAnHourPass();
    await runJobs(service);
    expect(mailServer.mailsTo(email)).toHaveLength(1);
  });

  it('wait until it is enabled, unless their time is over then: recovery', async () => {
    const { organisationId, plain, custadmin } = await makeCustomer(service);
    // Written, and not sent when it is suspended.
    for (const { username } of [plain, custadmin]) {
      const link = { template: 'https://panel.example/reset/{token}', ttl: 3600 };
      await runJob(service, RecoveryMailHandler, { username, link });
    }
    await suspend(admin, organisationId);
    await runJobs(service);
    expect([...mailServer.mailsTo(plain.username), ...mailServer.mailsTo(custadmin.username)]).toEqual([]);
    await letExpire(service, 'mails', { address: custadmin.username });
    await enable(admin, organisationId);
    await letAnHourPass();
    await runJobs(service);
    expect(mailServer.mailsTo(plain.username)).toHaveLength(1);
    expect(mailServer.mailsTo(custadmin.username)).toEqual([]);
  });
});
