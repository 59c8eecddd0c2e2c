import { get, type IncomingMessage } from 'node:http';
import type { Response } from 'supertest';
import { Bulkheads } from '@app/platform/concurrency/bulkheads';
import { type MadeUser, makeCustomer, makeOrganisation, PASSWORD } from '../support/factories/factories';
import { makeServiceKey } from '../support/factories/key-factories';
import { transactionBeside, untilWaiting } from '../support/faults/locks';
import { anonymous, type ApiClient, asAdmin } from '../support/service/client';
import { useService } from '../support/service/service';
import { until } from '../support/service/until';

/** Twelve permits for writes, five for csv, two for changes of the tree. */
const service = useService('A', { settings: { databasePool: 20 } });

/** Organisations that the attacker has made beneath its own, with a service key each. */
const SUB_ORGANISATIONS = 20;

/** What one customer may run: half of the writes, half of the changes of the tree. */
const WRITES_OF_CUSTOMER = 6;

interface Attacker {
  readonly organisationId: number;
  readonly below: readonly { readonly id: number; readonly client: ApiClient }[];
}

const FIELDS = { name: 'Changed', taxNumber: 'T' };

/** @param isChain whether each organisation lies beneath the one before, so that all keys reach the last */
async function makeAttacker(isChain = false): Promise<Attacker> {
  const { organisationId } = await makeCustomer(service);
  const below: { id: number; client: ApiClient }[] = [];
  for (let index = 0; index < SUB_ORGANISATIONS; index++) {
    const above = isChain ? below.at(-1)?.id : undefined;
    const id = await makeOrganisation(service, { resellerId: above ?? organisationId });
    const { client } = await makeServiceKey(service, id, {
      operations: ['organisations.update', 'organisations.create', 'notifications.list'],
      beneath: true,
    });
    below.push({ id, client });
  }
  return { organisationId, below };
}

const bulkheadOf = (name: string) => {
  const bulkhead = service.app.get(Bulkheads).all.find((opened) => opened.bulkhead.name === name);
  if (bulkhead === undefined) throw new Error(`There is no bulkhead ${name}`);
  return bulkhead;
};

/** The statuses of answers, by who asked, in the order in which they came. */
class Answers {
  readonly order: string[] = [];
  readonly statuses: number[] = [];

  async note(who: string, request: PromiseLike<Response>): Promise<Response> {
    const response = await request;
    this.order.push(who);
    if (who === 'attacker') this.statuses.push(response.status);
    return response;
  }
}

/** The number of the attacker's answers that came before the first one of somebody. */
const attackersBefore = (answers: Answers, who: string): number =>
  answers.order.slice(0, answers.order.indexOf(who)).filter((one) => one === 'attacker').length;

