import { groupOfPattern, groupsOf } from './route-table';

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
