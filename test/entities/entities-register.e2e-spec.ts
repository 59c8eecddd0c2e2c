import type { ImportedEntity } from '@app/records/entities/entity.types';
import { type MadeUser, makeCustomer, makeOrganisation, nextNumber } from '../support/factories/factories';
import { register, registeredEntities } from '../support/factories/records';
import { transactionBeside, untilBlocked } from '../support/faults/locks';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { atOnce } from '../support/service/at-once';
import { type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

const KINDS = [
  ['apps', 'app'],
  ['domains', 'domain'],
  ['mailgroups', 'mailgroup'],
  ['systems', 'system'],
] as const;

describeSharedService(SHARED_VARIANTS, 'PUT and DELETE /entities in Variant %s', (service) => {
  let organisationId: number;
  let custadmin: MadeUser;
  let plain: MadeUser;
  let id: number;

  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  beforeEach(async () => {
    ({ organisationId, custadmin, plain } = await makeCustomer(service));
    id = nextNumber();
  });

  const stored = () => registeredEntities(service, organisationId);

  const mailDomain = {
    id: 7,
    name: 'bakery',
    mailPrimary: true,
    domaintype: { id: 1, name: 'Netherlands', extension: 'nl' },
  };

  async function teamWith(kind: string): Promise<string> {
    const path = `/organisations/${organisationId}/teams`;
    const { body } = await custadmin.client.post(path, { name: 'Web' }).expect(201);
    const team = `${path}/${(body as { team: { id: number } }).team.id}`;
    await custadmin.client.post(`${team}/${kind}`, { objectId: id }).expect(201);
    return team;
  }

  describe('PUT and DELETE of an entity', () => {
    it.each(KINDS)(
      'among %s take it in, change it and take it out, with its teams',
      async (inPaths, kind) => {
        const path = `/entities/${inPaths}/${id}`;
        await admin.put(path, { name: 'first', organisationId: await makeOrganisation(service) }).expect(204);
        await admin.put(path, { name: 'second', organisationId: String(organisationId) }).expect(204);
        expect(await stored()).toEqual([
          { kind, id, name: 'second', domains: kind === 'mailgroup' ? [] : null },
        ]);
        const team = await teamWith(inPaths);
        await admin.delete(path).expect(204);
        expect(await stored()).toEqual([]);
        const { body } = await plain.client.get(team).expect(200);
        expect(body).toMatchObject({ team: { entities: [] } });
        await admin.delete(path).expect(404);
        const logged = await service.sql(
          `SELECT action, actor_user_id AS by FROM audit_log WHERE table_name = 'entities' ORDER BY id DESC LIMIT 3`,
        );
        expect(logged).toEqual(['delete', 'update', 'insert'].map((action) => ({ action, by: 1 })));
      },
    );

    it('keep the domains of a mail group that are left out, and clear those that are null', async () => {
      const path = `/entities/mailgroups/${id}`;
      const put = (body: object) => admin.put(path, { name: 'post', organisationId, ...body }).expect(204);
      await put({ domains: [{ ...mailDomain, id: '7', mailPrimary: 'true' }] });
      await put({ name: 'mail' });
      expect(await stored()).toEqual([{ kind: 'mailgroup', id, name: 'mail', domains: [mailDomain] }]);
      await put({ domains: null });
      expect(await stored()).toMatchObject([{ domains: [] }]);
    });

    it('refuse an unknown owner, and domains of what is no mail group', async () => {
      for (const [body, field] of [
        [{ name: 'x', organisationId: 999_999 }, 'organisationId'],
        [{ name: 'x', organisationId, domains: [mailDomain] }, 'domains'],
      ] as const) {
        const response = await admin.put(`/entities/apps/${id}`, body).expect(400);
        expect(failingFields(response)).toEqual([field]);
      }
      expect(await stored()).toEqual([]);
    });

    it('know no entity by what is no identifier, before they read a body', async () => {
      for (const wrong of ['0', '-1', '01', 'a', '2147483648']) {
        await admin.put(`/entities/apps/${wrong}`, { name: 'shop', organisationId }).expect(404);
        await admin.put(`/entities/apps/${wrong}`, {}).expect(404);
        await admin.delete(`/entities/apps/${wrong}`).expect(404);
      }
    });
  });

  describe('at the same time', () => {
    it('one of 16 DELETEs answers 204, and of 16 PUTs one entity comes', async () => {
      const path = `/entities/systems/${id}`;
      const puts = await atOnce(16, () => admin.put(path, { name: 'web', organisationId }));
      expect(puts.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 204));
      expect(await stored()).toHaveLength(1);
      const deletions = await atOnce(16, () => admin.delete(path));
      expect(deletions.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(15).fill(404)]);
    });

    it('a team does not get an entity that is being taken out', async () => {
      await admin.put(`/entities/apps/${id}`, { name: 'shop', organisationId }).expect(204);
      const path = `/organisations/${organisationId}/teams`;
      const { body } = await custadmin.client.post(path, { name: 'Web' }).expect(201);
      const team = `${path}/${(body as { team: { id: number } }).team.id}`;
      await using removing = await transactionBeside(service);
      await removing.query(`DELETE FROM entities WHERE kind = 'app' AND object_id = $1`, [id]);
      const status = custadmin.client
        .post(`${team}/apps`, { objectId: id })
        .then((response) => response.status);
      await untilBlocked(service, status);
      await removing.query('COMMIT');
      expect(await status).toBe(400);
    });
  });

  describe('the import', () => {
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
      await atOnce(16, () => register(service, entity));
      expect(await registeredEntities(service, organisationId)).toMatchObject([{ kind: 'domain', id }]);
    });

    const good = { kind: 'system', id: 1_000_000, name: 'x', organisationId: 1 };
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
        fields: {
          [field]: [{ reason: expect.any(String) as string, message: expect.any(String) as string }],
        },
      });
      expect(await service.sql('SELECT FROM entities WHERE object_id = 1000000')).toEqual([]);
    });
  });
});
