import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { VARIANTS } from '../../qa/variants';
import { makeCustomer } from '../support/factories/factories';
import { makeContact, makeTeam } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { letExpireIn, letTimePass, useOneHour } from '../support/service/time';

useOneHour();

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

const LIMIT = 4;
/** Of these, one is kept for news of accounts. */
const MOST = 3;
/** Of one giver a grantee is told twice a day that a grant begins, and of the ends. */
const TOLD = 4;

/** What a stranger would like to have mailed by the operator. */
const LURE = 'Your account is locked - call +31 6 1234 5678';

const WHERE_TO_LOOK = 'Het klantenpaneel toont welke organisaties de uwe toegang geven';

describe.each(VARIANTS)('mails about grants to manage, in Variant %s', (variant) => {
  const mailServer = useMailServer();
  const service = useService(variant, () => ({
    settings: { smtpUrl: mailServer.url, mailHourlyLimit: LIMIT },
  }));

  let giver: Customer;
  let agency: Customer;
  let path: string;
  beforeEach(async () => {
    mailServer.mails.length = 0;
    giver = await makeCustomer(service, { name: LURE });
    agency = await makeCustomer(service);
    path = `/organisations/${giver.organisationId}/grants`;
    const { organisationId } = agency;
    await makeContact(service, { organisationId, name: boss(), groups: ['System'] });
  });

  const boss = () => `boss@agency${agency.organisationId}.example`;
  const give = async (): Promise<number> => {
    const body = { organisation: agency.organisationId, access: 'manage' };
    const answer = await giver.custadmin.client.post(path, body).expect(201);
    return (answer.body as { grant: { id: number } }).grant.id;
  };
  const end = (id: number) => giver.custadmin.client.delete(`${path}/${id}`).expect(204);
  const budgets = () =>
    service.sql`SELECT organisation_id AS id, used FROM mail_budgets
      WHERE organisation_id IN (${giver.organisationId}, ${agency.organisationId})`;
  const nextHour = async (): Promise<void> => {
    await letTimePass(service, '1 hour');
    await service.sql(`UPDATE ${JOB_TABLE} SET run_at = now() WHERE attempts = 0`);
    await runJobs(service);
  };

  it('count on the budget of the giver, those to the grantee too, which keeps its own', async () => {
    for (let round = 0; round < 5; round++) await end(await give());
    await runJobs(service);
    expect(mailServer.mailsTo(boss())).toHaveLength(MOST);
    expect(await budgets()).toEqual([{ id: giver.organisationId, used: MOST }]);
    await agency.custadmin.client
      .post(`/organisations/${agency.organisationId}/invitations`, {
        email: 'new@agency.example',
        firstName: 'New',
        lastName: 'User',
      })
      .expect(201);
    await runJobs(service);
    expect(mailServer.mailsTo('new@agency.example')).toHaveLength(1);
    await nextHour();
    // The contact is told of the invitation too, on its own budget.
    const told = mailServer.mailsTo(boss()).filter(({ text }) => text.includes(WHERE_TO_LOOK));
    expect(told).toHaveLength(TOLD);
  });

  it('tell the grantee the id of the giver and where to look, until it has named a team', async () => {
    const news = async () => {
      mailServer.mails.length = 0;
      await nextHour();
      const mails = mailServer.mailsTo(boss());
      expect(mails).toHaveLength(1);
      const { headers, text, raw, html } = mails[0] as (typeof mails)[number];
      const answer = await agency.custadmin.client
        .get(`/organisations/${agency.organisationId}/notifications?limit=1`)
        .expect(200);
      return { text, whole: `${headers.get('subject')} ${text} ${html} ${raw} ${answer.text}` };
    };
    const expectNoName = async (): Promise<void> => {
      const { text, whole } = await news();
      expect(whole).not.toContain('locked');
      expect(text).toContain(`organisatie nr. ${giver.organisationId}`);
      expect(text).toContain(WHERE_TO_LOOK);
    };
    const change = (id: number, fields: object) =>
      giver.custadmin.client.put(`${path}/${id}`, fields).expect(204);
    const inDays = (days: number) => String(Math.floor(Date.now() / 1000) + days * 86_400);

    const first = await give();
    await expectNoName();
    await change(first, { expires: inDays(30) });
    await expectNoName();
    await service.sql`ALTER TABLE acls DISABLE TRIGGER acls_tell`;
    await letExpireIn(service, 'acls', { id: first }, '6 days');
    await service.sql`ALTER TABLE acls ENABLE TRIGGER acls_tell`;
    await service.sql`SELECT graphile_worker.add_job('grants.end', '{}')`;
    await expectNoName();
    await end(first);
    await expectNoName();

    await service.sql`UPDATE attempts SET resets_at = now()`;
    const second = await give();
    await expectNoName();
    const team = await makeTeam(service, agency.organisationId);
    const use = `/organisations/${agency.organisationId}/grants/${second}/teams/${team}`;
    await agency.custadmin.client.put(use).expect(204);
    await agency.custadmin.client.delete(use).expect(204);
    await change(second, { expires: inDays(20) });
    expect((await news()).whole).toContain(LURE);
    await end(second);
    expect((await news()).whole).toContain(LURE);
  });
});
