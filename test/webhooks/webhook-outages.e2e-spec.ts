import { makeCustomer, makeUser } from '../support/factories/factories';
import { deliverWebhooks, localReceivers } from '../support/factories/webhooks-factories';
import { type Receiver, startReceiver } from '../support/faults/receiver';
import { useService } from '../support/service/service';
import { makeOlder } from '../support/service/time';

/** rule events 34: seconds until the next try, after each failed one. */
const SCHEDULE = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const HOUR = 3600;
/** Seconds between two changes. They meet no try of another message. */
const PACE = 211;
const CHANGES = 25;

/** Seconds from the change to each of its tries. */
const TRIES = SCHEDULE.reduce<readonly number[]>(
  (tries, pause) => [...tries, (tries.at(-1) ?? 0) + pause],
  [0],
);

/** When a change arrives that happens then: at its first try after the outage. */
const arrivalOf = (change: number): number =>
  change + (TRIES.find((after) => change + after >= HOUR) ?? Infinity);

describe('a receiver that is down for an hour', () => {
  const service = useService('A', { overrides: [localReceivers()] });
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.stop());

  const deliver = async (): Promise<void> => {
    await deliverWebhooks(service);
  };

  const pass = async (seconds: number): Promise<void> => {
    for (const table of ['webhook_deliveries', 'webhooks'])
      await makeOlder(service, table, {}, `${seconds} seconds`);
  };

  const secondsToNextTry = async (): Promise<number> => {
    const [row] = await service.sql<{ seconds: number | null }>`
      SELECT ceil(extract(epoch FROM min(next_try_at) - now()))::integer AS seconds FROM webhook_deliveries`;
    return row?.seconds ?? Infinity;
  };

  it('gets each change at the next try of its message, the same message, and is not switched off', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { id, username } = await makeUser(service, { organisationId });
    await deliver();
    const hooks = `/organisations/${organisationId}/webhooks`;
    const { body } = await custadmin.client.post(hooks, { url: receiver.url, events: ['*'] }).expect(201);
    const path = `${hooks}/${(body as { webhook: { id: number } }).webhook.id}`;
    const isEnabled = async (): Promise<boolean> =>
      ((await custadmin.client.get(path).expect(200)).body as { webhook: { enabled: boolean } }).webhook
        .enabled;
    receiver.answer = { status: 503 };
    const times: number[] = [];
    let now = 0;
    let triedBefore = 0;
    let mostTries = 0;
    for (;;) {
      const nextChange = times.length < CHANGES ? times.length * PACE : Infinity;
      const next = Math.min(nextChange, now + (await secondsToNextTry()), now < HOUR ? HOUR : Infinity);
      if (next === Infinity) break;
      if (next > now) await pass(next - now);
      now = next;
      if (now >= HOUR && typeof receiver.answer === 'object' && receiver.answer.status === 503) {
        mostTries = receiver.messages.length;
        triedBefore = new Set(receiver.messages.map(({ body: { data } }) => data['id'])).size;
        expect(await isEnabled()).toBe(true);
        receiver.messages.length = 0;
        receiver.answer = { status: 204 };
      }
      if (now === nextChange) {
        await custadmin.client
          .patch(`/organisations/${organisationId}/users/${id}`, {
            username,
            firstName: `Name ${now}`,
            lastName: 'Last',
          })
          .expect(204);
        times.push(now);
      }
      await deliver();
    }
    const { body: feed } = await custadmin.client
      .get(`/organisations/${organisationId}/events?limit=${CHANGES}&after=${await lastBefore()}`)
      .expect(200);
    const events = (feed as { events: { data: { id: number } }[] }).events.map(({ data }) => data.id);
    const expected = events
      .map((event, index) => ({ event, at: arrivalOf(times[index] ?? 0) }))
      .sort((one, other) => one.at - other.at)
      .map(({ event }) => event);
    expect(expected).toHaveLength(CHANGES);
    expect(receiver.messages.map(({ body: { data } }) => data['id'])).toEqual(expected);
    expect(new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(CHANGES);
    // More failed tries than ten, of all changes of that hour.
    expect(mostTries).toBeGreaterThan(40);
    expect(triedBefore).toBe(Math.ceil(HOUR / PACE));
    expect(await isEnabled()).toBe(true);

    async function lastBefore(): Promise<number> {
      const [row] = await service.sql<{
        id: number;
      }>`SELECT made_after AS id FROM webhooks WHERE organisation_id = ${organisationId}`;
      return row?.id ?? 0;
    }
  });
});
