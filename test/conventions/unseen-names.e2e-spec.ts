import request from 'supertest';
import { type MadeUser, makeCustomer, nextNumber } from '../support/factories/factories';
import { insertRow } from '../support/factories/insert-row';
import { newPublicKey } from '../support/factories/key-factories';
import { pathOf } from '../support/factories/users-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { type TestService } from '../support/service/service';
import { describeSharedService, useSharedService } from '../support/service/shared-services';

/**
 * Texts of which nobody sees anything: zero width, a filler, a pattern without dots, a joiner,
 * marks of direction and blanks.
 */
const UNSEEN = [
  '\u200b',
  '\u3164',
  '\u2800',
  '\u2060',
  '\u00ad\u200d',
  '\u115f\u180e',
  '\u200e \u3000\ufeff',
];

/** A record with a name: where it is made and changed, and what else the body holds. */
interface Named {
  readonly field?: 'firstName' | 'lastName';
  readonly create?: string;
  readonly update?: string;
  readonly rest?: object;
}

interface Scene {
  readonly service: TestService;
  readonly organisationId: number;
  readonly plain: MadeUser;
}

const inDay = new Date(Date.now() + 86_400_000);
const bytes = (): Buffer => Buffer.from(`${nextNumber()}`.padStart(32, '0'));

/** Each kind of record; a stored one holds the name `unseen` already. */
const RECORDS: Readonly<Record<string, (scene: Scene, unseen: string) => Promise<Named>>> = {
  '/organisations': async ({ service }, name) => {
    const id = await insertRow(service, 'organisations', { name, tax_number: 'NL1', parent_id: 1 });
    return { create: '/organisations', update: `/organisations/${id}`, rest: { taxNumber: `NL${id}` } };
  },
  '…/teams': async ({ service, organisationId }, name) => {
    const id = await insertRow(service, 'teams', { organisation_id: organisationId, name });
    const create = `/organisations/${organisationId}/teams`;
    return { create, update: `${create}/${id}` };
  },
  '…/servicekeys': async ({ service, organisationId }, name) => {
    const id = await insertRow(service, 'service_keys', {
      organisation_id: organisationId,
      name,
      digest: bytes(),
      expires_at: inDay,
      operations: ['teams.read'],
    });
    const create = `/organisations/${organisationId}/servicekeys`;
    return { create, update: `${create}/${id}`, rest: { operations: ['teams.read'] } };
  },
  '…/invitations': ({ organisationId }) =>
    Promise.resolve({
      field: 'firstName',
      create: `/organisations/${organisationId}/invitations`,
      rest: { lastName: 'Smit', email: `invited${nextNumber()}@example.com` },
    }),
};

describeSharedService(
  SHARED_VARIANTS,
  'a name that nobody sees (rule requests 29, rule requests 31) in Variant %s',
  (service) => {
    let admin: ApiClient;
    beforeAll(async () => {
      admin = await asAdmin(service);
    });
    let organisationId: number;
    let custadmin: MadeUser;
    let plain: MadeUser;

    beforeEach(async () => {
      ({ organisationId, custadmin, plain } = await makeCustomer(service));
    });

    it.each(Object.keys(RECORDS))(
      'POST and PUT of %s: is 400 REQUIRED, but stays where it is stored',
      async (kind) => {
        const [stored = ''] = UNSEEN;
        const made = await RECORDS[kind]?.({ service, organisationId, plain }, stored);
        const { field = 'name', create, update, rest = {} } = made ?? {};
        for (const name of UNSEEN) {
          if (create !== undefined) {
            const refused = await admin.post(create, { ...rest, [field]: name }).expect(400);
            expect(refused.body).toMatchObject({ reasons: { [field]: ['REQUIRED'] } });
          }
          if (update !== undefined && name !== stored) {
            const refused = await admin.put(update, { ...rest, [field]: name }).expect(400);
            expect(refused.body).toMatchObject({ reasons: { [field]: ['REQUIRED'] } });
          }
        }
        if (update !== undefined) await admin.put(update, { ...rest, [field]: stored }).expect(204);
        if (create !== undefined)
          // Joiners within words, and blanks beside letters, are part of a name.
          await admin
            .post(create, { ...rest, [field]: ' \u0646\u0627\u0645\u0647\u200c\u0647\u0627 ' })
            .expect(201);
      },
    );

    it.each(['firstName', 'lastName'])(
      'PATCH …/users/{userId}: %s is 400 REQUIRED, but stays where it is stored',
      async (field) => {
        const names = { username: plain.username, firstName: 'Jan', lastName: 'Smit' };
        for (const name of UNSEEN) {
          const refused = await custadmin.client
            .patch(pathOf(plain), { ...names, [field]: name })
            .expect(400);
          expect(refused.body).toMatchObject({ reasons: { [field]: ['REQUIRED'] } });
        }
        await service.sql`UPDATE users SET first_name = ${'\u3164'}, last_name = ${'\u3164'} WHERE id = ${plain.id}`;
        await custadmin.client
          .patch(pathOf(plain), { ...names, firstName: '\u3164', lastName: '\u3164' })
          .expect(204);
      },
    );

    it('PUT …/documents/{documentId}?name=: is 400, but stays where it is stored', async () => {
      const id = 800_000 + nextNumber();
      const put = (name?: string) =>
        request(service.url)
          .put(
            `/v1/organisations/${organisationId}/documents/${id}${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`,
          )
          .set('Authorization', admin.hash ?? '')
          .set('Content-Type', 'application/pdf')
          .send(Buffer.from('%PDF-1.7\n'));
      for (const name of ['\u3164', '\u2800']) {
        const refused = await put(name).expect(400);
        expect(failingFields(refused)).toEqual(['name']);
      }
      await put('Invoice').expect(204);
      await put('\u3164').expect(400);
      await service.sql`UPDATE documents SET name = ${'\u3164'} WHERE id = ${id}`;
      await put('\u3164').expect(204);
      await put('\u2800').expect(400);
    });

    it('POST …/sshkeys: as the description becomes the comment of the key, and in PUT it is 400 REQUIRED', async () => {
      const keys = `${pathOf(plain)}/sshkeys`;
      const made = await plain.client
        .post(keys, { content: newPublicKey('jan@desk'), description: '\u200b' })
        .expect(201);
      expect(made.body).toMatchObject({ sshkey: { description: 'jan@desk' } });
      const { id } = (made.body as { sshkey: { id: number } }).sshkey;
      const refused = await plain.client
        .put(`${keys}/${id}`, { content: newPublicKey('jan@desk'), description: '\u200b' })
        .expect(400);
      expect(refused.body).toMatchObject({ reasons: { description: ['REQUIRED'] } });
    });
  },
);

describe('POST and PUT …/apikeys', () => {
  const service = useSharedService('A');

  it('a name that nobody sees is 400 REQUIRED, but stays where it is stored', async () => {
    const { plain } = await makeCustomer(service);
    const keys = `${pathOf(plain)}/apikeys`;
    const stored = '\u3164';
    const id = await insertRow(service, 'api_keys', {
      user_id: plain.id,
      name: stored,
      digest: bytes(),
      expires_at: inDay,
    });
    for (const name of ['\u200b', '\u2800']) {
      for (const refused of [
        await plain.client.post(keys, { name, whitelist: [] }).expect(400),
        await plain.client.put(`${keys}/${id}`, { name, whitelist: [] }).expect(400),
      ])
        expect(refused.body).toMatchObject({ reasons: { name: ['REQUIRED'] } });
    }
    await plain.client.put(`${keys}/${id}`, { name: stored, whitelist: [] }).expect(204);
  });
});
