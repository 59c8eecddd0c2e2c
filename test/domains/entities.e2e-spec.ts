import type { ImportedEntity } from '@app/records/entities/entity.types';
import { register, registeredEntities } from '../support/factories/records';
import { makeOrganisation, nextNumber } from '../support/factories/factories';
import { describeService } from '../support/service/service';

describeService(['A'], 'the import of entities', (service) => {
  let organisationId: number;
  beforeEach(async () => {
    organisationId = await makeOrganisation(service);
  });

  it('brings an entity up to date where its kind and id are there already', async () => {
    const id = nextNumber();
    const other = await makeOrganisation(service);
    await register(service, { kind: 'system', id, name: 'new', organisationId });
    await register(service, { kind: 'app', id, name: 'an app with the same id', organisationId });
    await register(service, { kind: 'system', id, name: 'moved', organisationId: other });
    expect(await registeredEntities(service, organisationId)).toMatchObject([{ kind: 'app', id }]);
    expect(await registeredEntities(service, other)).toEqual([
      { kind: 'system', id, name: 'moved', domains: null },
    ]);
  });

  it('gives one row to 16 imports of one entity at once', async () => {
    const id = nextNumber();
    const entity: ImportedEntity = { kind: 'domain', id, name: 'vries.nl', organisationId };
    await Promise.all(Array.from({ length: 16 }, () => register(service, entity)));
    expect(await registeredEntities(service, organisationId)).toMatchObject([{ kind: 'domain', id }]);
  });

  const good = { kind: 'system', id: 1_000_000, name: 'x', organisationId: 1 };
  const mailDomain = { id: 1, name: 'x', mailPrimary: true, domaintype: { id: 1, extension: 'nl' } };
  it.each([
    [{ ...good, kind: 'apps' }, 'kind'],
    [{ ...good, id: 0 }, 'id'],
    [{ ...good, id: '7' }, 'id'],
    [{ ...good, id: 2 ** 31 }, 'id'],
    [{ ...good, name: ' ' }, 'name'],
    [{ ...good, name: 'x\0' }, 'name'],
    [{ ...good, name: 'x'.repeat(256) }, 'name'],
    [{ ...good, organisationId: 999_999 }, 'organisationId'],
    [{ ...good, domains: [mailDomain] }, 'domains'],
    [{ ...good, kind: 'mailgroup', domains: {} }, 'domains'],
    [{ ...good, kind: 'mailgroup', domains: [{ ...mailDomain, mailPrimary: 'yes' }] }, 'domains'],
    [{ ...good, kind: 'mailgroup', domains: [{ ...mailDomain, domaintype: null }] }, 'domains'],
  ])('refuses %j on %s', async (entity, field) => {
    await expect(register(service, entity as unknown as ImportedEntity)).rejects.toMatchObject({
      fields: { [field]: [{ reason: expect.any(String) as string, message: expect.any(String) as string }] },
    });
    expect(await service.sql('SELECT FROM entities WHERE object_id = 1000000')).toEqual([]);
  });
});
