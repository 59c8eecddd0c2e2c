import request from 'supertest';
import { PRIVILEGES } from '@app/security/access/privileges';
import { RouteTable, type ServedRoute } from '@app/security/access/route-table';
import { type PerVariant, type Variant, VARIANTS } from '../../qa/variants';
import { makeCustomer } from '../support/factories/factories';
import { asAdmin } from '../support/service/client';
import { type TestService, useServices } from '../support/service/service';

/** account-api.md, "Authentication" 2 and the endpoint table, "no token required". */
const NO_TOKEN: PerVariant<readonly string[]> = {
  A: [
    'GET /v1/downloadpdf/:id/:contactId/:hash',
    'GET /v1/downloadxml/:id/:contactId/:hash',
    // rule users 28: what the registration below needs.
    'GET /v1/registerInvitation/:token',
    'POST /v1/activate2fa',
    'POST /v1/cancel2faActivation',
    'POST /v1/enable2faandget2fasecret',
    'POST /v1/login',
    // rule login-links 9
    'POST /v1/login/link',
    // rule passkeys 18
    'POST /v1/login/passkey',
    'POST /v1/login/passkey/options',
    'POST /v1/registerInvitation',
    'POST /v1/registerInvitation/:token',
    'POST /v1/resetting/:token',
    'POST /v1/resetting/send_email',
    'POST /v1/softlogin',
    'POST /v1/usernames/:token',
  ],
  B: [
    'ALL /v1/domains/check',
    'GET /v1/downloadpdf/:id/:contactId/:hash',
    'GET /v1/registerInvitation/:token',
    'POST /v1/login',
    'POST /v1/login/link',
    'POST /v1/registerInvitation',
    'POST /v1/registerInvitation/:token',
    'POST /v1/resetting/:token',
    'POST /v1/resetting/send_email',
    'POST /v1/usernames/:token',
  ],
};

/** Outside `/v1`: rule pages 7, rule running 16. */
const OUTSIDE = [
  'GET /.well-known/change-password',
  'GET /account/documents/:id/:contactId/:hash',
  'GET /account/end-login/:token',
  'GET /account/invitation/:token',
  'GET /account/pages.css',
  'GET /account/password',
  'GET /account/password/:token',
  'GET /account/username/:token',
  'GET /health/live',
  'GET /health/ready',
  'GET /metrics',
  'POST /account/end-login/:token',
  'POST /account/invitation/:token',
  'POST /account/password',
  'POST /account/password/:token',
  'POST /account/username/:token',
];

const nameOf = ({ method, path }: ServedRoute): string => `${method} ${path}`;

