import { DeliveryTurns } from '@app/feeds/webhooks/delivery-turns';
import { EventSweep } from '@app/feeds/webhooks/event-sweep';
import { VARIANTS } from '../../../qa/variants';
import { type MadeUser, makeCustomer, makeOrganisation, makeUser } from '../../support/factories/factories';
import { localReceivers } from '../../support/factories/webhooks-factories';
import { type Receiver, useReceivers } from '../../support/faults/receiver';
import { useService, useServicePerTest } from '../../support/service/service';
import { until } from '../../support/service/until';

/** rule events 47 */
const QUICK_OF_CUSTOMER = 20;
const SLOW_OF_CUSTOMER = 4;
const SLOW_OF_ORGANISATION = 2;
const OF_ORGANISATION = 20;
/** rule events 48: seconds within which a receiver that answers is tried. */
const AT_ONCE = 2;

const overrides = [localReceivers()];

const startOne = useReceivers();

const listenAt = async ({ client }: MadeUser, organisationId: number, url: string): Promise<void> => {
  await client
    .post(`/organisations/${organisationId}/webhooks`, { url, events: ['users.created'] })
    .expect(201);
};

describe('what the webhooks of one customer take', () => {
  const service = useServicePerTest('A', { overrides });

  let url: string;
  beforeEach(async () => {
    url = (await startOne('hang')).url;
  });
  /** No try hangs when the service stops. */
  afterEach(() => service.app.get(DeliveryTurns).ended());

  const listen = (organisationId: number, isSlow: boolean, amount: number) => service.sql`
    INSERT INTO webhooks (organisation_id, url, events, reaches_beneath, encrypted_secret, made_after, is_slow)
    SELECT ${organisationId}::integer, ${url}, '{users.created}', true, '', 0, ${isSlow}
    FROM generate_series(1, ${amount})`;

  /** Webhooks of the organisations that are tried. */
  const taken = async (organisations: readonly number[]): Promise<number> => {
    const [row] = await service.sql<{ count: number }>(
      `SELECT count(*)::integer AS count FROM webhooks WHERE organisation_id = ANY ($1) AND taken_until > now()`,
      [organisations],
    );
    return row?.count ?? 0;
  };

  it.each([
    ['that fail', true, SLOW_OF_CUSTOMER, 2],
    ['that are new or answer well', false, QUICK_OF_CUSTOMER, 8],
  ])('is bounded for those %s, however many organisations it makes', async (_, isSlow, most, each) => {
    const customer = await makeOrganisation(service);
    const made = [customer];
    for (let count = 0; count < 5; count++)
      made.push(await makeOrganisation(service, { parentId: made.at(-1) ?? customer }));
    for (const organisationId of made) await listen(organisationId, isSlow, each);
    const other = await makeOrganisation(service);
    await listen(other, isSlow, 2);
    await makeUser(service, { organisationId: made.at(-1) ?? customer });
    await makeUser(service, { organisationId: other });
    await service.app.get(EventSweep).run();
    expect(await taken(made)).toBe(most);
    expect(await taken([other])).toBe(2);
  });

  it('is a delivery for each of 140 that are told of one event', async () => {
    const chain = [await makeOrganisation(service)];
    for (let depth = 0; depth < 6; depth++)
      chain.push(await makeOrganisation(service, { parentId: chain.at(-1) ?? 0 }));
    for (const organisationId of chain) await listen(organisationId, false, OF_ORGANISATION);
    await makeUser(service, { organisationId: chain.at(-1) ?? 0 });
    await service.app.get(EventSweep).run();
    expect(
      await service.sql`SELECT count(*)::integer AS rows, count(DISTINCT webhook_id)::integer AS webhooks FROM webhook_deliveries`,
    ).toEqual([{ rows: 140, webhooks: 140 }]);
  });
});

describe('webhooks that wait for a place of their customer', () => {
  const service = useService('A', { settings: { worker: true }, overrides });

  it('take it as soon as it is free, not at the next sweep', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const organisations = [organisationId];
    for (let made = 0; made < 3; made++)
      organisations.push(await makeOrganisation(service, { parentId: organisationId }));
    const receiver = await startOne();
    for (const organisation of organisations)
      for (let made = 0; made < OF_ORGANISATION; made++)
        await listenAt(custadmin, organisation, receiver.url);
    await service.sql(
      `INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
       SELECT id, 'all' || id || '@customer.example', 'Jan', 'Bakker', '' FROM unnest($1::integer[]) id`,
      [organisations],
    );
    await until(() => receiver.messages.length > 0);
    // The sweeps come once a second, and four rounds of places are needed.
    await until(() => receiver.messages.length === organisations.length * OF_ORGANISATION, AT_ONCE);
  });
});

/** Two processes on one database. */
describe('receivers of webhooks that hang', () => {
  const service = useService('A', { settings: { worker: true }, overrides });
  useService(VARIANTS.at(-1) ?? 'A', () => ({
    database: service.database,
    settings: { worker: true },
    overrides,
  }));

  /** An event a second, of which the receiver learns each in time. */
  const tell = async (organisationId: number, well: Receiver, events: number): Promise<void> => {
    for (let told = well.messages.length + 1, last = told + events; told < last; told++) {
      await makeUser(service, { organisationId });
      await until(() => well.messages.length >= told, AT_ONCE);
    }
  };

  it.each([5, 19])('delay no other of their organisation, however many: %d', async (amount) => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const hanging = await startOne('hang');
    for (let made = 0; made < amount; made++) await listenAt(custadmin, organisationId, hanging.url);
    const well = await startOne();
    await listenAt(custadmin, organisationId, well.url);
    await tell(organisationId, well, 12);
    expect(well.messages.map(({ body }) => body.data['id'])).toEqual(
      well.messages.map(({ body }) => Number(body.data['id'])).sort((one, two) => one - two),
    );
  });

  it('of six customers do not delay the first event of a new one of a seventh', async () => {
    const hanging = await startOne('hang');
    for (let customer = 0; customer < 6; customer++) {
      const { custadmin, organisationId } = await makeCustomer(service);
      for (let made = 0; made < 5; made++) await listenAt(custadmin, organisationId, hanging.url);
      await makeUser(service, { organisationId });
    }
    for (let round = 0; round < 3; round++) {
      const { custadmin, organisationId } = await makeCustomer(service);
      const well = await startOne();
      await listenAt(custadmin, organisationId, well.url);
      await tell(organisationId, well, 1);
    }
  });

  it('take turns, two of an organisation at a time', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const hanging = await startOne('hang');
    const paths = Array.from({ length: 6 }, (_, index) => `${hanging.url}/${index}`);
    for (const url of paths) await listenAt(custadmin, organisationId, url);
    for (let event = 0; event < 5; event++) await makeUser(service, { organisationId });
    const tries = (): Promise<{ tries: number }[]> => service.sql`
      SELECT sum(d.tries)::integer AS tries FROM webhook_deliveries d
      JOIN webhooks w ON w.id = d.webhook_id WHERE w.organisation_id = ${organisationId} GROUP BY w.id`;
    await until(async () => (await tries()).reduce((sum, row) => sum + row.tries, 0) >= 10, 60);
    const counts = (await tries()).map((row) => row.tries);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    const [{ busy } = { busy: 0 }] = await service.sql<{ busy: number }>`
      SELECT count(*)::integer AS busy FROM webhooks WHERE organisation_id = ${organisationId} AND taken_until > now()`;
    expect(busy).toBeLessThanOrEqual(SLOW_OF_ORGANISATION);
  });
});
