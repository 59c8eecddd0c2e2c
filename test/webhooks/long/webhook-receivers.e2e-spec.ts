import { type MadeUser, makeCustomer, makeUser } from '../../support/factories/factories';
import { localReceivers } from '../../support/factories/webhooks-factories';
import { type Receiver, useReceivers } from '../../support/faults/receiver';
import { useMailServer } from '../../support/faults/smtp';
import { SHARED_VARIANTS } from '../../support/generators/sampled';
import { useService } from '../../support/service/service';
import { until } from '../../support/service/until';

/** Far less than the 10 seconds that a receiver has for its answer. */
const SOON = 6;

const startOne = useReceivers();
const mailServer = useMailServer();

describe.each(SHARED_VARIANTS)('a receiver of webhooks that hangs, in Variant %s,', (variant) => {
  const service = useService(variant, () => ({
    settings: { worker: true, smtpUrl: mailServer.url },
    overrides: [localReceivers()],
  }));

  const listen = async ({ client }: MadeUser, organisationId: number, { url }: Receiver): Promise<number> => {
    const response = await client
      .post(`/organisations/${organisationId}/webhooks`, { url, events: ['users.created'] })
      .expect(201);
    return (response.body as { webhook: { id: number } }).webhook.id;
  };

  const lastOf = async (id: number) => {
    const [row] = await service.sql<{ tries: number; error: string; duration: number }>`
      SELECT tries, error, duration FROM webhook_deliveries WHERE webhook_id = ${id} ORDER BY id DESC LIMIT 1`;
    return row;
  };

  it('delays no other and no mail', async () => {
    const one = await makeCustomer(service);
    const other = await makeCustomer(service);
    const hanging = await startOne('hang');
    const ids: number[] = [];
    for (let made = 0; made < 10; made++) ids.push(await listen(one.custadmin, one.organisationId, hanging));
    const well = await startOne();
    await listen(other.custadmin, other.organisationId, well);
    await makeUser(service, { organisationId: one.organisationId });
    await until(() => hanging.messages.length >= 4, SOON);
    await makeUser(service, { organisationId: other.organisationId });
    await one.custadmin.client
      .post(`/organisations/${one.organisationId}/invitations`, {
        email: `held-${variant}@example.nl`,
        firstName: 'A',
        lastName: 'B',
      })
      .expect(201);
    await until(() => well.messages.length === 1, SOON);
    await until(() => mailServer.mails.some(({ to }) => to[0] === `held-${variant}@example.nl`), SOON);
    // New ones are tried at once: none has shown that it hangs.
    expect(hanging.messages).toHaveLength(10);
    await until(async () => (await lastOf(ids[0] ?? 0))?.tries === 1);
    const tried = await lastOf(ids[0] ?? 0);
    expect(tried).toMatchObject({ tries: 1, error: 'No answer within 10 seconds' });
    expect(tried?.duration).toBeGreaterThan(9500);
    expect(tried?.duration).toBeLessThan(12_000);
  });

  it('within its answer fails by its status, after 4 kB or 10 seconds', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const endless = await startOne({ status: 500, text: 'x'.repeat(5000), isEndless: true });
    const id = await listen(custadmin, organisationId, endless);
    await makeUser(service, { organisationId });
    await until(async () => (await lastOf(id))?.tries === 1, SOON);
    expect(await lastOf(id)).toMatchObject({ error: `Answer 500: ${'x'.repeat(200)}` });
  });

  it('after it has switched protocols fails at once', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket' };
    const switching = await startOne({ status: 101, headers });
    const id = await listen(custadmin, organisationId, switching);
    await makeUser(service, { organisationId });
    await until(async () => (await lastOf(id))?.tries === 1, SOON);
    expect(await lastOf(id)).toMatchObject({ error: 'The connection failed: no answer' });
  });
});
