import { RouteTable } from '@app/security/access/route-table';
import { VARIANTS } from '../../qa/variants';
import { recordsOfOrganisation } from '../support/factories/domain-records';
import {
  type Customer,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  nextNumber,
} from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { makeContact, makeTeam, register } from '../support/factories/records';
import { transactionBeside, untilBlocked } from '../support/faults/locks';
import { type Addition, CREATION_ROWS, type CreationWorld } from '../support/generators/creation-rows';
import { triedRoutes } from '../support/generators/own-routes';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { atOnce } from '../support/service/at-once';
import { auditRows } from '../support/service/audit';
import { type ApiClient, asAdmin } from '../support/service/client';
import { describeService, type TestService } from '../support/service/service';
import { until } from '../support/service/until';

describeService(SHARED_VARIANTS, '16 DELETEs of one record at once in Variant %s', (service) => {
  const organisation = async () => {
    const id = await makeOrganisation(service);
    return { path: `/organisations/${id}`, table: 'organisations', id };
  };
  const user = async () => {
    const organisationId = await makeOrganisation(service);
    const { id } = await makeUser(service, { organisationId });
    return { path: `/organisations/${organisationId}/users/${id}`, table: 'users', id };
  };
  const invitation = async () => {
    const organisationId = await makeOrganisation(service);
    const { id } = await makeInvitation(service, { organisationId, inviterId: 1 });
    return { path: `/organisations/${organisationId}/invitations/${id}`, table: 'invitations', id };
  };
  const team = async () => {
    const organisationId = await makeOrganisation(service);
    const id = await makeTeam(service, organisationId);
    return { path: `/organisations/${organisationId}/teams/${id}`, table: 'teams', id };
  };
  const contact = async () => {
    const organisationId = await makeOrganisation(service);
    const { id: userId } = await makeUser(service, { organisationId });
    const id = await makeContact(service, { organisationId, userId });
    return { path: `/organisations/${organisationId}/users/${userId}/contacts/${id}`, table: 'contacts', id };
  };

  it.each([
    ['/organisations/{organisationId}', organisation],
    ['…/users/{userId}', user],
    ['…/invitations/{invitationId}', invitation],
    ['…/teams/{teamId}', team],
    ['…/contacts/{contactId}', contact],
  ])('DELETE %s: one is 204, the others are 404, and the audit log has one row', async (_, make) => {
    const admin = await asAdmin(service);
    const { path, table, id } = await make();
    const responses = await atOnce(16, () => admin.delete(path));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([204, ...Array.from({ length: 15 }, () => 404)]);
    const deletions = (await auditRows(service, 'table_name = $1 AND record_id = $2', [table, id])).filter(
      ({ action, after }) => action === 'delete' || Boolean(after?.['deleted_at']),
    );
    expect(deletions).toHaveLength(1);
  });
});

describeService(
  SHARED_VARIANTS,
  'DELETE /organisations/{organisationId} of a grantor in Variant %s',
  (service) => {
    it('leaves no record of it in a team of the grantee beside 15 POST …/teams/{teamId}/systems', async () => {
      const admin = await asAdmin(service);
      const agency = await makeCustomer(service);
      const path = `/organisations/${agency.organisationId}/teams/${await makeTeam(service, agency.organisationId)}`;
      for (let round = 0; round < 4; round++) {
        const organisationId = await makeOrganisation(service);
        await makeGrant(service, organisationId, agency.organisationId);
        const ids = Array.from({ length: 15 }, () => nextNumber());
        const domains = undefined;
        await register(
          service,
          ...ids.map((id) => ({ kind: 'system' as const, id, name: 'web', organisationId, domains })),
        );
        const [deletion, ...additions] = await Promise.all([
          admin.delete(`/organisations/${organisationId}`),
          ...ids.map((objectId) => agency.custadmin.client.post(`${path}/systems`, { objectId })),
        ]);
        expect(deletion.status).toBe(204);
        for (const { status } of additions) expect([201, 400]).toContain(status);
        expect(
          await service.sql`SELECT FROM team_entities WHERE object_id = ANY (${ids}::integer[])`,
        ).toEqual([]);
      }
    });
  },
);

/** Tables whose rows stay with a deleted organisation, and why. */
const STAYS: Readonly<Record<string, string>> = {
  entities: 'another area of the panel manages them, and says where they go',
  notifications: 'history, which nobody reads any more',
  notification_recipients: 'as their notifications',
  teams: 'names nobody once its members are gone',
};

/** The foreign keys of all tables. */
const FOREIGN_KEYS = `
  SELECT conrelid::regclass::text AS "from", a.attname AS "by", confrelid::regclass::text AS "to", b.attname AS id,
    EXISTS (SELECT FROM pg_attribute d WHERE d.attrelid = conrelid AND d.attname = 'deleted_at') AS "isMarked"
  FROM pg_constraint
  JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = conkey[1]
  JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = confkey[1]
  WHERE contype = 'f' ORDER BY 1, 2`;

interface ForeignKey {
  readonly from: string;
  readonly by: string;
  readonly to: string;
  readonly id: string;
  /** Whether deleted rows are marked. */
  readonly isMarked: boolean;
}

