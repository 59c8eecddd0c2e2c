import { RouteTable } from '@app/security/access/route-table';
import { type Variant, VARIANTS } from '../../../qa/variants';
import { makeCustomer, makeOrganisation, PASSWORD } from '../../support/factories/factories';
import { makeContact } from '../../support/factories/records';
import { useMailServer } from '../../support/faults/smtp';
import { triedRoutes } from '../../support/generators/own-routes';
import {
  type AnnouncedRow,
  type Body,
  REPLACEMENT_ROWS,
  type ReplacementWorld,
} from '../../support/generators/replacement-rows';
import { type ApiClient, asAdmin, failingFields } from '../../support/service/client';
import { runJobs } from '../../support/service/jobs';
import { type TestService, useService } from '../../support/service/service';

const REPLACING = new Set(['PUT', 'PATCH']);
const PROOF = { password: PASSWORD };

/** Heading of an event that the service has no words for. */
const WORDLESS = /^(System|Crm): /;

interface News {
  readonly notifications: readonly { readonly class: string; readonly id: number }[];
  readonly mailed: readonly string[];
  readonly subjects: readonly string[];
}

const NO_NOTIFICATIONS: News = { notifications: [], mailed: [], subjects: [] };

interface Made {
  readonly id: number;
  /** Of the thing, for the replacement. */
  readonly path: string;
  readonly body: Body;
}

/** The addresses that rows make. */
const isOfRecord = (address: string): boolean => address.startsWith('made');

/** API keys, passkeys and others are served in one variant. */
const ONLY_IN: Readonly<Record<string, RegExp>> = {
  A: /\/(apikeys|passkeys|preferences|enable2fa|disable2fa)/,
  B: /\/cp3\//,
};

const isServed = (variant: Variant, route: string): boolean =>
  Object.entries(ONLY_IN).every(([only, routes]) => only === variant || !routes.test(route));

async function makeWorld(service: TestService, admin: ApiClient): Promise<ReplacementWorld> {
  const { organisationId, custadmin, plain } = await makeCustomer(service);
  const granteeId = await makeOrganisation(service);
  const groups = ['System', 'Crm'];
  await makeContact(service, { organisationId, name: 'system@of.example', groups });
  await makeContact(service, { organisationId, userId: custadmin.id, name: 'admin@of.example', groups });
  await makeContact(service, { organisationId: granteeId, name: 'grantee@of.example', groups });
  return { organisationId, custadmin, plain, granteeId, admin };
}

const mailServer = useMailServer();

