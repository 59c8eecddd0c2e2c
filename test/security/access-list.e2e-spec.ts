import { makeCustomer, makeGrant, makeUser } from '../support/factories/factories';
import { makeHeldOrganisation } from '../support/factories/access-holders';
import { makeApiKey, makeServiceKey } from '../support/factories/key-factories';
import { suspend } from '../support/factories/suspensions-factories';
import { accessListOf, contradictions, evaluatedAccess, idsOf } from '../support/service/access-lists';
import { AuthzenClient } from '../support/service/authzen';
import { type ApiClient, asAdmin } from '../support/service/client';
import { describeService, useMade } from '../support/service/service';
import { VARIANTS } from '../support/service/variants';

describeService(VARIANTS, 'who has access, in Variant %s', (service) => {
  const admin = useMade(() => asAdmin(service));

  it('tells how each has access, and with what', async () => {
    const reseller = await makeCustomer(service, { name: 'Reseller' });
    const { organisationId, custadmin, plain } = await makeCustomer(service, {
      ...{ name: 'Customer', resellerId: reseller.organisationId },
    });
    const agency = await makeCustomer(service, { name: 'Agency' });
    await makeGrant(service, organisationId, agency.organisationId);
    const [grant] = await service.sql<{ id: number }>`SELECT id FROM acls
      WHERE organisation_id = ${organisationId}`;
    const key = await makeServiceKey(service, organisationId, { operations: ['organisations.*'] });
    // It may not delete its own organisation, and does nothing else.
    await makeServiceKey(service, organisationId, { operations: ['organisations.delete'], beneath: true });
    await makeServiceKey(service, organisationId, { expiresIn: '-1 day' });
    await makeUser(service, { organisationId, enabled: false });
    await makeApiKey(service, plain.id);
    await makeApiKey(service, plain.id, { expiresIn: '-1 day' });
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${plain.id}`;
    await service.sql`UPDATE logins SET last_used_at = to_timestamp(1700000000) WHERE user_id = ${plain.id}`;
    await service.sql`INSERT INTO passkeys
        (user_id, name, credential_id, public_key, counter, backed_up, backup_eligible)
      VALUES (${plain.id}, 'Telephone', 'a', 'b', 0, false, false)`;

    const own = { organisation: { id: organisationId, name: 'Customer' }, by: 'own', grantId: null };
    const bare = { secondFactor: false, passkeys: 0, apiKeys: 0, dtLastUsed: expect.any(String) as string };
    const masked = { id: 0, name: '', by: 'above', access: 'manage', roles: [], grantId: null };
    const granted = {
      ...{ kind: 'user', organisation: { id: agency.organisationId, name: '' }, by: 'grant' },
      ...{ access: 'read', grantId: grant?.id, ...bare },
    };
    const { total, access } = await accessListOf(custadmin.client, organisationId);
    const rows = [
      { kind: 'operator', ...masked, organisation: { id: 1, name: '' }, ...bare, dtLastUsed: '' },
      {
        ...{ kind: 'manager', ...masked, organisation: { id: reseller.organisationId, name: '' } },
        ...{ ...bare, dtLastUsed: '' },
      },
      {
        ...{ kind: 'serviceKey', id: key.id, name: key.name, ...own, access: 'manage', roles: [], ...bare },
        dtLastUsed: '',
      },
      {
        ...{ kind: 'user', id: custadmin.id, name: custadmin.username, ...own, access: 'manage' },
        ...{ roles: ['ROLE_CUSTADMIN'], ...bare },
      },
      {
        ...{ kind: 'user', id: plain.id, name: plain.username, ...own, access: 'read', roles: [] },
        ...{ secondFactor: true, passkeys: 1, apiKeys: 1, dtLastUsed: '1700000000' },
      },
      {
        ...granted,
        ...{ id: agency.custadmin.id, name: agency.custadmin.username, roles: ['ROLE_CUSTADMIN'] },
      },
      { ...granted, id: agency.plain.id, name: agency.plain.username, roles: [] },
    ];
    const byWhom = (one: { kind: string; id: number }) => `${one.kind} ${one.id}`;
    expect([...access].sort((a, b) => byWhom(a).localeCompare(byWhom(b)))).toEqual(
      rows.sort((a, b) => byWhom(a).localeCompare(byWhom(b))),
    );
    expect(total).toBe(rows.length);

    // The reseller reads the names of its own people, not those of the operator.
    const above = await accessListOf(reseller.custadmin.client, organisationId);
    expect(above.access).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'user', id: reseller.custadmin.id, name: reseller.custadmin.username, by: 'above' },
        ...{ access: 'manage', organisation: { id: reseller.organisationId, name: 'Reseller' } },
      }),
    );
    expect(idsOf(above.access, 'user')).not.toContain(reseller.plain.id);
    expect(above.access.filter(({ kind }) => kind === 'operator')).toHaveLength(1);
    expect(above.access.filter(({ kind }) => kind === 'manager')).toEqual([]);

    const filterFor = async (reader: ApiClient, filter: string): Promise<number[]> =>
      (await accessListOf(reader, organisationId, `filter=${encodeURIComponent(filter)}`)).access.map(
        ({ id }) => id,
      );
    expect(await filterFor(custadmin.client, plain.username.toUpperCase())).toEqual([plain.id]);
    expect(await filterFor(custadmin.client, reseller.custadmin.username)).toEqual([]);
    expect(await filterFor(admin, reseller.custadmin.username)).toEqual([reseller.custadmin.id]);

    const csv = await custadmin.client
      .get(`/organisations/${organisationId}/access`)
      .set('Accept', 'text/csv')
      .expect(200);
    expect(csv.text.trim().split(/\r?\n/)).toHaveLength(rows.length + 1);
  });

  it('leaves out the users of a suspended organisation at once', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const agency = await makeCustomer(service);
    await makeGrant(service, organisationId, agency.organisationId);
    expect(idsOf((await accessListOf(custadmin.client, organisationId)).access, 'user')).toContain(
      agency.plain.id,
    );
    await suspend(admin, agency.organisationId);
    expect(idsOf((await accessListOf(custadmin.client, organisationId)).access, 'user')).not.toContain(
      agency.plain.id,
    );
  });

  it.each([
    ['an organisation', { demands: false, isSuspended: false }],
    ['one that demands a second factor', { demands: true, isSuspended: false }],
    ['a suspended one', { demands: false, isSuspended: true }],
  ])('says what evaluation says, by whatever way somebody has access to %s', async (_, state) => {
    const { organisationId, custadmin, reseller, holders, suspended } = await makeHeldOrganisation(
      service,
      state,
    );
    for (const id of suspended) await suspend(admin, id);
    const evaluated = await evaluatedAccess(new AuthzenClient(service, admin), holders, organisationId);
    expect(holders.map(({ who }, index) => `${who}: ${evaluated[index]}`)).toEqual(
      holders.map(({ who, expected }) => `${who}: ${expected}`),
    );
    for (const reader of [admin, reseller.client, ...(state.isSuspended ? [] : [custadmin.client])]) {
      const { access } = await accessListOf(reader, organisationId);
      expect(contradictions(access, holders, evaluated)).toEqual([]);
    }
  });
});
