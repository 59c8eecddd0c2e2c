import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from 'bcrypt';
import request, { type Response } from 'supertest';
import { VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer, makeUser, nextNumber, PASSWORD } from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { makeResetToken } from '../support/factories/page-factories';
import { pathOf } from '../support/factories/users-factories';
import type { InterfaceDocument } from '../support/generators/interface';
import { anonymous, type ApiClient, asAdmin } from '../support/service/client';
import { headingOf, textOf } from '../support/service/html';
import { describeSharedService } from '../support/service/shared-services';

/** One name in both forms of Unicode. */
const COMPOSED = 'Caf\u00e9 Zo\u00eb';
const DECOMPOSED = 'Cafe\u0301 Zoe\u0308';

const inQuery = encodeURIComponent;
const namesIn = ({ body }: Response): string[] =>
  (body as { organisations: { name: string }[] }).organisations.map(({ name }) => name);

describeSharedService(
  VARIANTS,
  'a text in either form of Unicode (rule requests 22, rule requests 25) in Variant %s',
  (service, variant) => {
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

    it('POST and PUT /organisations store and answer it composed, and GET /organisations?filter= finds it by either form', async () => {
      const suffix = nextNumber();
      const body = {
        name: `${DECOMPOSED} ${suffix}`,
        taxNumber: `NL${suffix}`,
        street: 'Ka\u0308thestrasse',
      };
      const made = await admin.post('/organisations', body).expect(201);
      const { organisation } = made.body as { organisation: { id: number; name: string; street: string } };
      expect(organisation).toMatchObject({ name: `${COMPOSED} ${suffix}`, street: 'K\u00e4thestrasse' });
      for (const text of [`${COMPOSED} ${suffix}`, `${DECOMPOSED} ${suffix}`]) {
        const found = await admin.get(`/organisations?filter=${inQuery(text)}`).expect(200);
        expect(namesIn(found)).toEqual([organisation.name]);
      }
      await admin
        .put(`/organisations/${organisation.id}`, { ...body, name: `A\u030a ${suffix}` })
        .expect(204);
      const [row] = await service.sql`SELECT name FROM organisations WHERE id = ${organisation.id}`;
      expect(row).toEqual({ name: `\u00c5 ${suffix}` });
    });

    it('POST …/teams: its characters count composed: 255 are 201, 256 are 400', async () => {
      const teams = `/organisations/${organisationId}/teams`;
      await custadmin.client.post(teams, { name: 'e\u0301'.repeat(255) }).expect(201);
      await custadmin.client.post(teams, { name: 'e\u0301'.repeat(256) }).expect(400);
    });

    it('POST …/notifications: is composed in lists and objects of params, and in the names of their members', async () => {
      const params = { 'cle\u0301': ['Zoe\u0308', { 'a\u0300': 'u\u0308' }], subject: 'Cafe\u0301' };
      await admin
        .post(`/organisations/${organisationId}/notifications`, { type: 'note', group: 'Crm', params })
        .expect(201);
      const [row] =
        await service.sql`SELECT params FROM notifications WHERE organisation_id = ${organisationId}`;
      expect(row).toEqual({
        params: { 'cl\u00e9': ['Zo\u00eb', { '\u00e0': '\u00fc' }], subject: 'Caf\u00e9' },
      });
    });

    it('PUT …/documents/{documentId}?name=: is composed in the query', async () => {
      const id = 900_000 + nextNumber();
      await request(service.url)
        .put(`/v1/organisations/${organisationId}/documents/${id}?name=${inQuery(DECOMPOSED)}`)
        .set('Authorization', admin.hash ?? '')
        .set('Content-Type', 'application/pdf')
        .send(Buffer.from('%PDF-1.7\n'))
        .expect(204);
      const { body } = await admin.get(`/organisations/${organisationId}/documents/${id}`).expect(200);
      expect(body).toMatchObject({ document: { name: COMPOSED } });
    });

    it('POST /login: 12,000 marks in a name are 400 within half a second', async () => {
      const username = '\u0315\u0300'.repeat(12_000);
      const started = performance.now();
      await anonymous(service).post('/login', { username, password: username }).expect(400);
      expect(performance.now() - started).toBeLessThan(500);
    });

    it('POST …/teams with Idempotency-Key: repeats the response for the same bytes, and the other form is IDEMPOTENCY_KEY_REUSED', async () => {
      const send = (name: string) =>
        custadmin.client
          .post(`/organisations/${organisationId}/teams`, { name })
          .set('Idempotency-Key', `form-${organisationId}`);
      const first = await send(DECOMPOSED).expect(201);
      expect(first.body).toMatchObject({ team: { name: COMPOSED } });
      const again = await send(DECOMPOSED).expect(201);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(again.text).toBe(first.text);
      const other = await send(COMPOSED);
      expect(other.body).toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
    });

    describe('GET /organisations', () => {
      /** The parameters whose texts are words of the contract, numbers or times. */
      const NO_TEXTS = [
        'after',
        'beneath',
        'direction',
        'format',
        'from',
        'kind',
        'limit',
        'nearest',
        'offset',
        'orderBy',
        'orderType',
        'organisationType',
        'tag',
        'to',
        'type',
      ];
      /** `filter` is sent in both forms by `lists.e2e-spec.ts`; a user is named by an id or in ASCII. */
      const ELSEWHERE = ['filter', 'user', 'userEmail'];
      const { paths } = JSON.parse(
        readFileSync(join(__dirname, `../../docs/openapi-${variant.toLowerCase()}.json`), 'utf8'),
      ) as InterfaceDocument;
      const searches = Object.entries(paths).flatMap(([path, { get }]) =>
        (get?.parameters ?? [])
          .filter(({ in: place, name }) => place === 'query' && ![...NO_TEXTS, ...ELSEWHERE].includes(name))
          .map(({ name }) => `${path} ${name}`),
      );

      it('has no parameter with a text of people that is unknown here, nor has any other list', () => {
        const known = ['name', 'taxNumber', 'externalId', 'userFullname'].map(
          (name) => `/v1/organisations ${name}`,
        );
        expect(searches.filter((search) => !known.includes(search))).toEqual([]);
      });

      it('finds it by either form in each of these parameters', async () => {
        const number = nextNumber();
        const stored = `Zo\u00eb${number}`;
        await service.sql`UPDATE organisations SET name = ${stored}, tax_number = ${stored}, external_id = ${stored}
        WHERE id = ${organisationId}`;
        await service.sql`UPDATE users SET first_name = ${stored} WHERE id = ${plain.id}`;
        for (const search of searches) {
          const [, name = ''] = search.split(' ');
          for (const text of [stored, `Zoe\u0308${number}`]) {
            const { body } = await admin.get(`/organisations?${name}=${inQuery(text)}`).expect(200);
            const found = (body as { organisations: { id: number }[] }).organisations.map(({ id }) => id);
            expect({ search, found }).toEqual({ search, found: [organisationId] });
          }
        }
      });
    });
  },
);

