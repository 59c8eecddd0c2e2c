import { type PerVariant, VARIANTS } from '../../qa/variants';
import { makeCustomer } from '../support/factories/factories';
import { asAdmin, failingFields } from '../support/service/client';
import { useService } from '../support/service/service';

/** Of the fields below, those that the variant has; the others are unknown fields there. */
const FIELDS: PerVariant<readonly string[]> = {
  A: ['bundleProRata', 'city', 'nextInvoiceRun', 'resellerOrganisation'],
  B: ['city', 'resellerOrganisation'],
};

describe.each(VARIANTS)('fields of ADMIN_ONLY_FIELDS in Variant %s', (variant) => {
  const service = useService(variant, {
    settings: { adminOnlyFields: ['nextInvoiceRun', 'bundleProRata', 'city', 'resellerOrganisation'] },
  });

  it('are refused to managers as those of admins are, all of them named; null counts as absent', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const named = { name: 'N', taxNumber: 'T' };
    const fields = {
      city: 'Delft',
      nextInvoiceRun: '1767225600',
      bundleProRata: true,
      resellerOrganisation: organisationId,
    };
    for (const method of ['put', 'patch'] as const) {
      const path = `/organisations/${organisationId}`;
      const refused = await custadmin.client.call(method, path, { ...named, ...fields }).expect(400);
      expect(failingFields(refused)).toEqual(FIELDS[variant]);
      expect(JSON.stringify(refused.body)).toContain('Only an admin can set this field.');
      await service.sql`UPDATE organisations SET external_id = 'kept', next_invoice_run = '2026-01-01', street = ''
        WHERE id = ${organisationId}`;
      const nulls = { externalId: null, nextInvoiceRun: null, resellerOrganisation: null };
      await custadmin.client.call(method, path, { ...named, ...nulls, street: 'S' }).expect(204);
      const [row] = await service.sql`SELECT external_id, next_invoice_run IS NULL AS cleared, street
        FROM organisations WHERE id = ${organisationId}`;
      expect(row).toEqual({ external_id: 'kept', cleared: false, street: 'S' });
      const admin = await asAdmin(service);
      await admin.call(method, path, { ...named, city: 'Delft' }).expect(204);
    }
    const created = await custadmin.client.post('/organisations', { ...named, city: 'Delft' }).expect(400);
    expect(failingFields(created)).toEqual(['city']);
    await custadmin.client.post('/organisations', { ...named, resellerOrganisation: null }).expect(201);
  });
});