describe('every served route', () => {
  const services = useServices(VARIANTS);
  const serviceOf = (variant: Variant): TestService => services[VARIANTS.indexOf(variant)] ?? services[0];
  const routesOf = (variant: Variant): readonly ServedRoute[] =>
    serviceOf(variant).app.get(RouteTable).routes;

  it.each(VARIANTS)(
    'in Variant %s is found by its path, in any case and with a slash at the end',
    (variant) => {
      const table = serviceOf(variant).app.get(RouteTable);
      const found = table.routes.map(({ method, path }) =>
        table.match(method, `${path.toUpperCase().replaceAll(/:\w+/g, '7')}/`),
      );
      expect(found.map((match) => match && nameOf(match.route))).toEqual(table.routes.map(nameOf));
    },
  );

  it.each(VARIANTS)(
    'in Variant %s declares one operation of the privilege table, or says in words why it is public',
    (variant) => {
      const routes = routesOf(variant);
      expect(routes.length).toBeGreaterThan(15);
      for (const route of routes) {
        const isPublic = route.publicBecause !== undefined;
        expect({ route: nameOf(route), declares: [isPublic, route.operation !== undefined].sort() }).toEqual({
          route: nameOf(route),
          declares: [false, true],
        });
        if (isPublic) expect(route.publicBecause).toMatch(/\w+ \w+/);
        else expect(Object.keys(PRIVILEGES)).toContain(route.operation);
      }
    },
  );

  it.each(VARIANTS)('/access/forward alone checks its credential itself in Variant %s', (variant) => {
    const judging = routesOf(variant).filter(({ checksCredentialItself }) => checksCredentialItself);
    expect(judging.map(nameOf)).toEqual(['ALL /v1/access/forward']);
  });

  it.each(VARIANTS)('in Variant %s is served once', (variant) => {
    const names = routesOf(variant).map(nameOf);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each(VARIANTS)(
    'without a credential in Variant %s is one that the contract names, a page, /health or /metrics',
    (variant) => {
      const open = routesOf(variant).filter(
        (route) => route.operation === undefined && !route.checksCredentialItself,
      );
      const inside = open.filter((route) => route.path.startsWith('/v1/')).map(nameOf);
      expect(inside.sort()).toEqual(NO_TOKEN[variant]);
      expect(
        open
          .map(nameOf)
          .filter((name) => !inside.includes(name))
          .sort(),
      ).toEqual(OUTSIDE);
    },
  );

  const verbOf = (method: string) =>
    method === 'ALL' ? 'get' : (method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete');

  it.each(VARIANTS)(
    'that needs a credential in Variant %s answers 401 with WWW-Authenticate: Bearer',
    async (variant) => {
      const { url } = serviceOf(variant);
      for (const route of routesOf(variant)) {
        const asked = request(url)[verbOf(route.method)](route.path.replaceAll(/:\w+/g, '1'));
        const { status, headers } = await asked.set('Authorization', 'f'.repeat(64));
        const expected =
          route.publicBecause === undefined || route.checksCredentialItself
            ? { status: 401, challenge: 'Bearer' }
            : { status, challenge: undefined };
        expect({ route: nameOf(route), status, challenge: headers['www-authenticate'] }).toEqual({
          route: nameOf(route),
          ...expected,
        });
      }
    },
  );

  const GUESS = { password: 'wrong' };

  /**
   * Routes that answer 401 to a wrong password, code or assertion, each with the body beside the user name.
   */
  const LOGINS: PerVariant<readonly (readonly [path: string, body?: object])[]> = {
    A: [
      ['login', GUESS],
      ['login'],
      ['enable2faandget2fasecret', GUESS],
      ['activate2fa', { ...GUESS, '6digitCode': '123456' }],
      ['cancel2faActivation', GUESS],
      ['softlogin', { confirmationCode: 'none' }],
    ],
    B: [['login', GUESS], ['login']],
  };

  it.each(VARIANTS)(
    'POST /login and every other login in Variant %s: a wrong password is 401 without WWW-Authenticate',
    async (variant) => {
      const service = serviceOf(variant);
      const { username } = (await makeCustomer(service)).plain;
      for (const [path, body] of LOGINS[variant]) {
        const { status, headers } = await request(service.url)
          .post(`/v1/${path}`)
          .set('Authorization', 'f'.repeat(64))
          .send(body && { username, ...body });
        expect({ path, status, challenge: headers['www-authenticate'] }).toEqual({
          path,
          status: 401,
          challenge: undefined,
        });
      }
    },
  );

  it.each(VARIANTS)(
    'GET with If-None-Match: * in Variant %s is 304 only where the answer has an ETag',
    async (variant) => {
      const service = serviceOf(variant);
      const { hash = '' } = await asAdmin(service);
      const get = (path: string, headers: Record<string, string>) =>
        request(service.url).get(path).set('Authorization', hash).set(headers);
      const paths = routesOf(variant)
        .filter(({ method }) => method === 'GET' || method === 'ALL')
        .map((route) => route.path.replaceAll(/:\w+/g, '1'));
      const docs = ['/docs', '/docs/swagger-ui.css', '/docs/swagger-initializer.js', '/docs/openapi.json'];
      for (const path of [...paths, ...docs]) {
        const plain = await get(path, {});
        const { status } = await get(path, { 'If-None-Match': '*' });
        const expected = plain.headers['etag'] === undefined ? plain.status : 304;
        expect({ path, status }).toEqual({ path, status: expected });
      }
    },
  );

  it.each(VARIANTS)('of Variant %s alone is 404 in every other variant', async (owner) => {
    for (const other of VARIANTS.filter((variant) => variant !== owner)) {
      const stranger = serviceOf(other);
      const { hash } = await asAdmin(stranger);
      const known = stranger.app.get(RouteTable);
      const foreign = routesOf(owner).filter(
        ({ path }) => known.methodsOf(path.replaceAll(/:\w+/g, '1')).length === 0,
      );
      expect(foreign.length).toBeGreaterThan(0);
      for (const { method, path } of foreign) {
        const response = await request(stranger.url)
          [verbOf(method)](path.replaceAll(/:\w+/g, '1'))
          .set('Authorization', hash as string);
        expect({ method, path, status: response.status }).toEqual({ method, path, status: 404 });
      }
    }
  });
});
