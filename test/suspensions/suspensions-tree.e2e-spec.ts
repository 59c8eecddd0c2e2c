import { suspension, suspensionState } from '../../qa/responses';
import {
  type Customer,
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
} from '../support/factories/factories';
import { enable, stateOf, suspend } from '../support/factories/suspensions-factories';
import { apiKeyClientOf, makeAdmin } from '../support/factories/users-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { type ApiClient, asAdmin } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';
import { makeOlder } from '../support/service/time';

describeSharedService(SHARED_VARIANTS, 'POST …/actions: suspending a tree in Variant %s', (service) => {
  /** A reseller, its customer over a reseller link, and that one's own over a parent link. */

  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let reseller: Customer;
  let customer: Customer;
  let branch: Customer;
  beforeEach(async () => {
    reseller = await makeCustomer(service);
    customer = await makeCustomer(service, { resellerId: reseller.organisationId });
    branch = await makeCustomer(service, { parentId: customer.organisationId });
  });

  /** Which of them are let in: reseller, customer, branch. */
  const letIn = () =>
    Promise.all(
      [reseller, customer, branch].map(
        async ({ plain }) => (await plain.client.get('/whoami')).status === 200,
      ),
    );

  it('refuses all beneath over parent and reseller links, to any depth, where it is asked for', async () => {
    await suspend(admin, reseller.organisationId);
    expect(await letIn()).toEqual([false, true, true]);
    await suspend(admin, reseller.organisationId, { withSubOrganisations: true });
    expect(await letIn()).toEqual([false, false, false]);
    await enable(admin, reseller.organisationId);
    expect(await letIn()).toEqual([true, true, true]);
  });

  it('holds for what is created or moved beneath later, and not for what is moved away', async () => {
    await suspend(admin, reseller.organisationId, { withSubOrganisations: true });
    const { body } = await admin
      .post('/organisations', {
        name: 'Later',
        taxNumber: 'NL2',
        parentOrganisation: String(branch.organisationId),
      })
      .expect(201);
    const { id } = (body as { organisation: { id: number } }).organisation;
    const late = await makeUser(service, { organisationId: id });
    await late.client.get('/whoami').expect(401);

    const names = { name: 'Branch', taxNumber: 'NL3' };
    const move = (parentOrganisation: number) =>
      admin
        .put(`/organisations/${branch.organisationId}`, {
          ...names,
          parentOrganisation: String(parentOrganisation),
        })
        .expect(204);
    await move(1);
    expect(await letIn()).toEqual([false, false, true]);
    await late.client.get('/whoami').expect(200);
    await move(reseller.organisationId);
    expect(await letIn()).toEqual([false, false, false]);
  });

  it('leaves what was suspended on its own when the tree is enabled, and the other way round', async () => {
    await suspend(admin, customer.organisationId);
    await suspend(admin, reseller.organisationId, { withSubOrganisations: true });
    await enable(admin, reseller.organisationId, { withSubOrganisations: true });
    expect(await letIn()).toEqual([true, false, true]);

    await suspend(admin, reseller.organisationId, { withSubOrganisations: true });
    expect((await enable(admin, customer.organisationId)).status).toBe('deactivated');
    expect(await letIn()).toEqual([false, false, false]);
    await enable(admin, reseller.organisationId);
    expect(await letIn()).toEqual([true, true, true]);
  });

  it('keeps two trees apart that lie in one another', async () => {
    await suspend(admin, reseller.organisationId, { withSubOrganisations: true });
    await suspend(admin, customer.organisationId, { withSubOrganisations: true });
    await enable(admin, reseller.organisationId);
    expect(await letIn()).toEqual([true, false, false]);
    await enable(admin, customer.organisationId);
    expect(await letIn()).toEqual([true, true, true]);
  });

  it('lets the organisation itself in alone, and takes the tree out of it, where that is said', async () => {
    await suspend(admin, reseller.organisationId, { withSubOrganisations: true });
    const { status, suspensions } = await enable(admin, reseller.organisationId, {
      withSubOrganisations: false,
    });
    expect(await letIn()).toEqual([true, false, false]);
    expect(status).toBe('ok');
    expect(suspensions).toEqual([expect.objectContaining({ itself: false, withSubOrganisations: true })]);

    // Suspended once more: what lies beneath stays as it is unless that is said too.
    await suspend(admin, reseller.organisationId);
    expect(await letIn()).toEqual([false, false, false]);
    await suspend(admin, reseller.organisationId, { withSubOrganisations: false });
    expect(await letIn()).toEqual([false, true, true]);
    await enable(admin, reseller.organisationId, { withSubOrganisations: false });
    expect(await letIn()).toEqual([true, true, true]);
    expect((await stateOf(admin, reseller.organisationId)).suspensions).toEqual([]);
  });

  it('is not undone by whoever stands beneath who did it', async () => {
    const path = `/organisations/${branch.organisationId}/actions`;
    await suspend(admin, branch.organisationId, { reason: 'spam' });
    for (const type of ['enable', 'disable']) {
      const { body } = await reseller.custadmin.client.post(path, { type }).expect(403);
      expect(body).toMatchObject({ reason: 'SUSPENDED_FROM_ABOVE' });
    }
    expect((await stateOf(admin, branch.organisationId)).suspensions[0]?.reason).toBe('spam');

    await enable(admin, branch.organisationId);
    await suspend(reseller.custadmin.client, branch.organisationId);
    await customer.custadmin.client.post(path, { type: 'enable' }).expect(403);
    await enable(reseller.custadmin.client, branch.organisationId);
    await suspend(customer.custadmin.client, branch.organisationId);
    await enable(reseller.custadmin.client, branch.organisationId);
    await suspend(customer.custadmin.client, branch.organisationId);
    expect((await enable(admin, branch.organisationId)).status).toBe('ok');
  });

  it('can be undone by who manages an organisation that has left the reach of who suspended it', async () => {
    await suspend(reseller.custadmin.client, customer.organisationId);
    const elsewhere = await makeCustomer(service);
    await service.sql`UPDATE organisations SET reseller_id = ${elsewhere.organisationId}
       WHERE id = ${customer.organisationId}`;
    await enable(elsewhere.custadmin.client, customer.organisationId);
    expect(await letIn()).toEqual([true, true, true]);
  });

  describe('and a move by a manager', () => {
    const moved = (client: ApiClient, id: number, to: number) =>
      client.put(`/organisations/${id}`, {
        name: 'Moved',
        taxNumber: 'NL3',
        resellerOrganisation: String(to),
      });
    const refused = async (user: MadeUser, id: number, to: number) => {
      const { body } = await moved(user.client, id, to).expect(403);
      expect(body).toMatchObject({ code: 403, reason: 'SUSPENDED_FROM_ABOVE' });
    };

    it('that would lift what it may not lift is refused, of the organisation and of what lies above it', async () => {
      const leaf = await makeCustomer(service, { resellerId: customer.organisationId });
      const beneath = await makeCustomer(service, { resellerId: leaf.organisationId });
      const free = await makeOrganisation(service, { resellerId: reseller.organisationId });
      await suspend(admin, customer.organisationId, { withSubOrganisations: true });
      for (const to of [reseller.organisationId, free])
        await refused(reseller.custadmin, leaf.organisationId, to);
      await refused(reseller.custadmin, beneath.organisationId, free);
      await beneath.plain.client.get('/whoami').expect(401);
      const key = await apiKeyClientOf(service, reseller.custadmin.id);
      await moved(key, leaf.organisationId, free).expect(403);

      // Nothing is lifted where it stays beneath, or where the suspension goes along.
      await moved(reseller.custadmin.client, beneath.organisationId, customer.organisationId).expect(204);
      await moved(reseller.custadmin.client, customer.organisationId, free).expect(204);
      await beneath.plain.client.get('/whoami').expect(401);
      await moved(admin, beneath.organisationId, free).expect(204);
      await beneath.plain.client.get('/whoami').expect(200);
    });

    it('is free where it may lift the suspension itself', async () => {
      const leaf = await makeCustomer(service, { resellerId: customer.organisationId });
      await suspend(reseller.custadmin.client, customer.organisationId, { withSubOrganisations: true });
      await leaf.plain.client.get('/whoami').expect(401);
      await moved(reseller.custadmin.client, leaf.organisationId, reseller.organisationId).expect(204);
      await leaf.plain.client.get('/whoami').expect(200);
    });

    it('that would take the suspended out of the reach of who suspended it is refused', async () => {
      // Beneath the suspender over its parent link, and beneath the mover over its reseller link.
      const suspender = await makeCustomer(service);
      const between = await makeOrganisation(service, {
        parentId: suspender.organisationId,
        resellerId: reseller.organisationId,
      });
      const leaf = await makeCustomer(service, { resellerId: between });
      await suspend(suspender.custadmin.client, leaf.organisationId);
      await refused(reseller.custadmin, leaf.organisationId, reseller.organisationId);
      const state = await stateOf(admin, leaf.organisationId);
      expect(state.status).toBe('deactivated');
    });
  });

  it('is told whole: state, reason, since and by whom, of every organisation that has a part in it', async () => {
    const manager = await makeAdmin(service);
    const begun = Math.floor(Date.now() / 1000);
    const ofBranch = await suspend(reseller.custadmin.client, branch.organisationId, { reason: ' unpaid ' });
    await suspend(manager.client, reseller.organisationId, { withSubOrganisations: true, reason: 'spam' });
    const since = expect.stringMatching(/^\d{10}$/) as string;
    const own = suspension({
      organisation: { id: branch.organisationId, name: ofBranch.name },
      reason: 'unpaid',
      since,
      by: { id: reseller.custadmin.id, fullname: 'Jan de Vries' },
    });
    expect(ofBranch).toEqual(
      suspensionState({
        id: branch.organisationId,
        name: expect.stringContaining('Organisation') as string,
        status: 'deactivated',
        suspensions: [own],
      }),
    );
    expect(Math.abs(Number(ofBranch.suspensions[0]?.since) - begun)).toBeLessThan(60);
    const state = await stateOf(admin, branch.organisationId);
    expect(state.suspensions).toEqual([
      own,
      suspension({
        organisation: {
          id: reseller.organisationId,
          name: expect.stringContaining('Organisation') as string,
        },
        withSubOrganisations: true,
        reason: 'spam',
        since,
        by: { id: manager.id, fullname: 'Jan de Vries' },
      }),
    ]);
    await service.sql`UPDATE users SET deleted_at = now() WHERE id = ${reseller.custadmin.id}`;
    expect((await stateOf(admin, branch.organisationId)).suspensions[0]?.by).toEqual({
      id: reseller.custadmin.id,
      fullname: '',
    });
    await branch.plain.client.get(`/organisations/${branch.organisationId}/actions`).expect(401);
  });

  it('does not tell a manager about organisations that it does not reach', async () => {
    const other = await makeCustomer(service);
    await service.sql`UPDATE organisations SET reseller_id = ${other.organisationId}
       WHERE id = ${branch.organisationId}`;
    await suspend(admin, customer.organisationId, { withSubOrganisations: true, reason: 'between others' });
    const state = await stateOf(other.custadmin.client, branch.organisationId);
    expect(state).toMatchObject({ status: 'deactivated' });
    expect(state.suspensions).toEqual([
      suspension({
        organisation: null,
        withSubOrganisations: true,
        since: expect.stringMatching(/^\d{10}$/) as string,
        by: null,
      }),
    ]);
    await other.plain.client.get(`/organisations/${other.organisationId}/actions`).expect(500);
  });

  it('tells who did it to those who reach that user, and the reason to every manager', async () => {
    await suspend(admin, customer.organisationId, { reason: 'unpaid' });
    const seenBy = async (client: ApiClient) => (await stateOf(client, customer.organisationId)).suspensions;
    expect(await seenBy(reseller.custadmin.client)).toMatchObject([{ reason: 'unpaid', by: null }]);
    expect(await seenBy(admin)).toMatchObject([{ reason: 'unpaid', by: { id: 1 } }]);
    await enable(admin, customer.organisationId);
    await suspend(reseller.custadmin.client, customer.organisationId);
    expect(await seenBy(reseller.custadmin.client)).toMatchObject([{ by: { id: reseller.custadmin.id } }]);
  });

  it('keeps since when it is suspended, and who said why last', async () => {
    const first = await suspend(admin, customer.organisationId, { reason: 'first' });
    await makeOlder(service, 'suspensions', { organisation_id: customer.organisationId }, '2 days');
    const second = await makeAdmin(service);
    const { suspensions } = await suspend(second.client, customer.organisationId, { reason: 'second' });
    expect(suspensions).toMatchObject([{ reason: 'second', by: { id: second.id } }]);
    expect(Number(first.suspensions[0]?.since) - Number(suspensions[0]?.since)).toBe(2 * 86_400);
  });

  it('goes with the organisation when that is deleted', async () => {
    const empty = await makeOrganisation(service);
    await suspend(admin, empty);
    await admin.delete(`/organisations/${empty}`).expect(204);
    expect(await service.sql`SELECT 1 FROM suspensions WHERE organisation_id = ${empty}`).toEqual([]);
  });
});
