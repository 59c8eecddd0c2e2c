import { DataSource } from 'typeorm';
import { changesByHands, handsOf } from '@app/lifecycle/takeover-acts';
import { makeCustomer, makeUser } from '../../support/factories/factories';
import { makeServiceKey } from '../../support/factories/key-factories';
import { rowWorkOf } from '../../support/generators/query-cost';
import { describeService } from '../../support/service/service';

const MANY = 50_000;

/** Rows that PostgreSQL may touch for what a thief did, whatever else there is in the log. */
const MAX_WORK = 100;

/** A restoration of a name asks for it within a request, several times (rule recovery 53). */
describeService(['A'], 'what a stolen account did, in a log of 150,000 acts', (service) => {
  it('costs little, whatever its user did before and others did since', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const other = await makeUser(service, { organisationId });
    const key = await makeServiceKey(service, organisationId);
    await service.sql(
      `INSERT INTO audit_log (at, actor_user_id, actor_credential_kind, actor_credential_id, action, table_name, record_id,
         organisation_id)
       SELECT now() - acts.ago, acts.actor, acts.kind, acts.credential, 'update', 'users', n, $2::integer
       FROM generate_series(1, $1::integer) n, (VALUES
         (interval '1 day', $3::integer, 'login', 1), (interval '1 day', NULL, 'service_key', $5::integer),
         (interval '1 minute', $4::integer, 'login', 2)) AS acts (ago, actor, kind, credential)`,
      [MANY, organisationId, custadmin.id, other.id, key.id],
    );
    await service.sql('ANALYZE audit_log');
    const theft = { userId: custadmin.id, since: new Date(Date.now() - 3_600_000) };
    const { manager } = service.app.get(DataSource);
    const work = await rowWorkOf(service.database.url, async () => {
      const hands = await handsOf(manager, theft);
      await changesByHands(manager, { ...hands, serviceKeys: [key.id] }, 'users', ['username']);
    });
    expect(work).toBeGreaterThan(0);
    expect(work).toBeLessThan(MAX_WORK);
  });
});
