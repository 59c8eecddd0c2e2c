import { makeCustomer, makeOrganisation } from '../support/factories/factories';
import { makeServiceKey } from '../support/factories/key-factories';
import { treeAndOracle } from '../support/generators/tree-oracle';
import { type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { useService } from '../support/service/service';

const service = useService('A');

describe('PUT …/organisations: the customer of an organisation', () => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  const change = (id: number, fields: object, client = admin) =>
    client.patch(`/organisations/${id}`, { name: `Changed ${id}`, taxNumber: 'T', ...fields });

  async function customersOf(...ids: number[]): Promise<number[]> {
    const rows = await service.sql<{ id: number; customer: number }>(
      'SELECT id, customer_id AS customer FROM organisations WHERE id = ANY ($1)',
      [ids],
    );
    return ids.map((id) => rows.find((row) => row.id === id)?.customer ?? 0);
  }

  const expectAllRight = async (): Promise<void> => {
    const { stored, computed } = await treeAndOracle(service);
    expect(stored.customers).toEqual(computed.customers);
  };

  it('is the last one before the operator or a reseller, over the parent before the reseller', async () => {
    const top = await makeOrganisation(service);
    const below = await makeOrganisation(service, { resellerId: top });
    const deep = await makeOrganisation(service, { parentId: below });
    const reseller = await makeOrganisation(service, { isReseller: true });
    const sold = await makeOrganisation(service, { resellerId: reseller });
    const ofSold = await makeOrganisation(service, { resellerId: sold });
    const subReseller = await makeOrganisation(service, { parentId: reseller, isReseller: true });
    const ofSub = await makeOrganisation(service, { parentId: subReseller });
    const both = await makeOrganisation(service, { parentId: below, resellerId: sold });
    expect(await customersOf(1, top, below, deep, both)).toEqual([1, top, top, top, top]);
    expect(await customersOf(reseller, sold, ofSold)).toEqual([reseller, sold, sold]);
    expect(await customersOf(subReseller, ofSub)).toEqual([subReseller, ofSub]);
    await expectAllRight();
  });

  it('moves with its branch, but those of a reseller keep theirs', async () => {
    const [from, to] = [await makeOrganisation(service), await makeOrganisation(service)];
    const branch = await makeOrganisation(service, { resellerId: from });
    const leaf = await makeOrganisation(service, { parentId: branch });
    const reseller = await makeOrganisation(service, { resellerId: branch, isReseller: true });
    const sold = await makeOrganisation(service, { resellerId: reseller });
    expect(await customersOf(leaf, reseller, sold)).toEqual([from, from, sold]);
    await change(branch, { resellerOrganisation: to }).expect(204);
    expect(await customersOf(branch, leaf, reseller, sold)).toEqual([to, to, to, sold]);
    await change(branch, { resellerOrganisation: null }).expect(204);
    expect(await customersOf(branch, leaf, reseller, sold)).toEqual([branch, branch, branch, sold]);
    // A second link leads nowhere else.
    await change(leaf, { resellerOrganisation: to }).expect(204);
    expect(await customersOf(leaf)).toEqual([branch]);
    await change(leaf, { parentOrganisation: 1 }).expect(204);
    expect(await customersOf(leaf)).toEqual([to]);
    await admin.delete(`/organisations/${sold}`).expect(204);
    await expectAllRight();
  });

  it('changes when an admin gives and takes the type Reseller, and the audit log has it for admins', async () => {
    const top = await makeOrganisation(service);
    const below = await makeOrganisation(service, { parentId: top });
    const deep = await makeOrganisation(service, { resellerId: below });
    await change(top, { organisationType: 2 }).expect(204);
    expect(await customersOf(top, below, deep)).toEqual([top, below, below]);
    await change(top, { organisationType: 2 }).expect(204);
    await change(top, { organisationType: 1 }).expect(204);
    expect(await customersOf(top, below, deep)).toEqual([top, top, top]);
    const { body } = await admin.post('/organisations', {
      name: 'New',
      taxNumber: 'T',
      organisationType: 2,
    });
    const { id } = (body as { organisation: { id: number } }).organisation;
    const sold = await makeOrganisation(service, { resellerId: id });
    expect(await customersOf(sold)).toEqual([sold]);
    const rows = await service.sql(
      `SELECT DISTINCT key FROM audit_log, jsonb_object_keys(after) key
       WHERE table_name = 'organisations' AND action = 'update' AND record_id IN (${top}, ${below}, ${deep})`,
    );
    expect(rows.map(({ key }) => key as string).sort()).toEqual([
      'is_reseller',
      'name',
      'organisation_type',
      'tax_number',
    ]);
    await expectAllRight();
  });

  it('stays when anybody else sends a type, which is stored and shown; Operator is refused', async () => {
    const { organisationId, custadmin } = await makeCustomer(service, { isReseller: true });
    const own = await makeCustomer(service, { resellerId: organisationId });
    const below = await makeOrganisation(service, { parentId: own.organisationId });
    const typeOf = async (id: number) =>
      (
        (await admin.get(`/organisations/${id}`)).body as {
          organisation: { organisationType: { identifier: number } };
        }
      ).organisation.organisationType.identifier;

    await change(own.organisationId, { organisationType: 2 }, own.custadmin.client).expect(204);
    expect(await typeOf(own.organisationId)).toBe(2);
    expect(await customersOf(below)).toEqual([own.organisationId]);
    // A panel of admins repeats all fields.
    await change(own.organisationId, { organisationType: 2 }).expect(204);
    expect(await customersOf(below)).toEqual([own.organisationId]);
    await change(organisationId, { organisationType: 1 }, custadmin.client).expect(204);
    expect(await customersOf(own.organisationId)).toEqual([own.organisationId]);

    const refused = await change(organisationId, { organisationType: 3 }, custadmin.client).expect(400);
    expect(failingFields(refused)).toEqual(['organisationType']);
    const { client: key } = await makeServiceKey(service, organisationId, {
      operations: ['organisations.create'],
    });
    await key.post('/organisations', { name: 'X', taxNumber: 'T', organisationType: 3 }).expect(400);
    await change(own.organisationId, { organisationType: 3 }).expect(204);
    await change(own.organisationId, { organisationType: 3 }, own.custadmin.client).expect(204);
    await expectAllRight();
  });

  it('is right for rows that one statement inserts in any order', async () => {
    await service.sql(
      `INSERT INTO organisations (id, name, tax_number, parent_id, reseller_id, organisation_type, is_reseller) VALUES
        (900001, 'deep', 'T', 900003, NULL, 1, false), (900002, 'deeper', 'T', 1, 900001, 1, false),
        (900003, 'middle', 'T', 1, 900009, 1, false), (900004, 'of reseller', 'T', 900005, NULL, 1, false),
        (900005, 'reseller', 'T', 1, 900003, 2, true), (900009, 'top', 'T', 1, NULL, 1, false)`,
    );
    expect(await customersOf(900_001, 900_002, 900_003, 900_004, 900_005, 900_009)).toEqual([
      900_009, 900_009, 900_009, 900_004, 900_009, 900_009,
    ]);
    await expectAllRight();
  });

  it('is right after 16 moves and changes of types at once', async () => {
    const tops = [await makeOrganisation(service), await makeOrganisation(service)];
    const branches: number[] = [];
    for (let index = 0; index < 8; index++) {
      const branch = await makeOrganisation(service, { resellerId: tops[index % 2] as number });
      await makeOrganisation(service, { parentId: branch });
      await makeOrganisation(service, { resellerId: branch });
      branches.push(branch);
    }
    const responses = await Promise.all(
      branches.flatMap((branch, index) => [
        change(branch, { resellerOrganisation: branches[(index + 3) % 8] }),
        change(branch, { organisationType: 2 }),
      ]),
    );
    const statuses = new Set(responses.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([204, 400]);
    await expectAllRight();
  });
});
