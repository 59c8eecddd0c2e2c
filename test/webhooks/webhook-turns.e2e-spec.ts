import { Webhook } from 'standardwebhooks';
import { Transactions } from '@app/platform/database/transactions';
import { type MadeUser, makeCustomer, makeUser } from '../support/factories/factories';
import { deliverWebhooks, localReceivers } from '../support/factories/webhooks-factories';
import { type Receiver, useReceivers } from '../support/faults/receiver';
import { useService } from '../support/service/service';

/** A name server: the first answer that is left, and the last one for ever. */
const names = {
  answers: [] as (readonly string[])[],
  addressesOf: () => {
    const [answer = []] = names.answers.length > 1 ? names.answers.splice(0, 1) : names.answers;
    return Promise.resolve([...answer]);
  },
};

const service = useService('A', {
  overrides: [localReceivers(names)],
});

const startOne = useReceivers();
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startOne();
});
let custadmin: MadeUser;
let organisationId: number;
beforeEach(async () => {
  ({ custadmin, organisationId } = await makeCustomer(service));
  await deliverWebhooks(service);
});

/** Gives the secret. */
async function listen(url: string): Promise<string> {
  const { body } = await custadmin.client
    .post(`/organisations/${organisationId}/webhooks`, { url, events: ['users.created'] })
    .expect(201);
  return (body as { webhook: { secret: string } }).webhook.secret;
}

/** Makes events, and sends all that they cause. */
async function tell(events: number): Promise<void> {
  for (let made = 0; made < events; made++) await makeUser(service, { organisationId });
  await deliverWebhooks(service);
}

interface Outcome {
  readonly tries: number;
  readonly status: number;
  readonly error: string;
}

const outcomes = (): Promise<Outcome[]> =>
  service.sql<Outcome>(
    `SELECT d.tries, d.status, d.error FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
     WHERE w.organisation_id = $1 ORDER BY d.id`,
    [organisationId],
  );

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

const idsOf = (messages: Receiver['messages']): number[] =>
  messages.map(({ body }) => Number(body.data['id']));

describe('the connection to a receiver', () => {
  it('carries all messages of a turn', async () => {
    await listen(receiver.url);
    receiver.answer = { status: 200, text: 'Thanks' };
    await tell(5);
    expect(receiver.messages).toHaveLength(5);
    expect(receiver.connections).toBe(1);
  });

  it('carries no message to an address that the name of the receiver no longer has', async () => {
    await listen(receiver.url.replace('127.0.0.1', 'receiver.example'));
    names.answers = [['127.0.0.1'], ['127.0.0.1'], ['127.0.0.2'], ['10.0.0.1']];
    await tell(4);
    expect(receiver.messages).toHaveLength(2);
    expect(await outcomes()).toEqual([
      ...times(2, { tries: 1, status: 204, error: '' }),
      { tries: 1, status: 0, error: 'The connection failed: ECONNREFUSED' },
      { tries: 1, status: 0, error: 'The host has no address that webhooks may use' },
    ]);
  });

  it('is replaced if the receiver closes it, without a failure', async () => {
    await listen(receiver.url);
    receiver.maxOnConnection = 2;
    await tell(5);
    expect(receiver.messages).toHaveLength(5);
    expect(receiver.connections).toBe(3);
    expect(await outcomes()).toEqual(times(5, { tries: 1, status: 204, error: '' }));
  });

  it('is replaced if an answer does not end, or is long', async () => {
    await listen(receiver.url);
    receiver.answer = { status: 200, text: 'x', isEndless: true };
    await tell(3);
    receiver.answer = { status: 200, text: 'x'.repeat(1_000_000) };
    await tell(3);
    expect(receiver.messages).toHaveLength(6);
    expect(receiver.connections).toBe(6);
    expect(await outcomes()).toEqual(times(6, { tries: 1, status: 200, error: '' }));
  });
});

describe('deliveries to many webhooks', () => {
  const WEBHOOKS = 20;
  const EVENTS = 6;

  it('are recorded together, each with its own outcome, on few connections of the database', async () => {
    const secrets: string[] = [];
    for (let made = 0; made < WEBHOOKS; made++) secrets.push(await listen(`${receiver.url}/${made}`));
    for (let made = 0; made < EVENTS; made++) await makeUser(service, { organisationId });
    const load = watchTransactions();
    try {
      await deliverWebhooks(service);
    } finally {
      load.stop();
    }
    for (const [index, secret] of secrets.entries()) {
      const own = receiver.messages.filter(({ path }) => path === `/hook/${index}`);
      expect(own).toHaveLength(EVENTS);
      expect(idsOf(own)).toEqual([...idsOf(own)].sort((one, other) => one - other));
      for (const { text, headers } of own)
        new Webhook(secret).verify(text, headers as Record<string, string>);
    }
    expect(await outcomes()).toEqual(times(WEBHOOKS * EVENTS, { tries: 1, status: 204, error: '' }));
    // One for the messages, one for the ends of turns, and one that takes turns.
    expect(load.mostAtOnce).toBeLessThanOrEqual(3);
    expect(load.count).toBeLessThan(WEBHOOKS * EVENTS);
  });
});

function watchTransactions() {
  const transactions = service.app.get(Transactions);
  const run = transactions.run.bind(transactions);
  const load = { count: 0, atOnce: 0, mostAtOnce: 0, stop: () => watched.mockRestore() };
  const watched = jest.spyOn(transactions, 'run').mockImplementation(async (ctx, work, use) => {
    load.count += 1;
    load.atOnce += 1;
    load.mostAtOnce = Math.max(load.mostAtOnce, load.atOnce);
    try {
      return await run(ctx, work, use);
    } finally {
      load.atOnce -= 1;
    }
  });
  return load;
}
