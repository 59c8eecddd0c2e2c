import { VARIANTS } from '../../qa/variants';
import { makeCustomer, makeOrganisation, makeUser } from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import { atOnce } from '../support/service/at-once';
import { type ApiClient, asAdmin } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { useOneHour } from '../support/service/time';

useOneHour();

type Customer = Awaited<ReturnType<typeof makeCustomer>>;

/** Grants of a giver that begin to manage, or manage for longer, in an hour. */
const MOST_OF_GIVER = 30;
/** Grants that a customer gives or prolongs in an hour. */
const MOST_OF_CUSTOMER = 60;

const LAST = 'Over verdere toegang van deze organisatie krijgt u pas weer bericht vanaf';

const mailServer = useMailServer();

describe.each(VARIANTS)('grants of a stranger, in Variant %s,', (variant) => {
  const service = useService(variant, () => ({ settings: { smtpUrl: mailServer.url } }));

  let giver: Customer;
  let agency: Customer;
  let boss: string;
  beforeEach(async () => {
    giver = await makeCustomer(service);
    agency = await makeCustomer(service);
    boss = `boss@agency${agency.organisationId}.example`;
    await makeContact(service, { organisationId: agency.organisationId, name: boss, groups: ['System'] });
    mailServer.mails.length = 0;
  });

  interface Given {
    readonly id: number;
    readonly path: string;
  }
  const pathOf = (organisationId: number) => `/organisations/${organisationId}/grants`;
  const post = (access: string, organisationId = giver.organisationId, client = giver.custadmin.client) =>
    client.post(pathOf(organisationId), { organisation: agency.organisationId, access });
  const give = async (
    access: string,
    organisationId = giver.organisationId,
    client?: ApiClient,
  ): Promise<Given> => {
    const { body } = await post(access, organisationId, client).expect(201);
    const { id } = (body as { grant: { id: number } }).grant;
    return { id, path: `${pathOf(organisationId)}/${id}` };
  };
  const change = ({ path }: Given, fields: object) => giver.custadmin.client.put(path, fields);
  const end = ({ path }: Given) => giver.custadmin.client.delete(path).expect(204);
  const inDays = (days: number) => String(Math.floor(Date.now() / 1000) + days * 86_400);
  const assertRefused = async (call: ReturnType<ApiClient['post']>): Promise<void> => {
    const { body, headers } = await call.expect(429);
    expect(body).toMatchObject({ code: 429, reason: 'TOO_MANY_ATTEMPTS' });
    const wait = Number((headers as Record<string, string>)['retry-after']);
    expect(wait).toBeGreaterThan(3400);
    expect(wait).toBeLessThanOrEqual(3600);
  };
  const aDayLater = () => service.sql`UPDATE attempts SET resets_at = now()`;

  /** The kinds of the notifications of an organisation about grants, oldest first. */
  const toldTo = async ({ organisationId }: Customer): Promise<string[]> => {
    await runJobs(service);
    const rows = await service.sql<{ type: string }>`SELECT type FROM notifications
      WHERE organisation_id = ${organisationId} AND entity_class = 'Grant' ORDER BY id`;
    return rows.map(({ type }) => type);
  };
  const mailsSayingLast = () =>
    mailServer.mailsTo(boss).flatMap(({ text }, index) => (text.includes(LAST) ? [index + 1] : []));

  describe('are told to the grantee twice a day, and their ends:', () => {
    it('given and ended again and again', async () => {
      for (let round = 0; round < 5; round++) {
        await end(await give('manage'));
        await runJobs(service);
      }
      expect(await toldTo(agency)).toEqual([
        'received_begun',
        'received_ended',
        'received_begun',
        'received_ended',
      ]);
      expect(mailServer.mailsTo(boss)).toHaveLength(4);
      expect(mailsSayingLast()).toEqual([3]);
      expect(await toldTo(giver)).toHaveLength(10);
    });

    it('changed again and again', async () => {
      const grant = await give('manage');
      for (let days = 30; days < 40; days++) await change(grant, { expires: inDays(60 - days) }).expect(204);
      expect(await toldTo(agency)).toEqual(['received_begun', 'received_changed']);
      expect(mailServer.mailsTo(boss)).toHaveLength(2);
      expect(mailsSayingLast()).toHaveLength(1);
      await end(grant);
      expect(await toldTo(agency)).toEqual(['received_begun', 'received_changed', 'received_ended']);
    });

    it('raised and lowered, each pair by itself, and anew the next day', async () => {
      const grant = await give('read');
      for (let round = 0; round < 4; round++) {
        await change(grant, { access: 'manage' }).expect(204);
        await change(grant, { access: 'read' }).expect(204);
      }
      expect(await toldTo(agency)).toHaveLength(4);
      const other = await makeCustomer(service);
      await give('manage', other.organisationId, other.custadmin.client);
      expect(await toldTo(agency)).toHaveLength(5);
      // The grant that begins untold is told of when it changes on another day, and so is its end.
      await change(grant, { access: 'manage' }).expect(204);
      expect(await toldTo(agency)).toHaveLength(5);
      await aDayLater();
      await change(grant, { expires: inDays(20) }).expect(204);
      await end(grant);
      expect((await toldTo(agency)).slice(5)).toEqual(['received_changed', 'received_ended']);
    });

    it('16 at once of them too', async () => {
      const grant = await give('manage');
      await atOnce(16, (index) => change(grant, { expires: inDays(10 + index) }));
      await Promise.all([runJobs(service), runJobs(service)]);
      expect((await toldTo(agency)).sort()).toEqual(['received_begun', 'received_changed']);
    });
  });

  it(`manage for longer ${MOST_OF_GIVER} times in an hour, with those that begin`, async () => {
    const grant = await give('manage');
    await change(grant, { expires: inDays(1) }).expect(204);
    for (let days = 2; days <= MOST_OF_GIVER; days++)
      await change(grant, { expires: inDays(days) }).expect(204);
    await assertRefused(change(grant, { expires: inDays(100) }));
    await assertRefused(change(grant, { expires: '' }));
    // What is shortened or refused counts for nothing.
    await change(grant, { expires: inDays(5) }).expect(204);
    await change(grant, { expires: '1' }).expect(400);
    await change(grant, { access: 'read' }).expect(204);
  });

  describe(`are ${MOST_OF_CUSTOMER} in an hour by one customer, whatever organisations give them:`, () => {
    const beneath = () => makeOrganisation(service, { resellerId: giver.organisationId });
    const fill = async (amount: number): Promise<void> => {
      const again = await beneath();
      for (let given = 0; given < amount; given++) {
        if (given % 2 === 0) await end(await give('read', again));
        else await give('manage', await beneath());
      }
    };

    it('further ones are refused to all of them, not to admins, and all else goes on', async () => {
      const reading = await give('read');
      await fill(MOST_OF_CUSTOMER - 2);
      await change(reading, { expires: inDays(1) }).expect(204);
      await post('write').expect(400);
      await change(reading, { expires: inDays(2) }).expect(204);
      const another = await beneath();
      const colleague = await makeUser(service, {
        organisationId: giver.organisationId,
        roles: ['ROLE_CUSTADMIN'],
      });
      for (const access of ['read', 'manage']) {
        await assertRefused(post(access, another));
        await assertRefused(post(access, another, colleague.client));
      }
      await assertRefused(change(reading, { expires: inDays(3) }));
      await assertRefused(change(reading, { access: 'manage' }));
      await change(reading, { expires: inDays(1) }).expect(204);
      await end(reading);
      if ((variant as string) === 'B') {
        const acls = `/organisations/${another}/acls`;
        await assertRefused(giver.custadmin.client.post(acls, { organisation: agency.organisationId }));
      }
      await give('manage', another, await asAdmin(service));
      const stranger = await makeCustomer(service);
      await give('read', stranger.organisationId, stranger.custadmin.client);
    });

    it('16 at once get what is left', async () => {
      await fill(MOST_OF_CUSTOMER - 4);
      const organisations = await atOnce(16, beneath);
      const answers = await Promise.all(organisations.map((organisation) => post('read', organisation)));
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array<number>(4).fill(201),
        ...Array<number>(12).fill(429),
      ]);
    });

    if ((variant as string) === 'B')
      it('those of acls count too, but not one that is there already', async () => {
        const acls = (organisationId: number) =>
          giver.custadmin.client.post(`/organisations/${organisationId}/acls`, {
            organisation: agency.organisationId,
          });
        await fill(MOST_OF_CUSTOMER - 2);
        for (let time = 0; time < 3; time++) await acls(giver.organisationId).expect(201);
        await acls(await beneath()).expect(201);
        await assertRefused(acls(await beneath()));
      });
  });
});
