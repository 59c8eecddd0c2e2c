import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { makeCustomer } from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { makeNotification } from '../support/factories/records';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { auditRows } from '../support/service/audit';
import { runJob } from '../support/service/jobs';
import { startTestService, type TestService } from '../support/service/service';

const DAY = 86_400;

const idsOf = async (service: TestService, table: string): Promise<number[]> =>
  (await service.sql<{ id: number }>(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);

/** An invitation whose end, of whatever kind, lies as many days back. */
async function endedInvitation(
  service: TestService,
  column: 'accepted_at' | 'deleted_at' | 'expires_at',
  days: number,
): Promise<number> {
  const { custadmin, organisationId } = await makeCustomer(service);
  const { id } = await makeInvitation(service, { organisationId, inviterId: custadmin.id });
  await service.sql(`UPDATE invitations SET ${column} = now() - make_interval(days => $2) WHERE id = $1`, [
    id,
    days,
  ]);
  return id;
}

async function notificationOf(service: TestService, days: number): Promise<number> {
  const { organisationId, plain } = await makeCustomer(service);
  const id = await makeNotification(service, { organisationId });
  await service.sql`UPDATE notifications SET created_at = now() - make_interval(days => ${days})
     WHERE id = ${id}`;
  await service.sql`INSERT INTO notification_recipients (notification_id, full_name, language, type, value, status, hash)
     VALUES (${id}, 'Piet', 'nl', 'email', ${plain.username}, 'sent', gen_random_uuid())`;
  return id;
}

/** Audit rows of a time past can only come from a clock that was wrong. */
async function auditRowsOf(service: TestService, days: number): Promise<void> {
  await service.sql(`ALTER TABLE audit_log ALTER at SET DEFAULT now() - make_interval(days => ${days})`);
  await makeCustomer(service);
  await service.sql('ALTER TABLE audit_log ALTER at SET DEFAULT now()');
}

const ageOf = (days: number): string => `at < now() - make_interval(days => ${days})`;

describe.each(SHARED_VARIANTS)('retention in Variant %s', (variant) => {
  it('is for ever unless a setting ends it', async () => {
    await using service = await startTestService(variant);
    await endedInvitation(service, 'accepted_at', 3000);
    await notificationOf(service, 3000);
    await auditRowsOf(service, 3000);
    const before = [await idsOf(service, 'invitations'), await idsOf(service, 'notifications')];
    const audit = await auditRows(service, 'true');
    await runJob(service, CleanUpHandler);
    expect([await idsOf(service, 'invitations'), await idsOf(service, 'notifications')]).toEqual(before);
    expect(await auditRows(service, 'true')).toEqual(audit);
  });

  it('ends what is older, however much it is, and nothing else', async () => {
    await using service = await startTestService(variant, {
      settings: {
        retention: { audit: 90 * DAY, notifications: 60 * DAY, invitations: 40 * DAY },
      },
    });
    await Promise.all([1, 2].map(() => endedInvitation(service, 'accepted_at', 41)));
    await endedInvitation(service, 'deleted_at', 41);
    await endedInvitation(service, 'expires_at', 41);
    const invitations = [
      await endedInvitation(service, 'accepted_at', 39),
      await endedInvitation(service, 'deleted_at', 39),
      await endedInvitation(service, 'expires_at', 39),
    ];
    await notificationOf(service, 61);
    await service.sql(
      `INSERT INTO notifications (organisation_id, customer_id, notification_group, type, entity_class, entity_id, entity_name,
         created_at)
       SELECT 1, 1, 'Crm', 'bulk', 'Organisation', 1, '', now() - interval '100 days' FROM generate_series(1, 2500)`,
    );
    const notification = await notificationOf(service, 59);
    for (const days of [399, 401]) {
      await service.sql`INSERT INTO variant_usage
         SELECT current_date - ${days}::integer, 'B', 'GET /whoami', 0, 'other', 'none', 1`;
      await service.sql`INSERT INTO variant_programs SELECT current_date - ${days}::integer, 'curl', 1`;
    }
    await auditRowsOf(service, 91);
    await auditRowsOf(service, 89);
    const kept = await auditRows(service, `NOT ${ageOf(90)}`);
    expect(await auditRows(service, ageOf(90))).not.toEqual([]);

    await runJob(service, CleanUpHandler);

    expect(await idsOf(service, 'invitations')).toEqual(invitations);
    expect(await idsOf(service, 'notifications')).toEqual([notification]);
    expect(await idsOf(service, 'notification_recipients')).toHaveLength(1);
    for (const table of ['variant_usage', 'variant_programs']) {
      expect(await service.sql(`SELECT current_date - day AS days FROM ${table}`)).toEqual([{ days: 399 }]);
    }
    expect(await auditRows(service, ageOf(90))).toEqual([]);
    const since = await auditRows(service, 'true');
    expect(since.slice(0, kept.length)).toEqual(kept);
    const [ending] = since.filter(({ table_name }) => table_name === 'audit_log');
    expect(ending).toMatchObject({ action: 'delete', before: null, record_id: expect.any(Number) });
  });
});
