import { VARIANTS } from '../../qa/variants';
import { IDENTIFIERS, recordsOfOrganisation, recordsOfUser } from '../support/factories/domain-records';
import { makeCustomer } from '../support/factories/factories';
import { type DescribedRoute, Interface, nameOfRoute } from '../support/generators/interface';
import { type ApiClient, asAdmin } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

/** Operations whose PUT makes the record that its path names, so that it need not exist. */
const MAKING: readonly string[] = ['entities.register', 'documents.put'];

const NOBODY = 2_147_483_647;

describeSharedService(VARIANTS, 'the message of a 404 in Variant %s', (service) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let routes: readonly DescribedRoute[];
  let existing: Readonly<Record<string, number>>;
  beforeAll(async () => {
    routes = (await Interface.of(service)).routes.filter(
      ({ operation }) => operation !== undefined && !MAKING.includes(operation),
    );
    const { organisationId, plain } = await makeCustomer(service);
    const userId = plain.id;
    const records = await recordsOfOrganisation(service, { organisationId, userIds: [userId] });
    existing = {
      ...records,
      ...(await recordsOfUser(service, { organisationId, userId })),
      organisationId,
      userId,
      // Its teams are of the organisation that receives it.
      grantId: records['receivedGrantId'] as number,
    };
  });

  const parametersOf = ({ path }: DescribedRoute): string[] =>
    [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);

  it('names the record that is missing, on every route and for each identifier of its path', async () => {
    const answered: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const route of routes) {
      for (const missing of parametersOf(route)) {
        const path = route.path
          .replace(/^\/v1/, '')
          .replaceAll(/:(\w+)/g, (_, name: string) =>
            String(name === missing ? NOBODY : (existing[name] ?? 1)),
          );
        const title = `${nameOfRoute(route)} without ${missing}`;
        const { status, body } = await admin.call(route.verb, path);
        answered[title] = { status, message: (body as { message: string }).message };
        expected[title] = { status: 404, message: `${IDENTIFIERS[missing]?.named} not found` };
      }
    }
    expect(answered).toEqual(expected);
    expect(Object.keys(answered).length).toBeGreaterThan(60);
  });

  it('names the first record of the path where several are missing', async () => {
    const { organisationId, userId } = existing;
    for (const [path, name] of [
      [`/organisations/${NOBODY}/users/${NOBODY}/contacts/${NOBODY}`, 'Organisation'],
      [`/organisations/${organisationId}/users/${NOBODY}/contacts/${NOBODY}`, 'User'],
      [`/organisations/${organisationId}/users/${userId}/contacts/x`, 'Contact'],
    ] as const) {
      const { body } = await admin.get(path).expect(404);
      expect(body).toMatchObject({ message: `${name} not found`, reason: 'NOT_FOUND' });
    }
    for (const verb of ['put', 'delete'] as const) {
      const member = await admin[verb](
        `/organisations/${organisationId}/teams/${NOBODY}/users/${NOBODY}`,
        {},
      );
      expect(member.body).toMatchObject({ code: 404, message: 'Team not found' });
    }
    await admin
      .delete(`/organisations/${organisationId}/teams/${NOBODY}/apps/${NOBODY}`)
      .expect(404)
      .expect(({ body }) => expect(body).toMatchObject({ message: 'Team not found' }));
  });
});
