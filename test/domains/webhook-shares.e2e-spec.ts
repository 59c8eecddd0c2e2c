import { EventSweep } from '@app/webhooks/event-sweep';
import { makeOrganisation, makeUser } from '../support/factories/factories';
import { useServicePerTest } from '../support/service/service';

/** docs/choices.md, 12-70. */
const OF_CUSTOMER = 8;
const SLOW_OF_CUSTOMER = 4;
const OF_ORGANISATION = 20;

describe('what the webhooks of one customer take', () => {
  const service = useServicePerTest('A', { settings: { webhookNetworks: ['127.0.0.0/8'] } });

  /** Nobody sends: no worker runs. */
  const listen = (organisationId: number, isSlow: boolean, amount: number) => service.sql`
    INSERT INTO webhooks (organisation_id, url, events, reaches_beneath, sealed_secret, made_after, is_slow)
    SELECT ${organisationId}::integer, 'http://127.0.0.1:1/', '{users.created}', true, '', 0, ${isSlow}
    FROM generate_series(1, ${amount})`;

  /** Webhooks that are handed to workers, by the organisation. */
  const queued = async (organisations: readonly number[]): Promise<number> => {
    const [row] = await service.sql<{ count: number }>(
      `SELECT count(*)::integer AS count FROM webhooks w JOIN graphile_worker.jobs job ON job.key = 'webhook:' || w.id
       WHERE w.organisation_id = ANY ($1)`,
      [organisations],
    );
    return row?.count ?? 0;
  };

  it.each([
    ['that fail or are new', true, SLOW_OF_CUSTOMER],
    ['that answer well', false, OF_CUSTOMER],
  ])('is bounded for those %s, however many organisations it makes', async (_, isSlow, most) => {
    const customer = await makeOrganisation(service);
    const made = [customer];
    for (let count = 0; count < 5; count++)
      made.push(await makeOrganisation(service, { parentId: made.at(-1) ?? customer }));
    for (const organisationId of made) await listen(organisationId, isSlow, 2);
    const other = await makeOrganisation(service);
    await listen(other, isSlow, 2);
    await makeUser(service, { organisationId: made.at(-1) ?? customer });
    await makeUser(service, { organisationId: other });
    await service.app.get(EventSweep).run();
    expect(await queued(made)).toBe(most);
    expect(await queued([other])).toBe(2);
    await service.app.get(EventSweep).run();
    expect(await queued(made)).toBe(most);
  });

  it('does not end the telling where many are told of one event', async () => {
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
