import { RouteTable } from '@app/security/access/route-table';
import { Interface, nameOfRoute } from '../support/generators/interface';
import { triedRoutes } from '../support/generators/own-routes';
import { useServices } from '../support/service/service';

/** The matrix of rights and the long tests of every route try them in Variant A alone (own-routes.ts). */
describe('the routes of Variant B that Variant A describes alike (own-routes.ts)', () => {
  const [a, b] = useServices(['A', 'B']);
  let shared: Interface['routes'];
  beforeAll(async () => {
    const own = triedRoutes('B', false);
    const { routes } = await Interface.of(b);
    shared = routes.filter((route) => !own.has(nameOfRoute(route)));
  });

  it('have the same handler, with the same privilege', () => {
    const inA = new Map(a.app.get(RouteTable).routes.map((route) => [nameOfRoute(route), route]));
    const others = shared.filter((route) => {
      const { handler, controller, operation } = inA.get(nameOfRoute(route)) ?? {};
      return handler !== route.handler || controller !== route.controller || operation !== route.operation;
    });
    expect(others.map(nameOfRoute)).toEqual([]);
  });

  it('are more than 90, and none of those whose shapes or rules differ', () => {
    const names = shared.map(nameOfRoute);
    expect(names.length).toBeGreaterThan(90);
    for (const own of [
      'POST /v1/login',
      'POST /v1/organisations',
      'POST /v1/resetting/:token',
      'POST /v1/organisations/:organisationId/userandcontact',
      'PATCH /v1/organisations/:organisationId/users/:userId',
      'POST /v1/organisations/:organisationId/users/:userId/changepassword',
    ])
      expect(names).not.toContain(own);
  });
});
