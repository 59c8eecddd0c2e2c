import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { groupOfPattern, groupsOf, routeByGroups } from './route-groups';

describe('the group of a path', () => {
  it.each([
    ['/v1/whoami', '/v1/whoami'],
    ['/health', '/health'],
    ['/v1/organisations/:organisationId', '/v1/Organisations/5/'],
    ['/v1/organisations/:organisationId/users', '/v1/organisations/5/users'],
    [
      '/v1/organisations/:organisationId/users/:userId/contacts/:contactId',
      '/v1/organisations/5/users/7/contacts/9',
    ],
    [
      '/v1/organisations/:id/webhooks/:webhookId/deliveries/:deliveryId/x',
      '/v1/organisations/5/webhooks/7/deliveries/9/x',
    ],
  ])('of %s is that of %s', (pattern, path) => {
    expect(groupsOf(path).own).toBe(groupOfPattern(pattern));
  });

  it('is the open one for a parameter in the place of a collection', () => {
    expect(groupOfPattern('/v1/entities/systems/:entityId')).toBe(groupsOf('/v1/entities/systems/x').open);
  });

  it('tells paths of other lengths and collections apart', () => {
    const paths = [
      '/v1/users',
      '/v1/users/5',
      '/v1/teams/5',
      '/v1/a/5/users',
      '/v1/a/5/users/7',
      '/v1/a/5/teams/7',
    ];
    expect(new Set(paths.map((path) => groupsOf(path).own)).size).toBe(paths.length);
  });
});

describe('routes in groups', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    const application = express();
    application.use((_request, response, next) => {
      response.setHeader('X-Before', 'yes');
      next();
    });
    routeByGroups(application);
    const says = (text: string) => (request: express.Request, response: express.Response) =>
      response.send(`${text} ${JSON.stringify(request.params)}`);
    application.get('/v1/users/me', says('me'));
    application.get('/v1/users/:userId', says('user'));
    application.put('/v1/users/:userId', says('changed'));
    application.get('/v1/entities/systems/:entityId', says('entity'));
    application.get('/v1/files/*path', says('file'));
    application.all('/v1/*path', (_request, response) => void response.status(404).send('unknown'));
    server = createServer(application).listen(0);
    await once(server, 'listening');
    url = `http://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    await once(server, 'close');
  });

  it.each([
    ['GET', '/v1/users/me', 'me {}'],
    ['GET', '/v1/USERS/7/', 'user {"userId":"7"}'],
    ['PUT', '/v1/users/a%20b', 'changed {"userId":"a b"}'],
    ['GET', '/v1/entities/systems/9', 'entity {"entityId":"9"}'],
    ['GET', '/v1/files/a/b/c', 'file {"path":["a","b","c"]}'],
    ['GET', '/v1/users/7/other', 'unknown'],
    ['DELETE', '/v1/users/7', 'unknown'],
  ])('answer %s %s', async (method, path, expected) => {
    const response = await fetch(`${url}${path}`, { method });
    expect(await response.text()).toBe(expected);
    expect(response.headers.get('x-before')).toBe('yes');
  });

  it('answer HEAD where they answer GET', async () => {
    const response = await fetch(`${url}/v1/users/7`, { method: 'HEAD' });
    expect(response.status).toBe(200);
  });
});
