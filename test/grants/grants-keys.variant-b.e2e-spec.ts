import { makeCustomer } from '../support/factories/factories';
import { makeApiKey, makeServiceKey } from '../support/factories/key-factories';
import { makeContact } from '../support/factories/records';
import { useMailServer } from '../support/faults/smtp';
import type { ApiClient } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';

const mailServer = useMailServer();
const service = useService('B', () => ({ settings: { smtpUrl: mailServer.url } }));

it('a grant that begins by acls is mailed to the System contacts of the grantor, once', async () => {
  const grantor = await makeCustomer(service);
  const path = `/organisations/${grantor.organisationId}/acls`;
  await makeContact(service, {
    organisationId: grantor.organisationId,
    name: 'alarm@grantor.example',
    groups: ['System'],
  });
  const mails = async (): Promise<number> => {
    await runJobs(service);
    return mailServer.mails.splice(0).length;
  };
  const give = async (client: ApiClient): Promise<void> => {
    const { organisationId: organisation } = await makeCustomer(service);
    await makeContact(service, {
      organisationId: organisation,
      name: 'alarm@agency.example',
      groups: ['System'],
    });
    for (let again = 0; again < 2; again++) await client.post(path, { organisation }).expect(201);
  };
  await give(grantor.custadmin.client);
  expect(await mails()).toBe(1);
  const { client } = await makeApiKey(service, grantor.custadmin.id);
  await give(client);
  await runJobs(service);
  expect(mailServer.mails.map(({ to }) => to)).toEqual([['alarm@grantor.example']]);
  expect(mailServer.mails[0]?.headers.get('subject')).toBe('Een andere organisatie kan uw gegevens lezen');
  mailServer.mails.length = 0;
  await give((await makeServiceKey(service, grantor.organisationId, { operations: ['acls.create'] })).client);
  expect(await mails()).toBe(1);
});