/** A statement that counts undeleted rows of the organisation $1, however many keys lead to it. */
async function leftRowsStatement(service: TestService): Promise<string> {
  const keys = await service.sql<ForeignKey>(FOREIGN_KEYS);
  const rowsOf = (table: string, within: readonly string[]): string => {
    if (table === 'organisations') return 'id = $1';
    const conditions = keys
      .filter(({ from, to }) => from === table && ![...within, table].includes(to))
      .map(({ by, to, id }) => `${by} IN (SELECT ${id} FROM ${to} WHERE ${rowsOf(to, [...within, table])})`);
    return conditions.length === 0 ? 'false' : `(${conditions.join(' OR ')})`;
  };
  const tables = new Map(keys.map(({ from, isMarked }) => [from, isMarked]));
  const parts = [...tables]
    .filter(([table]) => table !== 'organisations' && !(table in STAYS))
    .map(([table, isMarked]) => {
      const rows = `${rowsOf(table, [])}${isMarked ? ' AND deleted_at IS NULL' : ''}`;
      return `SELECT '${table}' AS "table", count(*)::integer AS rows FROM ${table} WHERE ${rows}`;
    });
  return `SELECT * FROM (${parts.join(' UNION ALL ')}) AS counted WHERE rows > 0 ORDER BY 1`;
}

describeService(
  VARIANTS,
  'DELETE /organisations/{organisationId} beside 16 additions in Variant %s',
  (service, variant) => {
    const HELD = 7_031;
    const rows = CREATION_ROWS[variant];
    const tried = triedRoutes(variant);
    let leftRows: string;
    let admin: ApiClient;
    let above: Customer;

    // Lets each deletion wait at its commit, after all that it does, for who has the lock.
    beforeAll(async () => {
      leftRows = await leftRowsStatement(service);
      admin = await asAdmin(service);
      above = await makeCustomer(service);
      await service.sql(`
        CREATE FUNCTION wait_for_holder() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN PERFORM pg_advisory_xact_lock(${HELD}); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER wait_for_holder AFTER UPDATE ON organisations DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION wait_for_holder();`);
    });

    const isWaiting = async (): Promise<boolean> =>
      (
        await service.sql`SELECT FROM pg_locks
          WHERE locktype = 'advisory' AND objid = ${HELD} AND NOT granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
      ).length > 0;

    async function makeWorld(): Promise<CreationWorld> {
      const organisationId = await makeOrganisation(service, { parentId: above.organisationId });
      const { id: userId } = await makeUser(service, { organisationId, enabled: false });
      const ids = await recordsOfOrganisation(service, { organisationId, userIds: [userId] });
      // It is in no register, and so could be in no team.
      await service.sql`DELETE FROM team_entities WHERE team_id = ${ids['teamId']}`;
      return { service, organisationId, ids: { ...ids, userId }, admin, above: above.custadmin.client };
    }

    it('has a row for every POST below it, and for every PUT of what no POST makes', () => {
      const { routes } = service.app.get(RouteTable);
      const posts = new Set(routes.filter(({ method }) => method === 'POST').map(({ path }) => path));
      const creating = routes.filter(
        ({ method, path }) =>
          path.startsWith('/v1/organisations/:organisationId/') &&
          (method === 'POST' || (method === 'PUT' && !posts.has(path.slice(0, path.lastIndexOf('/'))))),
      );
      expect(creating.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
        Object.keys(rows).sort(),
      );
    });

    const raced = Object.entries(rows).flatMap(([route, row]) =>
      typeof row === 'object' && tried.has(route) ? [[route, row] as const] : [],
    );

    it.each(raced)(
      'by %s leaves none of their records, and no answer is a fault',
      async (route, { prepare, makesUsers = false }) => {
        const world = await makeWorld();
        const { ids, organisationId } = world;
        const path = `/organisations/${organisationId}`;
        const routePath = (route.split(' ')[1] ?? '')
          .replace('/v1/organisations/:organisationId', path)
          .replaceAll(/:(\w+)/g, (_, name: string) => String(ids[name]));
        const prepared: Addition[] = [];
        while (prepared.length < 17) prepared.push(await prepare(world, routePath));
        const send = (additions: readonly Addition[]) => Promise.all(additions.map((add) => add()));
        // One alone, which shows that the body is taken.
        const [first] = await send(prepared.slice(0, 1));
        expect(first?.status).toBeLessThan(300);
        await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${organisationId}`;
        // Half of them come with the deletion, the others when it is about to commit.
        const early = makesUsers ? 1 : 9;
        await using holder = await transactionBeside(service);
        await holder.query(`SELECT pg_advisory_xact_lock(${HELD})`);
        const sentBefore = send(prepared.slice(1, early));
        let isAnswered = false;
        const deletion = admin.delete(path).then((response) => {
          isAnswered = true;
          return response;
        });
        await until(async () => isAnswered || (await isWaiting()));
        const sentMeanwhile = send(prepared.slice(early));
        const additions = Promise.all([sentBefore, sentMeanwhile]);
        // The deletion, and an addition that waits for it; or all are added.
        await untilBlocked(service, additions, 2);
        await holder.query('ROLLBACK');
        expect((await deletion).status).toBe(204);
        for (const { status, body } of (await additions).flat()) {
          expect([200, 201, 204, 400, 404]).toContain(status);
          if (status >= 400) expect(body).toMatchObject({ code: status, reason: expect.any(String) });
        }
        expect(await service.sql(leftRows, [organisationId])).toEqual([]);
      },
    );
  },
);
