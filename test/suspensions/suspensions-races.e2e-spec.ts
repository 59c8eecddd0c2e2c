import { NotifyBeneathHandler } from '@app/people/suspensions/suspension-notifications';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import {
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  PASSWORD,
} from '../support/factories/factories';
import { makeInvitation, registrationOf } from '../support/factories/invitations-factories';
import { enable, suspend } from '../support/factories/suspensions-factories';
import { transactionBeside } from '../support/faults/locks';
import { rowWorkOf } from '../support/generators/query-cost';
import { atOnce } from '../support/service/at-once';
import { anonymous, type ApiClient, asAdmin } from '../support/service/client';
import { deleteJobs, runJob, runJobs } from '../support/service/jobs';
import { describeService } from '../support/service/service';

const AT_ONCE = 16;

describeService(['A'], 'POST …/actions of organisations at the same time: suspensions', (service) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  const noticesOf = async (id: number): Promise<string[]> => {
    const rows = await service.sql<{ type: string }>(
      `SELECT type FROM notifications WHERE organisation_id = $1 AND entity_class = 'Organisation' ORDER BY id`,
      [id],
    );
    return rows.map(({ type }) => type);
  };

  it('are one, told once, of 16', async () => {
    const id = await makeOrganisation(service);
    const states = await atOnce(AT_ONCE, () => suspend(admin, id));
    expect(states.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill('deactivated'));
    expect(await service.sql`SELECT FROM suspensions WHERE organisation_id = ${id}`).toHaveLength(1);
    expect(await noticesOf(id)).toEqual(['disabled']);
    await atOnce(AT_ONCE, () => enable(admin, id));
    expect(await noticesOf(id)).toEqual(['disabled', 'enabled']);
  });

  it('tell each organisation beneath once, though as many jobs tell it at the same time', async () => {
    const reseller = await makeOrganisation(service);
    const id = await makeOrganisation(service, { resellerId: reseller });
    await suspend(admin, reseller, { withSubOrganisations: true });
    const job = { kind: 'disabled', organisationId: reseller, after: 0 };
    await atOnce(AT_ONCE, () => runJob(service, NotifyBeneathHandler, job));
    expect(await noticesOf(id)).toEqual(['disabled']);
  });

  it('cost one waiting job, however often an organisation with others beneath changes', async () => {
    const reseller = await makeOrganisation(service);
    const id = await makeOrganisation(service, { resellerId: reseller });
    await deleteJobs(service);
    for (let time = 0; time < 3; time++) {
      await suspend(admin, reseller, { withSubOrganisations: true });
      await enable(admin, reseller);
    }
    await suspend(admin, reseller, { withSubOrganisations: true });
    const waiting = await service.sql(
      `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'suspensions.notifyBeneath'`,
    );
    expect(waiting).toHaveLength(1);
    await runJobs(service);
    expect(await noticesOf(id)).toEqual(['disabled']);
    await enable(admin, reseller);
    await runJobs(service);
    expect(await noticesOf(id)).toEqual(['disabled', 'enabled']);
  });

  it('and their ends follow one another: each is told, and the last counts', async () => {
    const id = await makeOrganisation(service);
    await atOnce(AT_ONCE, (index) => (index % 2 === 0 ? suspend : enable)(admin, id));
    const told = await noticesOf(id);
    told.forEach((type, index) => expect(type).toBe(index % 2 === 0 ? 'disabled' : 'enabled'));
    const left = await service.sql`SELECT FROM suspensions WHERE organisation_id = ${id}`;
    expect(left.length === 1).toBe(told.at(-1) === 'disabled');
  });

  it('of a reseller and the operator leave the operator the last word', async () => {
    for (let round = 0; round < 10; round++) {
      const reseller = await makeCustomer(service);
      const id = await makeOrganisation(service, { resellerId: reseller.organisationId });
      const path = `/organisations/${id}/actions`;
      await Promise.all([
        admin.post(path, { type: 'disable', reason: 'operator' }).expect(200),
        reseller.custadmin.client.post(path, { type: 'disable', reason: 'reseller' }),
        reseller.custadmin.client.post(path, { type: 'enable' }),
      ]);
      const rows = await service.sql<{ reason: string }>(
        'SELECT reason FROM suspensions WHERE organisation_id = $1',
        [id],
      );
      expect(rows).toEqual([{ reason: 'operator' }]);
    }
  });

  it('let registrations of before through, and none after', async () => {
    for (let round = 0; round < 5; round++) {
      const { organisationId, custadmin } = await makeCustomer(service);
      const invitations = await Promise.all(
        Array.from({ length: 4 }, () => makeInvitation(service, { organisationId, inviterId: custadmin.id })),
      );
      const register = (index: number) => {
        const invitation = invitations[index] as (typeof invitations)[number];
        return anonymous(service).post(
          `/registerInvitation/${invitation.token}`,
          registrationOf(invitation, PASSWORD),
        );
      };
      const [, ...statuses] = await Promise.all([
        suspend(admin, organisationId),
        ...[0, 1, 2].map((index) => register(index).then(({ status }) => status)),
      ]);
      expect(statuses.every((status) => [201, 400].includes(status))).toBe(true);
      await register(3).expect(400);
      const users = await service.sql`SELECT id FROM users WHERE organisation_id = ${organisationId}`;
      expect(users).toHaveLength(2 + statuses.filter((status) => status === 201).length);
    }
  });

  it('are not left by a move that runs while an admin moves the organisation beneath them', async () => {
    for (let round = 0; round < 5; round++) {
      const reseller = await makeCustomer(service);
      const beneath = (resellerId: number) => makeOrganisation(service, { resellerId });
      const suspended = await beneath(reseller.organisationId);
      const free = await beneath(reseller.organisationId);
      const id = await beneath(free);
      await suspend(admin, suspended, { withSubOrganisations: true });
      const move = (client: ApiClient, to: number) =>
        client.put(`/organisations/${id}`, {
          name: 'Moved',
          taxNumber: 'NL1',
          resellerOrganisation: String(to),
        });
      const [moved, ...others] = await Promise.all([
        move(admin, suspended),
        ...Array.from({ length: AT_ONCE }, (_, index) =>
          move(reseller.custadmin.client, index % 2 === 0 ? reseller.organisationId : free),
        ),
      ]);
      expect(moved.status).toBe(204);
      expect(others.filter(({ status }) => ![204, 403].includes(status))).toEqual([]);
      const [{ resellerId } = {}] = await service.sql<{ resellerId: number }>(
        'SELECT reseller_id AS "resellerId" FROM organisations WHERE id = $1',
        [id],
      );
      expect(resellerId).toBe(suspended);
    }
  });
});

