import { Webhook } from 'standardwebhooks';
import { EventSweep } from '@app/feeds/webhooks/event-sweep';
import { NameLookup } from '@app/feeds/webhooks/receiver-addresses';
import { Transactions } from '@app/platform/database/transactions';
import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { deliveryRecord, eventRecord } from '../../qa/responses';
import { makeCustomer, makeOrganisation, makeUser, nextNumber } from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { suspend } from '../support/factories/suspensions-factories';
import { deliverWebhooks, localReceivers } from '../support/factories/webhooks-factories';
import { transactionBeside } from '../support/faults/locks';
import { type Receiver, useReceivers } from '../support/faults/receiver';
import { type ApiClient, asAdmin } from '../support/service/client';
import { runJob, runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { makeOlder } from '../support/service/time';
import { until } from '../support/service/until';

/** rule events 34: seconds until the next try, after each failed one. */
const SCHEDULE = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const DAY = 86_400;

interface Webhooked {
  readonly id: number;
  readonly url: string;
  readonly events: string[];
  readonly beneath: boolean;
  readonly enabled: boolean;
  readonly dtCreated: string;
  readonly lastError: string;
}

interface Delivery {
  readonly id: number;
  readonly event: string;
  readonly tries: number;
  readonly status: number;
  readonly error: string;
  readonly duration: number;
  readonly dtNextTry: string;
}

/** A name server whose answer tests choose. */
const names = {
  answer: [] as readonly string[],
  addressesOf: () => Promise.resolve([...names.answer]),
};

const service = useService('A', {
  settings: { trustedProxies: ['127.0.0.1'] },
  overrides: [localReceivers(names)],
});
let admin: ApiClient;
beforeAll(async () => {
  admin = await asAdmin(service);
});
const startOne = useReceivers();
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startOne();
});

const hooksOf = (organisationId: number): string => `/organisations/${organisationId}/webhooks`;

const post = (client: ApiClient, organisationId: number, fields: object = {}) =>
  client.post(hooksOf(organisationId), { url: receiver.url, events: ['*'], ...fields });

async function create(client: ApiClient, organisationId: number, fields: object = {}) {
  const { body } = await post(client, organisationId, fields).expect(201);
  const { webhook } = body as { webhook: Webhooked & { secret: string } };
  return { ...webhook, path: `${hooksOf(organisationId)}/${webhook.id}` };
}

const read = async (client: ApiClient, path: string): Promise<Webhooked> =>
  ((await client.get(path).expect(200)).body as { webhook: Webhooked }).webhook;

const deliveriesOf = async (client: ApiClient, path: string): Promise<Delivery[]> =>
  (
    (await client.get(`${path}/deliveries?orderBy=id&limit=0`).expect(200)).body as {
      deliveries: Delivery[];
    }
  ).deliveries;

const reasonsOf = (body: unknown): Record<string, string[]> =>
  (body as { reasons: Record<string, string[]> }).reasons;

/** What a worker does in a second, and all that is due by then. */
async function deliver(): Promise<void> {
  await deliverWebhooks(service);
  await runJobs(service);
}

/** Lets time pass for the deliveries and webhooks. */
async function pass(seconds: number): Promise<void> {
  for (const table of ['webhook_deliveries', 'webhooks'])
    await makeOlder(service, table, {}, `${seconds} seconds`);
}

/** An event: `users.updated`. */
const touch = (client: ApiClient, organisationId: number, user: { id: number; username: string }) =>
  client
    .patch(`/organisations/${organisationId}/users/${user.id}`, {
      username: user.username,
      firstName: `Name ${nextNumber()}`,
      lastName: 'Last',
    })
    .expect(204);

const typesAt = (at: Receiver): string[] => at.messages.map(({ body }) => body.type);

