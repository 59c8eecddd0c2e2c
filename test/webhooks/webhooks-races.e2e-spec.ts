import { DeliveryBatches } from '@app/feeds/webhooks/delivery-batches';
import { makeCustomer, makeOrganisation } from '../support/factories/factories';
import { makeWebhook } from '../support/factories/webhooks-factories';
import { transactionBeside, untilItWaits } from '../support/faults/locks';
import { asAdmin } from '../support/service/client';
import { useService } from '../support/service/service';

const service = useService('A');

const LOCK = 'SELECT FROM webhooks WHERE id = $1 FOR UPDATE';
const ADD = `INSERT INTO webhook_deliveries (webhook_id, message_id, event, body)
  VALUES ($1, gen_random_uuid(), 'users.created', '{}')`;

/** A webhook whose turn has sent all that was due. */
async function makeTried(): Promise<number> {
  const { organisationId } = await makeCustomer(service);
  const { webhookId } = await makeWebhook(service, organisationId);
  await service.sql`UPDATE webhooks SET next_due_at = now() WHERE id = ${webhookId}`;
  return webhookId;
}

const endTurn = (webhookId: number): Promise<void> => service.app.get(DeliveryBatches).end(webhookId);

describe('a webhook whose turn ends', () => {
  it.each([
    ['is added before, and committed', [ADD], []],
    ['is added by who has locked the webhook before', [LOCK], [ADD]],
  ])('is due for a delivery that %s meanwhile', async (_, before, meanwhile) => {
    const webhookId = await makeTried();
    await using other = await transactionBeside(service);
    for (const statement of before) await other.query(statement, [webhookId]);
    const ended = endTurn(webhookId);
    await untilItWaits(other, ended);
    for (const statement of meanwhile) await other.query(statement, [webhookId]);
    await other.query('COMMIT');
    await ended;
    expect(
      await service.sql`SELECT w.next_due_at = d.next_try_at AS "isDue"
        FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id
        WHERE w.id = ${webhookId} AND d.next_try_at IS NOT NULL`,
    ).toEqual([{ isDue: true }]);
  });

  it('is due no more where nothing waits', async () => {
    const webhookId = await makeTried();
    await endTurn(webhookId);
    expect(await service.sql`SELECT next_due_at AS due FROM webhooks WHERE id = ${webhookId}`).toEqual([
      { due: null },
    ]);
  });
});

describe('a webhook whose organisation moves to another customer when it is made', () => {
  const ADD_WEBHOOK = `INSERT INTO webhooks (organisation_id, url, events, encrypted_secret, made_after)
    VALUES ($1, 'https://receiver.example/', '{*}', 'encrypted', 0)`;
  const LOCK_OWNER = 'SELECT FROM organisations WHERE id = $1 FOR SHARE';
  const MOVE = 'UPDATE organisations SET reseller_id = $2 WHERE id = $1';
  const FIELDS = { name: 'Moved', taxNumber: 'T' };

  const moving = async () => {
    const [from, to] = [await makeOrganisation(service), await makeOrganisation(service)];
    return { id: await makeOrganisation(service, { resellerId: from }), to };
  };
  const customersOf = (organisationId: number) =>
    service.sql`SELECT customer_id AS customer FROM webhooks WHERE organisation_id = ${organisationId}`;

  it('counts for that customer if the move was first', async () => {
    const { id, to } = await moving();
    const admin = await asAdmin(service);
    await using other = await transactionBeside(service);
    await other.query(MOVE, [id, to]);
    const made = admin
      .post(`/organisations/${id}/webhooks`, { url: 'https://receiver.example/', events: ['*'] })
      .then(({ status }) => status);
    await untilItWaits(other, made);
    await other.query('COMMIT');
    expect(await made).toBe(201);
    expect(await customersOf(id)).toEqual([{ customer: to }]);
  });

  it('counts for that customer if it was made first', async () => {
    const { id, to } = await moving();
    const admin = await asAdmin(service);
    await using other = await transactionBeside(service);
    await other.query(LOCK_OWNER, [id]);
    await other.query(ADD_WEBHOOK, [id]);
    const moved = admin
      .put(`/organisations/${id}`, { ...FIELDS, resellerOrganisation: to })
      .then(({ status }) => status);
    await untilItWaits(other, moved);
    await other.query('COMMIT');
    expect(await moved).toBe(204);
    expect(await customersOf(id)).toEqual([{ customer: to }]);
  });
});
