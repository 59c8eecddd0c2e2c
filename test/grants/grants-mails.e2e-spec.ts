import { makeCustomer } from '../support/factories/factories';
import { makeContact, makeTeam } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

/** What a stranger would like to have mailed by the operator. */
const LURE = 'Your account is locked - call +31 6 1234 5678';

const WHERE_TO_LOOK = 'Het klantenpaneel toont welke organisaties de uwe toegang geven';

describe.each(SHARED_VARIANTS)('POST …/grants: mails about grants to manage, in Variant %s', (variant) => {
  const mailServer = useMailServer();
  const service = useService(variant, () => ({ settings: { smtpUrl: mailServer.url } }));

  let grantor: Customer;
  let agency: Customer;
  let path: string;
  beforeEach(async () => {
    mailServer.mails.length = 0;
    grantor = await makeCustomer(service, { name: LURE });
    agency = await makeCustomer(service);
    path = `/organisations/${grantor.organisationId}/grants`;
    const { organisationId } = agency;
    await makeContact(service, { organisationId, name: boss(), groups: ['System'] });
  });

  const boss = () => `boss@agency${agency.organisationId}.example`;
  const give = async (): Promise<number> => {
    const body = { organisation: agency.organisationId, access: 'manage' };
    const answer = await grantor.custadmin.client.post(path, body).expect(201);
    return (answer.body as { grant: { id: number } }).grant.id;
  };
  const end = (id: number) => grantor.custadmin.client.delete(`${path}/${id}`).expect(204);
  it('tell the grantee the id of the grantor and where to look, until it has named a team', async () => {
    const news = async () => {
      mailServer.mails.length = 0;
      await runJobs(service);
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
      expect(text).toContain(`organisatie nr. ${grantor.organisationId}`);
      expect(text).toContain(WHERE_TO_LOOK);
    };
    const change = (id: number, fields: object) =>
      grantor.custadmin.client.put(`${path}/${id}`, fields).expect(204);

    const first = await give();
    await expectNoName();
    await end(first);
    await expectNoName();

    const second = await give();
    await expectNoName();
    const team = await makeTeam(service, agency.organisationId);
    const use = `/organisations/${agency.organisationId}/grants/${second}/teams/${team}`;
    await agency.custadmin.client.put(use).expect(204);
    await agency.custadmin.client.delete(use).expect(204);
    for (const access of ['read', 'manage']) {
      await change(second, { access });
      expect((await news()).whole).toContain(LURE);
    }
    await end(second);
    expect((await news()).whole).toContain(LURE);
  });
});