/** The scripts of keyboards differ, the password does not. */
describeSharedService(
  VARIANTS,
  'a password in either form of Unicode (rule login 26, rule login 27) in Variant %s',
  (service) => {
    const NEW = 'Caf\u00e9-Zo\u00eb-123';
    const NEW_DECOMPOSED = 'Cafe\u0301-Zoe\u0308-123';
    let user: MadeUser;

    beforeEach(async () => {
      user = (await makeCustomer(service)).plain;
    });

    const logIn = (password: string, { username } = user) =>
      anonymous(service).post('/login', { username, password });
    const hashOf = async (): Promise<string> => {
      const [row] = await service.sql<{ hash: string }>`
      SELECT password_hash AS hash FROM users WHERE id = ${user.id}`;
      return row?.hash ?? '';
    };
    const store = async (stored: string): Promise<void> => {
      await service.sql`UPDATE users SET password_hash = ${stored} WHERE id = ${user.id}`;
    };

    it.each([
      [NEW, NEW_DECOMPOSED],
      [NEW_DECOMPOSED, NEW],
    ])(
      'POST …/changepassword: set as %j, POST /login takes %j, and so does the next change',
      async (set, sent) => {
        await user.client
          .post(`${pathOf(user)}/changepassword`, { oldPassword: PASSWORD, password: set })
          .expect(200);
        const stored = await hashOf();
        await logIn(set).expect(200);
        await logIn(sent).expect(200);
        expect(await hashOf()).toBe(stored);
        await user.client
          .post(`${pathOf(user)}/changepassword`, { oldPassword: sent, password: 'Something-Else-1' })
          .expect(200);
      },
    );

    // printf 'Cafe\u0301-Zoe\u0308-123' | openssl passwd -1 -stdin -salt saltstri
    it.each([
      ['of the previous panel', () => Promise.resolve('$1$saltstri$bpISKyLSdd9i79Q77nUTd/')],
      ['of bcrypt', () => hash(NEW_DECOMPOSED, 4)],
    ])(
      'POST /login: either form is 200 where the hash is decomposed and %s, and renews the hash',
      async (_what, made) => {
        const old = await made();
        for (const sent of [NEW, NEW_DECOMPOSED]) {
          await store(old);
          await logIn('Cafe-Zoe-123').expect(401);
          expect(await hashOf()).toBe(old);
          await logIn(sent).expect(200);
          const renewed = await hashOf();
          expect(renewed).not.toBe(old);
          expect(renewed).toMatch(/^\$2b\$/);
          await logIn(NEW).expect(200);
          await logIn(NEW_DECOMPOSED).expect(200);
          expect(await hashOf()).toBe(renewed);
        }
      },
    );

    it('POST /login: the eleventh wrong one is 429, also for a name that nobody has', async () => {
      for (const username of [user.username, `nobody${nextNumber()}@example.com`]) {
        for (let guess = 0; guess < 10; guess++) {
          const refused = await logIn(`${NEW}${guess}`, { ...user, username });
          expect([401, 404]).toContain(refused.status);
        }
        await logIn(`${NEW}10`, { ...user, username }).expect(429);
      }
    });

    it('POST …/changepassword: the own user name in either form is 400 USERNAME_AS_PASSWORD', async () => {
      const local = `C${nextNumber()}-Smit`;
      const named = await makeUser(service, {
        organisationId: user.organisationId,
        username: `${local}@xn--mnchen-3ya.be`,
      });
      for (const domain of ['m\u00fcnchen.be', 'mu\u0308nchen.be', 'M\u00dcNCHEN.be', 'xn--mnchen-3ya.be']) {
        await named.client
          .post(`${pathOf(named)}/changepassword`, { oldPassword: PASSWORD, password: `${local}@${domain}` })
          .expect(400, /USERNAME_AS_PASSWORD/);
      }
    });

    it('POST /account/invitation/{token} and /account/password/{token}: the second field may have the other form', async () => {
      const invitation = await makeInvitation(service, {
        organisationId: user.organisationId,
        inviterId: user.id,
      });
      const form = { password: NEW, repeated: NEW_DECOMPOSED };
      for (const path of [
        `/account/invitation/${invitation.token}`,
        `/account/password/${await makeResetToken(service, user.id)}`,
      ]) {
        const page = await request(service.url).post(path).type('form').send(form).expect(200);
        expect(textOf(page.text)).not.toContain('repeated');
        expect(headingOf(page)).not.toBe('');
      }
      await logIn(NEW_DECOMPOSED, { ...user, username: invitation.email }).expect(200);
      await logIn(NEW).expect(200);
    });
  },
);
