import { preferences } from '../../../test/contract/responses';
import { PASSWORD } from '../session';
import { scenario, session } from '../suite';

/** An example of a suite of one's own; docs/qa.md explains it. `npm run qa:suites` runs it. */
const contacts = '/organisations/{organisationId}/users/{userId}/contacts';

scenario({
  area: 'colleagues',
  title: 'a colleague keeps a second address',
  needs: ['person'],
  examples: [
    {
      title: 'is added',
      operation: `POST ${contacts}`,
      as: 'person',
      body: { type: 'email', name: 'home-{unique}@example.com', preferences: 'Finance' },
      status: 201,
      response: {
        contact: {
          id: '<id> as contactId',
          type: 'email',
          name: 'home-{unique}@example.com',
          preferences: preferences('Finance'),
        },
      },
    },
    { title: 'is deleted', operation: `DELETE ${contacts}/{contactId}`, as: 'person', status: 204 },
    {
      title: 'trusts no device yet',
      only: 'A',
      operation: 'GET /organisations/{organisationId}/users/{userId}/token2fa',
      as: 'person',
      status: 200,
      response: { total: 0, tokens2fa: [] },
    },
  ],
});

describe('what no list of examples can say', () => {
  it('ten colleagues who log in at once get ten logins', async () => {
    const begun = await session();
    const { username } = await begun.makePerson();
    const login = () =>
      begun.deployment.send({ method: 'POST', path: '/login', body: { username, password: PASSWORD } });
    const responses = await Promise.all(Array.from({ length: 10 }, login));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(new Set(responses.map(({ body }) => (body as { hash: string }).hash)).size).toBe(10);
  });
});
