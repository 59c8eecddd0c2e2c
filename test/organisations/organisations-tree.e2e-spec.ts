import { makeCustomer, makeOrganisation } from '../support/factories/factories';
import { transactionBeside, untilItWaits } from '../support/faults/locks';
import { randomNumbers } from '../support/generators/random';
import { treeAndOracle } from '../support/generators/tree-oracle';
import { type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

describeSharedService(['A'], 'PUT and POST …/organisations: the tree', (service) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  const move = (id: number, links: object) =>
    admin.put(`/organisations/${id}`, { name: `Moved ${id}`, taxNumber: 'T', ...links });

  const expectTreeIsRight = async (): Promise<number> => {
    const { stored, computed } = await treeAndOracle(service);
    expect(stored.closure).toEqual(computed.closure);
    expect(stored.counts).toEqual(computed.counts);
    expect(stored.customers).toEqual(computed.customers);
    return computed.closure.length;
  };

  it('refuses circles on the field that would close them', async () => {
    const a = await makeOrganisation(service);
    const b = await makeOrganisation(service, { parentId: a });
    const c = await makeOrganisation(service, { resellerId: b });
    for (const [id, field, target] of [
      [a, 'parentOrganisation', a],
      [a, 'resellerOrganisation', a],
      [a, 'parentOrganisation', b],
      [a, 'parentOrganisation', c],
      [a, 'resellerOrganisation', c],
      [b, 'resellerOrganisation', c],
      [1, 'parentOrganisation', a],
      [1, 'resellerOrganisation', a],
    ] as const) {
      const { body, status } = await move(id, { [field]: target });
      expect({ id, field, target, status, fields: failingFields({ body }) }).toEqual({
        id,
        field,
        target,
        status: 400,
        fields: [field],
      });
    }
    await expectTreeIsRight();
  });

  it('moves a branch with all that lies beneath it, and access with it', async () => {
    const from = await makeCustomer(service);
    const to = await makeCustomer(service);
    const branch = await makeOrganisation(service, { resellerId: from.organisationId });
    const leaf = await makeOrganisation(service, { parentId: branch });
    await from.custadmin.client.get(`/organisations/${leaf}`).expect(200);
    await to.custadmin.client.get(`/organisations/${leaf}`).expect(403);
    await move(branch, { resellerOrganisation: to.organisationId }).expect(204);
    await from.custadmin.client.get(`/organisations/${leaf}`).expect(403);
    await to.custadmin.client.get(`/organisations/${leaf}`).expect(200);
    await move(branch, { resellerOrganisation: null }).expect(204);
    await to.custadmin.client.get(`/organisations/${leaf}`).expect(403);
    await expectTreeIsRight();
  });

  it('lets a manager link only what it reaches to what it reaches', async () => {
    const reseller = await makeCustomer(service);
    const stranger = await makeCustomer(service);
    const customer = await makeOrganisation(service, { resellerId: reseller.organisationId });
    const change = (client: ApiClient, id: number, resellerOrganisation: number | null) =>
      client.put(`/organisations/${id}`, { name: 'x', taxNumber: 'x', resellerOrganisation });
    const { body } = await change(reseller.custadmin.client, customer, stranger.organisationId).expect(400);
    expect(failingFields({ body })).toEqual(['resellerOrganisation']);
    const missing = await change(reseller.custadmin.client, customer, 999_999).expect(400);
    expect(failingFields(missing)).toEqual(['resellerOrganisation']);
    // The reseller above it is out of the customer's own reach, so it cannot be taken away from below.
    const below = await makeCustomer(service, { resellerId: reseller.organisationId });
    await change(below.custadmin.client, below.organisationId, null).expect(204);
    await reseller.custadmin.client.get(`/organisations/${below.organisationId}`).expect(200);
    const taken = await change(below.custadmin.client, below.organisationId, below.organisationId).expect(
      400,
    );
    expect(failingFields(taken)).toEqual(['resellerOrganisation']);
    await change(reseller.custadmin.client, customer, below.organisationId).expect(204);
    await expectTreeIsRight();
  });

  it('stays what the links say after 200 random changes', async () => {
    const random = randomNumbers(20_261_121);
    const ids: number[] = [];
    let answered = { done: 0, refused: 0 };
    const pick = (): number => ids[random(ids.length)] as number;
    for (let step = 0; step < 200; step++) {
      const kind = ids.length < 12 ? 0 : random(10);
      const links = {
        ...(random(4) === 0 && { organisationType: 1 + random(2) }),
        ...(random(2) === 0 && { parentOrganisation: random(5) === 0 || ids.length === 0 ? 1 : pick() }),
        ...(random(2) === 0 && ids.length > 0 && { resellerOrganisation: random(5) === 0 ? null : pick() }),
      };
      const response =
        kind < 2
          ? await admin.post('/organisations', { name: `Random ${step}`, taxNumber: 'T', ...links })
          : kind < 9
            ? await move(pick(), links)
            : await admin.delete(`/organisations/${pick()}`);
      const { status } = response;
      expect([201, 204, 400, 404]).toContain(status);
      if (status === 201) ids.push((response.body as { organisation: { id: number } }).organisation.id);
      answered =
        status < 400
          ? { ...answered, done: answered.done + 1 }
          : { ...answered, refused: answered.refused + 1 };
      if (step % 20 === 19) await expectTreeIsRight();
    }
    expect(answered.done).toBeGreaterThan(80);
    expect(answered.refused).toBeGreaterThan(10);
    expect(await expectTreeIsRight()).toBeGreaterThan(100);
  });

  it('lets 16 moves at once close no circle and lose no count', async () => {
    const ring: number[] = [];
    for (let index = 0; index < 16; index++) ring.push(await makeOrganisation(service));
    const responses = await Promise.all(
      ring.map((id, index) => move(id, { parentOrganisation: ring[(index + 1) % ring.length] })),
    );
    const statuses = responses.map(({ status }) => status);
    // Fifteen links make a chain; the sixteenth, whichever it is, would close the circle.
    expect(statuses.filter((status) => status === 204)).toHaveLength(15);
    expect(statuses.filter((status) => status === 400)).toHaveLength(1);
    await expectTreeIsRight();
  });

  it('makes a move wait for the end of another one, and refuses it if both would close a circle', async () => {
    const a = await makeOrganisation(service);
    const b = await makeOrganisation(service);
    await using other = await transactionBeside(service);
    await other.query('UPDATE organisations SET parent_id = $1 WHERE id = $2', [b, a]);
    const second = move(b, { parentOrganisation: a }).then((response) => response);
    await untilItWaits(other, second);
    await other.query('COMMIT');
    const response = await second;
    expect([response.status, failingFields(response)]).toEqual([400, ['parentOrganisation']]);
    await expectTreeIsRight();
  });
});
