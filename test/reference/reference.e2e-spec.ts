import { makeCustomer, makeOrganisation, nextNumber } from '../support/factories/factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { auditRows } from '../support/service/audit';
import { type ApiClient, asAdmin } from '../support/service/client';
import { describeService } from '../support/service/service';

interface Countries {
  readonly countries: readonly { readonly id: string; readonly name: string }[];
}

describeService(SHARED_VARIANTS, 'GET /countries, /roles … of Variant %s', (service, variant) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let plain: ApiClient;

  beforeAll(async () => {
    plain = (await makeCustomer(service)).plain.client;
  });

  const countriesIn = async (language: string): Promise<Countries['countries']> =>
    ((await plain.get('/countries').set('Accept-Language', language).expect(200)).body as Countries)
      .countries;

  it.each([
    ['nl', 'nl', 'Duitsland'],
    ['fr-CA, en;q=0.5', 'fr', 'Allemagne'],
    ['de, en;q=0.1', 'en', 'Germany'],
    ['de', 'en', 'Germany'],
    ['*', 'en', 'Germany'],
    ['en;q=0.2, nl;q=0.9', 'nl', 'Duitsland'],
    ['\u00ff;;q=x', 'en', 'Germany'],
  ])('is in the language of %j: %s', async (asked, language, name) => {
    const response = await plain.get('/countries').set('Accept-Language', asked).expect(200);
    expect(response.headers['content-language']).toBe(language);
    expect(response.headers['vary']).toMatch(/Accept-Language/);
    expect((response.body as Countries).countries).toContainEqual({ id: 'DE', name });
  });

  it('is in English where no language is asked for', async () => {
    const response = await plain.get('/roles').unset('Accept-Language').expect(200);
    expect(response.headers['content-language']).toBe('en');
  });

  it('names every country that an organisation can have, and no other, in every language', async () => {
    const dutch = await countriesIn('nl');
    const english = await countriesIn('en');
    const french = await countriesIn('fr');
    const ids = (countries: Countries['countries']): string[] => countries.map(({ id }) => id).sort();
    expect(english).toHaveLength(250);
    // Left to its users by ISO 3166-1 (rule requests 35).
    for (const countries of [dutch, english, french])
      expect(countries).toContainEqual({ id: 'XK', name: 'Kosovo' });
    expect(ids(dutch)).toEqual(ids(english));
    expect(ids(french)).toEqual(ids(english));
    for (const countries of [dutch, french])
      expect(countries.filter(({ id, name }) => name === id || name === '')).toEqual([]);
    expect(english.findIndex(({ id }) => id === 'AX')).toBeLessThan(
      english.findIndex(({ id }) => id === 'BE'),
    );
    const body = { name: 'Reference', taxNumber: 'R', country: 'AX' };
    const made = await admin.post('/organisations', body).expect(201);
    const { country } = (made.body as { organisation: { country: { id: string; name: string } } })
      .organisation;
    expect(english).toContainEqual(country);
  });

  it('is kept by clients until it changes', async () => {
    for (const path of [
      '/countries',
      '/organisationTypes',
      '/roles',
      '/notificationGroups',
      '/pricegroups',
    ]) {
      const first = await admin.get(path).expect(200);
      const tag = first.headers['etag'] as string;
      expect(tag).toMatch(/^"[\w-]{27}"$/);
      expect(first.headers['cache-control']).toBe('private, no-cache');
      const again = await admin.get(path).set('If-None-Match', `"other", ${tag}`).expect(304);
      expect(again.text).toBe('');
      expect(again.headers['etag']).toBe(tag);
      // As fetch sends it.
      await admin.get(path).set({ 'If-None-Match': tag, 'Cache-Control': 'no-cache' }).expect(304);
      await admin.get(path).set('If-None-Match', '"other"').expect(200);
      const head = await admin.call('head', path).expect(200);
      expect(head.headers['etag']).toBe(tag);
      if (path === '/pricegroups') {
        expect(first.headers['content-language']).toBeUndefined();
        await admin.post(path, { description: `New ${nextNumber()}` }).expect(201);
        await admin.get(path).set('If-None-Match', tag).expect(200);
      } else {
        const dutch = await admin
          .get(path)
          .set('If-None-Match', tag)
          .set('Accept-Language', 'nl')
          .expect(200);
        expect(dutch.headers['etag']).not.toBe(tag);
      }
    }
  });

  it('is for who has a credential, whatever it has kept', async () => {
    const { headers } = await plain.get('/roles').expect(200);
    await admin
      .get('/roles')
      .set('Authorization', 'f'.repeat(64))
      .set('If-None-Match', headers['etag'] as string)
      .expect(401);
  });

  it('comes as csv too', async () => {
    const { text } = await plain.get('/countries?format=csv').set('Accept-Language', 'fr').expect(200);
    expect(text.split('\r\n')).toHaveLength(252);
    expect(text).toMatch(/^id,name\r\nAF,Afghanistan\r\n/);
  });

  describe('…/pricegroups', () => {
    const make = async (description: string): Promise<string> => {
      const { body } = await admin.post('/pricegroups', { description }).expect(201);
      return (body as { pricegroup: { id: string } }).pricegroup.id;
    };

    it('are listed in order, given to organisations and renamed for all of them', async () => {
      const name = `Partners ${nextNumber()}`;
      const id = await make(`  ${name} `);
      const organisationId = await makeOrganisation(service);
      const body = { name: 'Partner', taxNumber: 'P', pricegroup: id };
      await admin.put(`/organisations/${organisationId}`, body).expect(204);
      await admin.put(`/pricegroups/${id}`, { description: `${name} renamed` }).expect(204);
      const { pricegroups } = (await admin.get('/pricegroups').expect(200)).body as {
        pricegroups: { id: string; description: string }[];
      };
      expect(pricegroups[0]).toEqual({ id: '1', description: 'default' });
      expect(pricegroups.at(-1)).toEqual({ id, description: `${name} renamed` });
      const numbers = pricegroups.map((group) => Number(group.id));
      expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
      const refused = await admin.delete(`/pricegroups/${id}`).expect(400);
      expect(refused.body).toMatchObject({ reason: 'IN_USE' });
      const rows = await auditRows(service, `table_name = 'price_groups' AND record_id = $1`, [Number(id)]);
      expect(rows).toMatchObject([
        { action: 'insert', after: { description: name } },
        { action: 'update', before: { description: name }, after: { description: `${name} renamed` } },
      ]);
    });

    it('keep the default, and each its own name', async () => {
      const id = await make(`Single ${nextNumber()}`);
      const { body } = await admin.put(`/pricegroups/${id}`, { description: 'default' }).expect(400);
      expect(body).toMatchObject({ reasons: { description: ['ALREADY_TAKEN'] } });
      await admin.put('/pricegroups/1', { description: 'default' }).expect(204);
      await admin.put('/pricegroups/1', { description: 'Default' }).expect(400);
      await admin.delete('/pricegroups/1').expect(400);
    });

    it('are 500 at most', async () => {
      await service.sql(
        `INSERT INTO price_groups (description) SELECT 'Bulk ' || n FROM generate_series(1, 500 -
           (SELECT count(*)::integer FROM price_groups)) n`,
      );
      const { body } = await admin.post('/pricegroups', { description: 'One more' }).expect(400);
      expect(body).toMatchObject({ reason: 'LIMIT_REACHED', message: 'There are at most 500 price groups.' });
      await service.sql(`DELETE FROM price_groups WHERE description LIKE 'Bulk %'`);
    });
  });

  describe('…/billing', () => {
    /** The columns that each field sets. */
    const FIELDS: readonly (readonly [string, unknown, Record<string, unknown>])[] = [
      ['discount', '10', { discount: '10' }],
      ['discount', 7, { discount: '7' }],
      ['peppolInvoicing', 'true', { peppol_invoicing: true }],
      ['prePaymentRequired', true, { pre_payment_required: true }],
      ['isSoft', 1, { is_soft: true }],
      ['beforeFirstOrder', 'x', { before_first_order: 'x' }],
      ['commissionFactor', '4', { commission_factor: 4 }],
      ['documentInterval', 3, { document_interval: '3' }],
      ['invoiceDay', { min: 4 }, { invoice_day_min: 4 }],
    ];

    it.each(['put', 'patch'] as const)('change one by one, by %s, and nothing else does', async (method) => {
      const organisationId = await makeOrganisation(service);
      const rowOf = async (): Promise<Record<string, unknown>> =>
        (
          await service.sql<{ row: Record<string, unknown> }>(
            `SELECT to_jsonb(o) - '{version,billing_version}'::text[] AS row FROM organisations o WHERE id = $1`,
            [organisationId],
          )
        )[0]?.row ?? {};
      for (const [field, value, columns] of FIELDS) {
        const before = await rowOf();
        await admin[method](`/organisations/${organisationId}/billing`, {
          [field]: value,
          name: 'never',
        }).expect(204);
        expect({ field, row: await rowOf() }).toEqual({ field, row: { ...before, ...columns } });
      }
      const before = await rowOf();
      await admin[method](`/organisations/${organisationId}/billing`, {}).expect(204);
      expect(await rowOf()).toEqual(before);
    });

    it('are what described answers show of them', async () => {
      const organisationId = await makeOrganisation(service);
      const path = `/organisations/${organisationId}`;
      await admin.put(`${path}/billing`, { discount: '5', isSoft: true, peppolInvoicing: true }).expect(204);
      const { organisation } = (await admin.get(path).expect(200)).body as { organisation: object };
      const shown = { discount: '5', isSoft: true, peppolInvoicing: true };
      if (variant === 'A') expect(organisation).toMatchObject(shown);
      else for (const name of Object.keys(shown)) expect(organisation).not.toHaveProperty(name);
    });

    it('are audited, and gone with their organisation', async () => {
      const organisationId = await makeOrganisation(service);
      const path = `/organisations/${organisationId}`;
      await admin.patch(`${path}/billing`, { discount: '5' }).expect(204);
      const rows = await auditRows(service, `table_name = 'organisations' AND record_id = $1`, [
        organisationId,
      ]);
      expect(rows.at(-1)).toMatchObject({ before: { discount: '' }, after: { discount: '5' } });
      await admin.delete(path).expect(204);
      await admin.get(`${path}/billing`).expect(404);
    });
  });
});
