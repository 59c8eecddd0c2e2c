import { digestOf, newSecret } from '@app/security/secrets/digest';
import {
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { pathOf } from '../support/factories/users-factories';
import { transactionBeside, untilWaiting } from '../support/faults/locks';
import { anonymous } from '../support/service/client';
import { useService } from '../support/service/service';

const NAMES = { firstName: 'Jan', lastName: 'de Vries' } as const;
const HASH = '$1$Zp3kWq81$tVo2jkEj/paZhLGHi4q4q.';

/** rule recovery 52: the requests of Variant B that make something which outlives their credential. */
describe('a restored name at the same time in Variant B', () => {
  // Three writes of one user at once.
  const service = useService('B', { settings: { databasePool: 40 } });
  const freshName = (): string => `name${nextNumber()}@example.com`;

  it('leaves nothing that requests of the thief bring in, which were let in before', async () => {
    const { organisationId } = await makeCustomer(service);
    const granteeId = await makeOrganisation(service);
    const admin = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    await admin.client.patch(pathOf(admin), { username: freshName(), ...NAMES }).expect(204);
    const token = newSecret();
    await service.sql`UPDATE name_restorations SET token_digest = ${digestOf(token)}
      WHERE user_id = ${admin.id} AND ended_at IS NULL`;
    const [migrated, withContact] = [freshName(), freshName()];

    await using holder = await transactionBeside(service);
    // Each request waits for one of these, and the restoration for none.
    await holder.query('SELECT FROM organisations WHERE id = $1 FOR NO KEY UPDATE', [organisationId]);
    for (const name of [migrated, withContact]) {
      await holder.query(`SELECT pg_advisory_xact_lock(hashtextextended('user name ' || fold_case($1), 0))`, [
        name,
      ]);
    }
    const path = `/organisations/${organisationId}`;
    const late = [
      admin.client.post(`${path}/acls`, { organisation: granteeId }),
      admin.client.post(`${path}/users`, { username: migrated, ...NAMES, cp3Password: HASH }),
      admin.client.post(`${path}/userandcontact`, { username: withContact, ...NAMES, password: PASSWORD }),
    ].map((request) => request.then(({ status }) => status));
    await untilWaiting(service, late.length);
    await anonymous(service).post(`/resetting/${token}`, { password: 'Terug-Van-Weg-1' }).expect(200);
    await holder.query('COMMIT');

    expect(await Promise.all(late)).toEqual([401, 401, 401]);
    expect(await service.sql`SELECT id FROM acls WHERE organisation_id = ${organisationId}`).toEqual([]);
    expect(await service.sql`SELECT id FROM users WHERE username IN (${migrated}, ${withContact})`).toEqual(
      [],
    );
  });
});