/** With STEP_UP, which changes nothing of who is told. */
describe.each(VARIANTS)('PUT and PATCH of what POST announces, in Variant %s:', (variant) => {
  const service = useService(variant, () => ({ settings: { smtpUrl: mailServer.url, stepUp: true } }));
  let admin: ApiClient;
  let world: ReplacementWorld;
  let seen = 0;

  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  beforeEach(async () => {
    world = await makeWorld(service, admin);
    await notificationsNow();
  });

  /** What was told since the last call. */
  async function notificationsNow(): Promise<News> {
    await runJobs(service);
    const notifications = await service.sql<{ class: string; id: number }>`
      SELECT entity_class AS class, entity_id AS id FROM notifications n
      WHERE n.id > ${seen} ORDER BY n.id`;
    const [last] = await service.sql<{ id: number }>`SELECT coalesce(max(id), 0) AS id FROM notifications`;
    seen = last?.id ?? 0;
    const mails = mailServer.mails.splice(0);
    return {
      notifications,
      mailed: mails.flatMap(({ to }) => to).sort(),
      subjects: mails.map(({ headers }) => headers.get('subject') ?? ''),
    };
  }

  const replacing = (): string[] =>
    service.app
      .get(RouteTable)
      .routes.filter(({ method }) => REPLACING.has(method))
      .map(({ method, path }) => `${method} ${path}`);

  it('each of them has a row in REPLACEMENT_ROWS', () => {
    expect(replacing().sort()).toEqual(rows.map(([route]) => route).sort());
  });

  /** Makes the thing with the proof, which nobody looks at where none is asked for. */
  async function makeOne(row: AnnouncedRow, start?: (made: Body) => Body): Promise<Made> {
    const { client, path, body } = row.make(world);
    const sent = start?.(body) ?? body;
    const response = await client.post(path, { ...sent, ...PROOF });
    expect([200, 201]).toContain(response.status);
    const [made] = Object.values(response.body as Record<string, { id: number }>);
    const id = made?.id as number;
    return { id, path: `${path}/${id}`, body: sent };
  }

  const clientOf = (row: AnnouncedRow) => row.make(world).client;

  const rows = Object.entries(REPLACEMENT_ROWS).filter(([route]) => isServed(variant, route));
  const tried = triedRoutes(variant);
  const triedRows = rows.filter(([route]) => tried.has(route));
  const announced = triedRows.flatMap(([route, row]) =>
    typeof row === 'object' && 'make' in row ? [[route, row] as const] : [],
  );
  const silent = triedRows.flatMap(([route, row]) =>
    typeof row === 'object' && 'makeInSilence' in row ? [[route, row] as const] : [],
  );

  it.each(silent)('%s: nobody is told of the POST that makes its record', async (_route, row) => {
    const { client, path, body } = row.makeInSilence(world);
    await client.post(path, body).expect(201);
    expect(await notificationsNow()).toEqual(NO_NOTIFICATIONS);
  });

  describe.each(announced)('%s', (_route, row) => {
    it('has a POST that is announced, with the proof where it is asked for', async () => {
      if (row.asksForProof) {
        const { client, path, body } = row.make(world);
        expect(failingFields(await client.post(path, body).expect(400))).toEqual(['password']);
        expect(await notificationsNow()).toEqual(NO_NOTIFICATIONS);
      }
      const { id } = await makeOne(row);
      const news = await notificationsNow();
      expect(news.notifications.length).toBeGreaterThan(0);
      expect(news.notifications).toContainEqual({ class: expect.any(String), id });
      expect(news.mailed).toEqual(expect.arrayContaining(['system@of.example', 'admin@of.example']));
    });

    it.each(Object.entries(row.replace))('announces %s as the POST was announced', async (name, bodyOf) => {
      const before = await makeOne(row);
      const making = await notificationsNow();
      // The thing of another start takes the place of the first, so that both may be of the same name.
      const start = row.startsFrom?.[name];
      if (start !== undefined) await clientOf(row).delete(before.path).expect(204);
      const made = start === undefined ? before : await makeOne(row, start);
      await notificationsNow();
      const body = bodyOf(made.body);
      const replace = (fields: Body) => clientOf(row).put(made.path, { ...body, ...fields });
      if (row.asksForProof) {
        const shown = await clientOf(row).get(made.path).expect(200);
        expect(failingFields(await replace({}).expect(400))).toEqual(['password']);
        await replace({ password: 'wrong' }).expect(401);
        expect((await clientOf(row).get(made.path)).body).toEqual(shown.body);
        expect(await notificationsNow()).toEqual(NO_NOTIFICATIONS);
      }
      await replace(row.asksForProof ? PROOF : {}).expect(204);
      const news = await notificationsNow();
      expect(new Set(news.notifications.map((one) => one.class))).toEqual(
        new Set(making.notifications.map((one) => one.class)),
      );
      expect(news.notifications).toContainEqual(expect.objectContaining({ id: made.id }));
      expect(news.mailed).toEqual(expect.arrayContaining(making.mailed.filter((to) => !isOfRecord(to))));
      for (const subject of news.subjects) expect(subject).not.toMatch(WORDLESS);
      // The same once more replaces nothing.
      await replace({}).expect(204);
      expect(await notificationsNow()).toEqual(NO_NOTIFICATIONS);
    });

    it('neither tells of what becomes narrower nor asks for a proof of it', async () => {
      for (const [name, bodyOf] of Object.entries(row.narrow)) {
        const made = await makeOne(row);
        await notificationsNow();
        const { status } = await clientOf(row).put(made.path, bodyOf(made.body));
        expect({ name, status, news: await notificationsNow() }).toEqual({
          name,
          status: 204,
          news: NO_NOTIFICATIONS,
        });
        await clientOf(row).delete(made.path).expect(204);
      }
    });
  });
});