describe('a customer with twenty organisations and their keys', () => {
  let attacker: Attacker;
  let other: MadeUser;
  beforeAll(async () => {
    attacker = await makeAttacker();
    other = (await makeCustomer(service)).custadmin;
  });

  const change = ({ client, organisationId }: Pick<MadeUser, 'client' | 'organisationId'>) =>
    client.patch(`/organisations/${organisationId}`, FIELDS);

  it('PATCH of resellerOrganisation of all at once leaves POST /organisations of a reseller and PATCH of others their turn', async () => {
    const { custadmin: reseller } = await makeCustomer(service, { isReseller: true });
    const target = await makeOrganisation(service, { resellerId: attacker.organisationId });
    const { client: mover } = await makeServiceKey(service, attacker.organisationId, {
      operations: ['organisations.update'],
      beneath: true,
    });
    const answers = new Answers();
    await using holder = await transactionBeside(service);
    await holder.query('SELECT pg_advisory_xact_lock(7218450001)');
    const bulkhead = bulkheadOf('tree_changes');
    const moves = attacker.below.flatMap(({ id, client }) => [
      answers.note(
        'attacker',
        mover.patch(`/organisations/${id}`, { ...FIELDS, resellerOrganisation: target }),
      ),
      answers.note('attacker', client.post('/organisations', FIELDS)),
    ]);
    await until(() => bulkhead.load.running === 1 && bulkhead.load.waiting === moves.length - 1, 20);
    const made = answers.note('reseller', reseller.client.post('/organisations', FIELDS));
    await until(() => bulkhead.load.running === 2, 20);
    await answers.note('other', change(other).expect(204));
    expect(attackersBefore(answers, 'other')).toBe(0);
    await holder.query('ROLLBACK');
    expect((await made).status).toBe(201);
    await Promise.all(moves);
    // The one that had the lock's next place, and the one that took its permit.
    expect(attackersBefore(answers, 'reseller')).toBeLessThanOrEqual(2);
  });

  it('PATCH /organisations/{organisationId} of all at once leaves others half of the permits of writes', async () => {
    const answers = new Answers();
    await using holder = await transactionBeside(service);
    const ids = attacker.below.map(({ id }) => id).join();
    await holder.query(`SELECT FROM organisations WHERE id IN (${ids}) FOR NO KEY UPDATE`);
    const writes = [...attacker.below, ...attacker.below, ...attacker.below].map(({ id, client }) =>
      answers.note('attacker', client.patch(`/organisations/${id}`, FIELDS)),
    );
    await untilWaiting(service, WRITES_OF_CUSTOMER);
    await answers.note('other', change(other).expect(204));
    await answers.note(
      'login',
      anonymous(service).post('/login', { username: other.username, password: PASSWORD }).expect(200),
    );
    expect(attackersBefore(answers, 'login')).toBe(0);
    await holder.query('ROLLBACK');
    await Promise.all(writes);
  });

  it('GET …/notifications?format=csv of all, which nobody reads, keeps no csv of others waiting', async () => {
    const { below } = await makeAttacker(true);
    const last = below.at(-1)?.id;
    await service.sql`INSERT INTO notifications (organisation_id, customer_id, type, notification_group, entity_class,
        entity_id, entity_name, params)
      SELECT ${last}::integer, 1, 'x', 'Crm', 'Organisation', ${last}::integer, 'x', jsonb_build_object('text', repeat('x', 16000))
      FROM generate_series(1, 400) n`;
    const path = `/v1/organisations/${last}/notifications?format=csv`;
    const opened: IncomingMessage[] = [];
    const unread = (hash: string | undefined): void => {
      get(`${service.url}${path}`, { headers: { Authorization: hash ?? '' }, agent: false }, (response) => {
        response.on('error', () => undefined);
        opened.push(response);
      }).on('error', () => undefined);
    };
    const bulkhead = bulkheadOf('cursors');
    try {
      for (const { client } of [...below, ...below, ...below]) unread(client.hash);
      await until(() => bulkhead.load.running === 2 && bulkhead.load.waiting > 0, 20);
      const admin = await asAdmin(service);
      for (let exports = 0; exports < 5; exports++)
        await admin.get('/organisations/1/audit?format=csv&limit=20').expect(200);
      await other.client.get(`/organisations/${other.organisationId}/users?format=csv`).expect(200);
      expect(bulkhead.load.running).toBeLessThanOrEqual(2);
    } finally {
      for (const response of opened) response.destroy();
    }
  });
});

describe('customers of a reseller', () => {
  it('PATCH /organisations/{organisationId}: 60 of one leave the other its turn', async () => {
    const reseller = await makeOrganisation(service, { isReseller: true });
    const busy = await makeCustomer(service, { resellerId: reseller });
    const calm = await makeCustomer(service, { resellerId: reseller });
    const answers = new Answers();
    await using holder = await transactionBeside(service);
    await holder.query(`SELECT FROM organisations WHERE id = ${busy.organisationId} FOR NO KEY UPDATE`);
    const { client: key } = await makeServiceKey(service, busy.organisationId, {
      operations: ['organisations.update'],
    });
    const write = (client: ApiClient, id: number) => client.patch(`/organisations/${id}`, FIELDS);
    const writes = Array.from({ length: 60 }, (_, index) =>
      answers.note('attacker', write(index % 2 === 0 ? key : busy.custadmin.client, busy.organisationId)),
    );
    await untilWaiting(service, WRITES_OF_CUSTOMER);
    await answers.note('other', write(calm.custadmin.client, calm.organisationId).expect(204));
    expect(attackersBefore(answers, 'other')).toBe(0);
    await holder.query('ROLLBACK');
    await Promise.all(writes);
  });
});