describeService(['A'], 'the price of suspensions', (service) => {
  const BENEATH = 2000;
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let reseller: number;
  let user: MadeUser;

  beforeAll(async () => {
    reseller = await makeOrganisation(service);
    await service.sql`INSERT INTO organisations (name, tax_number, parent_id, reseller_id)
       SELECT 'Customer ' || n, 'NL' || n, 1, ${reseller} FROM generate_series(1, ${BENEATH}) n`;
    const [last] = await service.sql<{ id: number }>('SELECT max(id) AS id FROM organisations');
    user = await makeUser(service, { organisationId: last?.id as number });
  });

  /** Rows that an allowed request touches. */
  const work = () => rowWorkOf(service.database.url, () => user.client.get('/whoami').expect(200));
  const suspendOthers = (count: number) =>
    service.sql`INSERT INTO suspensions (organisation_id, itself, beneath, reason, by_user_id, by_organisation_id)
       SELECT id, true, true, '', 1, 1 FROM organisations WHERE reseller_id = ${reseller}
         ORDER BY id LIMIT ${count}
       ON CONFLICT DO NOTHING`;

  it('is the same for a request, whether none or all others are suspended, and whatever PostgreSQL knows of it', async () => {
    const before = await work();
    await suspendOthers(BENEATH - 1);
    expect(await work()).toBeLessThanOrEqual(before + 10);
    await service.sql('ANALYZE');
    expect(await work()).toBeLessThanOrEqual(before + 10);
    await service.sql('DELETE FROM suspensions');
  });

  it('is the same for a tree of 2,000 as for one organisation, and holds up no change of the tree', async () => {
    const written = async (action: () => Promise<unknown>) => {
      const count = async () => {
        const [row] = await service.sql<{ rows: number }>(
          `SELECT ((SELECT count(*) FROM audit_log) + (SELECT count(*) FROM notifications)
             + (SELECT count(*) FROM ${JOB_TABLE}))::integer AS rows`,
        );
        return row?.rows ?? 0;
      };
      const before = await count();
      await action();
      return (await count()) - before;
    };
    // Somebody changes the tree meanwhile, which is locked.
    await using other = await transactionBeside(service);
    await other.query('SELECT pg_advisory_xact_lock(7218450001)');
    // A row of the audit log, a notification and its job; the job that tells those beneath.
    expect(await written(() => suspend(admin, reseller, { withSubOrganisations: true }))).toBe(4);
    await user.client.get('/whoami').expect(401);
    // The job that tells those beneath waits still.
    expect(await written(() => enable(admin, reseller))).toBe(3);
    await user.client.get('/whoami').expect(200);
  });
});