describe('POST and PUT …/webhooks: a webhook', () => {
  it.each(['https://[::ffff:8.8.8.8]/', 'https://0x0a000001/', 'http://8.8.8.8/'])(
    'refuses %s',
    async (url) => {
      const { body } = await post(admin, 1, { url }).expect(400);
      expect(reasonsOf(body)).toEqual({ url: ['ADDRESS_NOT_PUBLIC'] });
    },
  );

  it.each([
    ['https://EXAMPLE.com', 'https://example.com/'],
    ['HTTPS://example.com:443/Hooks?Of=7', 'https://example.com/Hooks?Of=7'],
    ['https://example.com:8443/a/../b/./c', 'https://example.com:8443/b/c'],
    ['https:example.com/x', 'https://example.com/x'],
    ['https://münchen.example/grüße', 'https://xn--mnchen-3ya.example/gr%C3%BC%C3%9Fe'],
    ['https://0x08080808/x', 'https://8.8.8.8/x'],
    ['https://example.com/x?q="a"', 'https://example.com/x?q=%22a%22'],
    ['https://@example.com/x', 'https://example.com/x'],
  ])('is stored and answered as the URL standard writes it: %s', async (url, written) => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const made = await create(custadmin.client, organisationId, { url });
    expect(made.url).toBe(written);
    expect(await read(custadmin.client, made.path)).toMatchObject({ url: written });
    const { path } = await create(custadmin.client, organisationId);
    await custadmin.client.put(path, { url, events: ['*'] }).expect(204);
    expect(await read(custadmin.client, path)).toMatchObject({ url: written });
  });

  it.each([
    ['https://example.com\\@127.0.0.1/', 'INVALID_URL'],
    ['https://example.com/a\\b', 'INVALID_URL'],
    ['https:\\\\example.com/', 'INVALID_URL'],
    ['https://example.com/?q=\\', 'INVALID_URL'],
    ['https://jan:secret@example.com/', 'INVALID_URL'],
    ['https://jan@example.com/', 'INVALID_URL'],
    ['https://example.com/x#part', 'INVALID_URL'],
    ['https://example.com/x#', 'INVALID_URL'],
    ['https://exa mple.com/', 'INVALID_URL'],
    ['https://xn--a.example/', 'INVALID_URL'],
    ['https:///', 'INVALID_URL'],
  ])('refuses %s', async (url, reason) => {
    await expectRefused(url, reason);
  });

  it('refuses a URL that is too long in that form', async () => {
    // Three bytes each, and three characters for each byte.
    await expectRefused(`https://example.com/${'€'.repeat(300)}`, 'TOO_LONG');
  });

  async function expectRefused(url: string, reason: string): Promise<void> {
    const { custadmin, organisationId } = await makeCustomer(service);
    const refused = await post(custadmin.client, organisationId, { url }).expect(400);
    expect(reasonsOf(refused.body)).toEqual({ url: [reason] });
    const made = await create(custadmin.client, organisationId);
    const unchanged = await custadmin.client.put(made.path, { url, events: ['*'] }).expect(400);
    expect(reasonsOf(unchanged.body)).toEqual({ url: [reason] });
    expect(await read(custadmin.client, made.path)).toMatchObject({ url: made.url });
  }

  it.each(['https://EXAMPLE.com', 'https://example.com/a\\b'])(
    'that was stored as %s stays so where it is sent again, which is no news',
    async (url) => {
      const { custadmin, organisationId } = await makeCustomer(service);
      const { path, id } = await create(custadmin.client, organisationId);
      await service.sql`UPDATE webhooks SET url = ${url} WHERE id = ${id}`;
      await service.sql`DELETE FROM notifications WHERE entity_class = 'Webhook'`;
      const written = new URL(url).href;
      for (const sent of [url, written]) {
        await custadmin.client.put(path, { url: sent, events: ['*'], beneath: false }).expect(204);
        expect(await read(custadmin.client, path)).toMatchObject({ url: sent });
      }
      expect(await service.sql`SELECT 1 FROM notifications WHERE entity_class = 'Webhook'`).toEqual([]);
      await custadmin.client.put(path, { url: `${written}x`, events: ['*'] }).expect(204);
      expect(await service.sql`SELECT 1 FROM notifications WHERE entity_class = 'Webhook'`).toHaveLength(1);
    },
  );
});

