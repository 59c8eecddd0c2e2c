import request from 'supertest';
import { PASSWORD } from '../../../qa/session';
import { hasStatus } from '../has-status';
import { scenario, session } from '../suite';

scenario({
  area: 'colleagues',
  title: 'a colleague keeps an API key',
  needs: ['person'],
  examples: [
    {
      title: 'is created and shown once',
      only: 'A',
      operation: 'POST /organisations/{organisationId}/users/{userId}/apikeys',
      as: 'person',
      body: { name: 'Build {unique}', whitelist: ['192.0.2.7'] },
      status: 200,
      response: {
        apiKey: {
          id: '<id> as apiKeyId',
          name: 'Build {unique}',
          whitelist: ['192.0.2.7'],
          hash: '<hash64>',
        },
      },
    },
    {
      title: 'is deleted',
      only: 'A',
      operation: 'DELETE /organisations/{organisationId}/users/{userId}/apikeys/{apiKeyId}',
      as: 'person',
      status: 204,
    },
  ],
});

it('reads the organisation', async () => {
  const { deployment, hash, organisationId } = await session();
  const path = `/organisations/${organisationId}`;
  hasStatus(200)(await deployment.send({ method: 'GET', path, hash }));
});

it('logs a colleague in, with supertest alone', async () => {
  const { deployment, makePerson } = await session();
  const { username } = await makePerson();
  const credentials = { username, password: PASSWORD };
  const login = request(deployment.url).post('/v1/login').send(credentials);
  const { body } = await login.expect(hasStatus(200));
  await request(deployment.url).get('/v1/whoami').set('Authorization', body.hash).expect(hasStatus(200));
});
