import {
  inviteBy,
  makeManaged,
  type Managed,
  registering,
  tokenTo,
} from '../support/factories/grant-people-factories';
import { describeService } from '../support/service/service';

const ROUNDS = 8;
const OF_EACH = 4;

describeService(['A'], 'the end of a grant while invitations of it are written and used', (service) => {
  const deadlocks = async (): Promise<number> => {
    const [row] = await service.sql<{ deadlocks: string }>`
      SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`;
    return Number(row?.deadlocks);
  };

  const ends: readonly ((managed: Managed) => PromiseLike<{ status: number }>)[] = [
    ({ giver, of, grantId }) => giver.custadmin.client.delete(`${of}/grants/${grantId}`),
    ({ giver, of, grantId }) => giver.custadmin.client.put(`${of}/grants/${grantId}`, { access: 'read' }),
  ];

  it('leaves none of them open, and no request without an answer', async () => {
    const before = await deadlocks();
    let registered = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const managed = await makeManaged(service);
      const { agency, giver, of } = managed;
      const { organisationId } = giver;
      const invitations = await Promise.all(
        Array.from({ length: 2 * OF_EACH }, () => inviteBy(agency.custadmin, organisationId)),
      );
      const tokens = await Promise.all(invitations.map(({ email }) => tokenTo(service, email)));
      const used = invitations.slice(0, OF_EACH);
      const resent = invitations.slice(OF_EACH);
      const end = ends[round % ends.length] as (typeof ends)[number];
      const { client } = agency.custadmin;
      const calls: PromiseLike<{ status: number }>[] = [
        ...used.map((one, index) => registering(service, one, tokens[index] as string)),
        ...resent.map(({ id }) => client.post(`${of}/invitations/${id}/resend`)),
        ...resent.map(({ id }) => client.delete(`${of}/invitations/${id}`)),
        end(managed),
        ...used.map((_, index) =>
          client.post(`${of}/invitations`, {
            email: `late${round}.${index}@agency.example`,
            firstName: 'Eva',
            lastName: 'Maes',
          }),
        ),
      ];
      const statuses = await Promise.all(calls.map(async (call) => (await call).status));
      for (const status of statuses) expect([200, 201, 204, 400, 403, 404]).toContain(status);
      expect(
        await service.sql`SELECT FROM invitations WHERE organisation_id = ${organisationId}
          AND accepted_at IS NULL AND deleted_at IS NULL`,
      ).toEqual([]);
      const users = await service.sql`SELECT grant_id AS "grantId", confirmed_at AS "confirmedAt" FROM users
        WHERE organisation_id = ${organisationId} AND username LIKE 'mailbox%'`;
      for (const user of users) expect(user).toEqual({ grantId: managed.grantId, confirmedAt: null });
      expect(users).toHaveLength(statuses.slice(0, OF_EACH).filter((status) => status === 201).length);
      registered += users.length;
    }
    expect(registered).toBeGreaterThan(0);
    await service.sql`SELECT pg_sleep(1.5)`;
    expect(await deadlocks()).toBe(before);
  });
});