describe('…/webhooks: an event', () => {
  it('is posted as the feed has it, signed as Standard Webhooks asks', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    const { secret, path } = await create(custadmin.client, organisationId);
    await touch(custadmin.client, organisationId, user);
    await deliver();
    expect(receiver.messages).toHaveLength(1);
    const [message] = receiver.messages;
    const headers = message?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(message?.text ?? '', headers)).toEqual(message?.body);
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/=]+$/);
    expect(headers).toMatchObject({ 'content-type': 'application/json' });
    const feed = await custadmin.client.get(`/organisations/${organisationId}/events?limit=0`).expect(200);
    expect(message?.body).toEqual((feed.body as { events: unknown[] }).events.at(-1));
    expect(message?.body).toMatchObject({
      type: 'users.updated',
      data: {
        kind: 'users',
        organisationId,
        recordId: user.id,
        changed: expect.arrayContaining(['firstName']) as string[],
        actor: { type: 'user', id: custadmin.id },
      },
    });
    const [delivery] = await deliveriesOf(custadmin.client, path);
    expect(delivery).toEqual(
      deliveryRecord({
        id: delivery?.id as number,
        event: 'users.updated',
        tries: 1,
        status: 204,
        dtNextTry: '',
        dtCreated: expect.stringMatching(/^\d+$/) as string,
        duration: expect.any(Number) as number,
      }),
    );
  });

  it('of before the webhook is not told, one that commits later is', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    await using late = await transactionBeside(service);
    await late.query(`UPDATE users SET first_name = 'Late' WHERE id = ${user.id}`);
    await touch(custadmin.client, organisationId, custadmin);
    await create(custadmin.client, organisationId);
    await deliver();
    expect(receiver.messages).toEqual([]);
    await late.query('COMMIT');
    await deliver();
    expect(receiver.messages.map(({ body }) => body.data['recordId'])).toEqual([user.id]);
  });

  it('is told to the organisations above that ask for it, also after a deletion', async () => {
    const { custadmin, organisationId } = await makeListened();
    const beneath = await makeOrganisation(service, { parentId: organisationId });
    await deliver();
    const deaf = await startOne();
    await create(custadmin.client, organisationId, { url: deaf.url });
    await create(custadmin.client, organisationId, {
      beneath: true,
      events: ['organisations.deleted', 'users.created'],
    });
    await makeUser(service, { organisationId: beneath });
    await service.sql`UPDATE organisations SET name = 'Other' WHERE id = ${beneath}`;
    await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${beneath}`;
    await admin.delete(`/organisations/${beneath}`).expect(204);
    await deliver();
    expect(typesAt(deaf)).toEqual([]);
    expect(typesAt(receiver)).toEqual(['users.created', 'organisations.deleted']);
  });

  it('comes after earlier ones, also where its sweep began before theirs', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    await create(custadmin.client, organisationId);
    const transactions = service.app.get(Transactions);
    const run = transactions.run.bind(transactions);
    const sweep = service.app.get(EventSweep);
    const begun = gate();
    const others = gate();
    const delayed = jest.spyOn(transactions, 'run').mockImplementationOnce((ctx, work) =>
      run(ctx, async (manager) => {
        begun.open();
        await others.opened;
        return work(manager);
      }),
    );
    try {
      await service.sql`UPDATE users SET first_name = 'First' WHERE id = ${user.id}`;
      const late = sweep.run();
      await begun.opened;
      await sweep.run();
      await service.sql`UPDATE users SET first_name = 'Second' WHERE id = ${custadmin.id}`;
      others.open();
      await late;
    } finally {
      delayed.mockRestore();
    }
    await deliver();
    expect(receiver.messages.map(({ body }) => body.data['recordId'])).toEqual([user.id, custadmin.id]);
  });

  it('that is rolled back is never told', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    await create(custadmin.client, organisationId);
    await service.sql('BEGIN');
    await service.sql`UPDATE users SET first_name = 'Never' WHERE id = ${user.id}`;
    await service.sql('ROLLBACK');
    await touch(custadmin.client, organisationId, custadmin);
    await deliver();
    expect(receiver.messages.map(({ body }) => body.data['recordId'])).toEqual([custadmin.id]);
  });

  it('waits in the log where ten thousand deliveries wait already', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    const { id, path } = await create(custadmin.client, organisationId);
    await service.sql`INSERT INTO webhook_deliveries (webhook_id, message_id, event, body, next_try_at)
      SELECT ${id}, gen_random_uuid(), 'users.created', '{"type":"filler"}', now() + interval '1 hour' FROM generate_series(1, 9999)`;
    await touch(custadmin.client, organisationId, user);
    await touch(custadmin.client, organisationId, user);
    await deliver();
    expect(receiver.messages).toEqual([]);
    await custadmin.client.post(`${path}/test`).expect(204);
    const refused = await custadmin.client.post(`${path}/test`).expect(400);
    expect(refused.body).toMatchObject({ reason: 'LIMIT_REACHED' });
    await service.sql`DELETE FROM webhook_deliveries WHERE body = '{"type":"filler"}'`;
    await touch(custadmin.client, organisationId, user);
    await deliver();
    expect(typesAt(receiver)).toEqual(['webhook.test', 'users.updated', 'users.updated', 'users.updated']);
    await touch(custadmin.client, organisationId, user);
    await deliver();
    expect(receiver.messages).toHaveLength(5);
  });
});

describe('…/webhooks/{webhookId}/deliveries: a delivery', () => {
  it('is tried at the times of the contract with one id, and then given up', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    const { path, id } = await create(custadmin.client, organisationId);
    receiver.answer = { status: 500, text: `\u0000 Broken\n${'é'.repeat(3000)}` };
    await touch(custadmin.client, organisationId, user);
    for (const [failed, seconds] of SCHEDULE.entries()) {
      const before = Date.now() / 1000;
      await deliver();
      const after = Date.now() / 1000;
      expect(receiver.messages).toHaveLength(failed + 1);
      const [delivery] = await deliveriesOf(custadmin.client, path);
      const kept = `Broken ${'é'.repeat(193)}`;
      expect(delivery).toMatchObject({ tries: failed + 1, status: 500, error: `Answer 500: ${kept}` });
      const nextTry = await nextTryOf(id);
      expect(nextTry).toBeGreaterThanOrEqual(before + seconds);
      expect(nextTry).toBeLessThanOrEqual(after + seconds);
      await pass(nextTry - Date.now() / 1000 - 60);
      await deliver();
      expect(receiver.messages).toHaveLength(failed + 1);
      await pass(60);
    }
    await deliver();
    const [delivery] = await deliveriesOf(custadmin.client, path);
    expect(delivery).toMatchObject({ tries: 10, dtNextTry: '' });
    const ids = receiver.messages.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids)).toEqual(new Set([expect.stringMatching(/^msg_[0-9a-f-]{36}$/)]));
    // 3 days, 10 tries and no success.
    expect(await read(custadmin.client, path)).toMatchObject({ enabled: false });
    expect(await notified(organisationId)).toEqual(['new', 'switched_off']);
  });

  it.each([
    ['3600', 3600],
    ['1', 5],
  ])('waits as long as Retry-After %s says, and never less than its own step', async (asked, seconds) => {
    const { custadmin, organisationId, user } = await makeListened();
    const { path } = await create(custadmin.client, organisationId);
    receiver.answer = { status: 429, headers: { 'Retry-After': asked } };
    await touch(custadmin.client, organisationId, user);
    await deliver();
    expect(await deliveriesOf(custadmin.client, path)).toMatchObject([{ tries: 1 }]);
    await pass(seconds - 2);
    await deliver();
    expect(receiver.messages).toHaveLength(1);
    await pass(3);
    await deliver();
    expect(receiver.messages).toHaveLength(2);
  });

  it('begins anew after a success', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    const { path } = await create(custadmin.client, organisationId);
    receiver.answer = { status: 503 };
    await touch(custadmin.client, organisationId, user);
    await deliver();
    expect(await read(custadmin.client, path)).toMatchObject({ lastError: 'Answer 503' });
    receiver.answer = { status: 200 };
    await pass(4 * DAY);
    await deliver();
    expect(await read(custadmin.client, path)).toMatchObject({ lastError: '', enabled: true });
    const [row] =
      await service.sql`SELECT failing_since, failed_tries FROM webhooks ORDER BY id DESC LIMIT 1`;
    expect(row).toEqual({ failing_since: null, failed_tries: 0 });
  });

  it('that fails often in less than 3 days switches nothing off', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    const { path } = await create(custadmin.client, organisationId);
    receiver.answer = { status: 500 };
    for (let times = 0; times < 12; times++) await touch(custadmin.client, organisationId, user);
    await deliver();
    expect(receiver.messages).toHaveLength(12);
    expect(await read(custadmin.client, path)).toMatchObject({ enabled: true });
    await pass(3 * DAY);
    await deliver();
    expect(await read(custadmin.client, path)).toMatchObject({ enabled: false });
    // The first try of the three days switched it off: the others were not made.
    expect(receiver.messages).toHaveLength(13);
  });

  it('fails at a redirect, which is not followed', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    const other = await startOne();
    const { path } = await create(custadmin.client, organisationId);
    receiver.answer = { status: 307, headers: { Location: other.url } };
    await touch(custadmin.client, organisationId, user);
    await deliver();
    expect(other.messages).toEqual([]);
    const [delivery] = await deliveriesOf(custadmin.client, path);
    expect(delivery).toMatchObject({ tries: 1, status: 307, error: 'Answer 307' });
  });

  it('that is answered 410 switches the webhook off, and its managers switch it on again', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    const { path, url } = await create(custadmin.client, organisationId);
    receiver.answer = { status: 410, text: 'Pay at https://evil.example' };
    await touch(custadmin.client, organisationId, user);
    await touch(custadmin.client, organisationId, user);
    await deliver();
    expect(receiver.messages).toHaveLength(1);
    const lastError = 'Answer 410: Pay at https://evil.example';
    expect(await read(custadmin.client, path)).toMatchObject({ enabled: false, lastError });
    // The text of a receiver goes into no mail.
    expect(
      await service.sql`SELECT params FROM notifications WHERE organisation_id = ${organisationId} AND type = 'switched_off'`,
    ).toEqual([{ params: { reason: 'Answer 410' } }]);
    expect(await deliveriesOf(custadmin.client, path)).toMatchObject([
      { tries: 1, status: 410, dtNextTry: '' },
      { tries: 0, error: 'The webhook was switched off', dtNextTry: '' },
    ]);
    receiver.answer = { status: 200 };
    await touch(custadmin.client, organisationId, user);
    await deliver();
    await custadmin.client.put(path, { url, events: ['*'], enabled: true }).expect(204);
    await deliver();
    expect(receiver.messages).toHaveLength(1);
    await touch(custadmin.client, organisationId, user);
    await deliver();
    expect(receiver.messages).toHaveLength(2);
    expect(await read(custadmin.client, path)).toMatchObject({ enabled: true, lastError: '' });
  });

  it('whose try fails while its webhook is switched off is not tried again', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    const hanging = await startOne('hang');
    const { path, url } = await create(custadmin.client, organisationId, { url: hanging.url });
    await touch(custadmin.client, organisationId, user);
    const trying = deliver();
    await until(() => hanging.messages.length === 1);
    await custadmin.client.put(path, { url, events: ['*'], enabled: false }).expect(204);
    await hanging.stop();
    await trying;
    expect(await deliveriesOf(custadmin.client, path)).toMatchObject([{ tries: 1, dtNextTry: '' }]);
  });

  it('that failed counts as slow, also where the webhook is changed', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    const { path, url, id } = await create(custadmin.client, organisationId);
    const isSlow = () => service.sql`SELECT is_slow FROM webhooks WHERE id = ${id}`;
    expect(await isSlow()).toEqual([{ is_slow: false }]);
    receiver.answer = { status: 503 };
    await touch(custadmin.client, organisationId, user);
    await deliver();
    await custadmin.client.put(path, { url, events: ['*'] }).expect(204);
    expect(await isSlow()).toEqual([{ is_slow: true }]);
  });

  it('is sent again on request, with the same id and body', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    const { path, secret } = await create(custadmin.client, organisationId);
    await touch(custadmin.client, organisationId, user);
    await deliver();
    const [delivery] = await deliveriesOf(custadmin.client, path);
    await custadmin.client.post(`${path}/deliveries/${delivery?.id}/resend`).expect(204);
    await deliver();
    const [first, second] = receiver.messages;
    expect(second?.text).toBe(first?.text);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    new Webhook(secret).verify(second?.text ?? '', second?.headers as Record<string, string>);
    expect(await deliveriesOf(custadmin.client, path)).toMatchObject([{ tries: 2, status: 204 }]);
    const other = await create(custadmin.client, organisationId);
    await custadmin.client.post(`${other.path}/deliveries/${delivery?.id}/resend`).expect(404);
  });

  it('of a test is sent, also where the webhook is switched off', async () => {
    const { custadmin, organisationId } = await makeListened();
    const { path, secret, id } = await create(custadmin.client, organisationId, { enabled: false });
    await custadmin.client.post(`${path}/test`).expect(204);
    await deliver();
    const [message] = receiver.messages;
    new Webhook(secret).verify(message?.text ?? '', message?.headers as Record<string, string>);
    expect(message?.body).toEqual(
      eventRecord(
        'webhook.test',
        { id: 0, kind: 'webhooks', organisationId, recordId: id, actor: { type: 'service', id: 0 } },
        new Date(message?.body.timestamp ?? '').toISOString(),
      ),
    );
  });

  it('is signed with both secrets for 24 hours after a rotation', async () => {
    const { custadmin, organisationId } = await makeListened();
    const { path, secret, ...shown } = await create(custadmin.client, organisationId);
    const { body } = await custadmin.client.post(`${path}/rotate`).expect(201);
    const { webhook } = body as { webhook: Webhooked & { secret: string } };
    expect(webhook).toEqual({ ...shown, secret: expect.not.stringContaining(secret) as string });
    await custadmin.client.post(`${path}/test`).expect(204);
    await deliver();
    await pass(DAY + 1);
    await runJob(service, CleanUpHandler);
    await custadmin.client.post(`${path}/test`).expect(204);
    await deliver();
    const verify = (key: string, at: number) => {
      const message = receiver.messages[at];
      new Webhook(key).verify(message?.text ?? '', message?.headers as Record<string, string>);
    };
    expect(String(receiver.messages[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2);
    verify(secret, 0);
    verify(webhook.secret, 0);
    verify(webhook.secret, 1);
    expect(() => verify(secret, 1)).toThrow();
    expect(await service.sql`SELECT former_encrypted_secret FROM webhooks WHERE id = ${webhook.id}`).toEqual([
      { former_encrypted_secret: null },
    ]);
  });

  it('goes to a name by the addresses that it has at that moment', async () => {
    const { custadmin, organisationId } = await makeListened();
    const { port } = new URL(receiver.url);
    const { path } = await create(custadmin.client, organisationId, {
      url: `http://receiver.example:${port}/x`,
    });
    names.answer = ['127.0.0.1'];
    await custadmin.client.post(`${path}/test`).expect(204);
    await deliver();
    expect(receiver.messages[0]?.headers).toMatchObject({ host: `receiver.example:${port}` });
    const error = 'The host has no address that webhooks may use';
    for (const addresses of [['10.0.0.1', '::1'], ['8.8.8.8'], []]) {
      names.answer = addresses;
      await custadmin.client.post(`${path}/test`).expect(204);
      await deliver();
      expect((await deliveriesOf(custadmin.client, path)).at(-1)).toMatchObject({ status: 0, error });
    }
    expect(receiver.messages).toHaveLength(1);
  });

  it('waits while the organisation is suspended, however long', async () => {
    const { custadmin, organisationId } = await makeListened();
    const { path } = await create(custadmin.client, organisationId);
    await custadmin.client.post(`${path}/test`).expect(204);
    await suspend(admin, organisationId);
    await deliver();
    expect(receiver.messages).toEqual([]);
    await pass(30 * DAY);
    await runJob(service, CleanUpHandler);
    expect(await deliveriesOf(admin, path)).toHaveLength(2);
    await service.sql`DELETE FROM suspensions WHERE organisation_id = ${organisationId}`;
    await deliver();
    expect(typesAt(receiver)).toEqual(['webhook.test', 'suspensions.created', 'suspensions.deleted']);
  });

  it('is kept while it waits or is one of the newest 100,000 of its webhook', async () => {
    const { custadmin, organisationId } = await makeListened();
    const { id } = await create(custadmin.client, organisationId);
    await service.sql(
      `INSERT INTO webhook_deliveries (webhook_id, message_id, event, body, next_try_at)
       SELECT $1::integer, gen_random_uuid(), 'users.updated', n::text, CASE n WHEN 1 THEN now() END
       FROM generate_series(1, 100020) n`,
      [id],
    );
    await runJob(service, CleanUpHandler);
    expect(
      await service.sql`SELECT count(*)::integer AS count, min(body::integer) FILTER (WHERE next_try_at IS NULL) AS first
        FROM webhook_deliveries WHERE webhook_id = ${id}`,
    ).toEqual([{ count: 100_001, first: 21 }]);
    await service.sql`DELETE FROM webhook_deliveries WHERE webhook_id = ${id}`;
  });

  it('is kept for 7 days, and goes with its organisation', async () => {
    const { custadmin, organisationId, user } = await makeListened();
    const { path, id } = await create(custadmin.client, organisationId);
    await touch(custadmin.client, organisationId, user);
    await deliver();
    const rows = () => service.sql`SELECT FROM webhook_deliveries WHERE webhook_id = ${id}`;
    await pass(7 * DAY - 60);
    await runJob(service, CleanUpHandler);
    expect(await deliveriesOf(custadmin.client, path)).toHaveLength(1);
    await pass(120);
    expect(await deliveriesOf(custadmin.client, path)).toHaveLength(0);
    await runJob(service, CleanUpHandler);
    expect(await rows()).toEqual([]);
    await custadmin.client.post(`${path}/test`).expect(204);
    await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${organisationId}`;
    await admin.delete(`/organisations/${organisationId}`).expect(204);
    expect(await service.sql`SELECT FROM webhooks WHERE id = ${id}`).toEqual([]);
    await deliver();
    expect(receiver.messages.filter(({ body }) => body.type === 'webhook.test')).toEqual([]);
    await runJob(service, CleanUpHandler);
    expect(await rows()).toEqual([]);
  });

  it('does not delay the deletion of its webhook, however many there are', async () => {
    const { custadmin, organisationId } = await makeListened();
    const { path, id } = await create(custadmin.client, organisationId);
    const other = await create(custadmin.client, organisationId, { enabled: false });
    await service.sql(
      `INSERT INTO webhook_deliveries (webhook_id, message_id, event, body, next_try_at)
       SELECT CASE n WHEN 1 THEN $2 ELSE $1 END::integer, gen_random_uuid(), 'users.updated', '{}', NULL
       FROM generate_series(1, 25000) n`,
      [id, other.id],
    );
    await custadmin.client.delete(path).expect(204);
    const rowsOf = async (webhookId: number) =>
      (await service.sql`SELECT FROM webhook_deliveries WHERE webhook_id = ${webhookId}`).length;
    expect(await rowsOf(id)).toBe(24_999);
    await runJob(service, CleanUpHandler);
    expect([await rowsOf(id), await rowsOf(other.id)]).toEqual([0, 1]);
  });
});

/** A customer with another user, whose events so far are told. */
async function makeListened() {
  const made = await makeCustomer(service);
  const user = await makeUser(service, { organisationId: made.organisationId });
  await deliver();
  return { ...made, user };
}

/** Something that others wait for. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Unix seconds. */
async function nextTryOf(id: number): Promise<number> {
  const [row] = await service.sql<{ nextTry: number }>`
    SELECT extract(epoch FROM next_try_at)::float8 AS "nextTry"
    FROM webhook_deliveries WHERE webhook_id = ${id}`;
  return row?.nextTry ?? 0;
}

const notified = async (organisationId: number): Promise<string[]> =>
  (
    await service.sql<{ type: string }>`SELECT type FROM notifications
      WHERE organisation_id = ${organisationId} AND entity_class = 'Webhook'`
  ).map(({ type }) => type);

/** What the organisation was told of its webhooks, oldest first. */
async function notificationOf(client: ApiClient, organisationId: number): Promise<object[]> {
  const { body } = await client
    .get(`/organisations/${organisationId}/notifications?limit=0&orderBy=id`)
    .expect(200);
  const { notifications } = body as {
    notifications: { entityClass: string; contacts: { value: string }[] }[];
  };
  return notifications
    .filter(({ entityClass }) => entityClass === 'Webhook')
    .map((news) => ({ ...news, contacts: news.contacts.map(({ value }) => value).sort() }));
}

/** rule events 24, rule notifications 26 */
describe('POST, PUT and DELETE …/webhooks: who has the group System', () => {
  const events = ['users.created'];

  it('is told of a new webhook, a rotated secret and one that tells more, by host, and of nothing else', async () => {
    const { custadmin, plain, organisationId } = await makeCustomer(service);
    const groups = ['System'];
    const contactOf = (userId: number | undefined, name: string, of = groups) =>
      makeContact(service, { organisationId, name, groups: of, ...(userId !== undefined && { userId }) });
    await contactOf(undefined, 'own@of.example');
    await contactOf(undefined, 'deaf@of.example', ['Crm']);
    await contactOf(custadmin.id, 'admin@of.example');
    await contactOf(plain.id, 'plain@of.example');
    const { client } = custadmin;
    const url = 'https://receiver.example/secret';
    const { id, path } = await create(client, organisationId, { url, events, beneath: false });
    const news: object[] = [];
    const expectNews = async (type: string, host = 'receiver.example') => {
      news.push({
        type,
        entity: { id, name: host },
        notificationGroup: 'System',
        userId: custadmin.id,
        contacts: ['admin@of.example', 'own@of.example'],
        extraRecipients: [],
      });
      expect(await notificationOf(client, organisationId)).toMatchObject(news);
    };
    await expectNews('new');
    await client.post(`${path}/rotate`).expect(201);
    await expectNews('rotated');
    let stored = { url, events, beneath: false, enabled: true };
    const change = async (fields: Partial<typeof stored>) => {
      stored = { ...stored, ...fields };
      await client.put(path, stored).expect(204);
    };
    await change({ url: 'https://receiver.example/other' });
    await expectNews('changed');
    await change({ url: 'https://elsewhere.example/other' });
    await expectNews('changed', 'elsewhere.example');
    await change({ events: ['users.*'] });
    await expectNews('changed', 'elsewhere.example');
    await change({ beneath: true });
    await expectNews('changed', 'elsewhere.example');

    for (const fields of [{}, { enabled: false }, { enabled: true }, { beneath: false }, { events }])
      await change(fields);
    await client.post(`${path}/test`).expect(204);
    await client.delete(path).expect(204);
    expect(await notificationOf(client, organisationId)).toHaveLength(news.length);
  });
});

describe('POST …/webhooks: a receiver inside', () => {
  const inside = useService('A', {
    settings: { webhookNetworks: ['127.0.0.0/8'] },
    overrides: [[NameLookup, names]],
  });

  /** Outcome of the test message of a webhook. */
  async function tried(client: ApiClient, path: string): Promise<Delivery | undefined> {
    await client.post(`${path}/test`).expect(204);
    await deliverWebhooks(inside);
    return (await deliveriesOf(client, path)).at(-1);
  }

  it('is for webhooks of the operator alone, whatever WEBHOOK_NETWORKS lists', async () => {
    const insider = await asAdmin(inside);
    const { custadmin, organisationId } = await makeCustomer(inside);
    for (const url of ['http://127.0.0.1:81/', 'https://127.0.0.1/', 'http://inside/']) {
      for (const client of [custadmin.client, insider]) {
        const refused = await post(client, organisationId, { url }).expect(400);
        expect(reasonsOf(refused.body)).toEqual({ url: ['ADDRESS_NOT_PUBLIC'] });
      }
      await create(insider, 1, { url });
    }
    await create(custadmin.client, organisationId, { url: 'https://8.8.8.8:8443/x' });

    const operators = await create(insider, 1, { events: ['teams.created'] });
    expect(await tried(insider, operators.path)).toMatchObject({ status: 204 });
    expect(receiver.messages).toHaveLength(1);
    // As one of before.
    const { path, id } = await create(custadmin.client, organisationId, { url: 'https://receiver.example/' });
    await inside.sql`UPDATE webhooks SET url = ${receiver.url} WHERE id = ${id}`;
    const error = 'The host has no address that webhooks may use';
    expect(await tried(custadmin.client, path)).toMatchObject({ status: 0, error });
    expect(receiver.messages).toHaveLength(1);
  });

  it('is not told apart from a name that nobody has', async () => {
    const { custadmin, organisationId } = await makeCustomer(inside);
    const { path } = await create(custadmin.client, organisationId, { url: 'https://db.internal/' });
    names.answer = ['10.0.0.7'];
    const found = await tried(custadmin.client, path);
    names.answer = [];
    expect(await tried(custadmin.client, path)).toMatchObject({ status: 0, error: found?.error });
  });
});
