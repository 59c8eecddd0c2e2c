import { VARIANTS } from '../../../qa/variants';
import {
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../../support/factories/factories';
import { makeApiKey } from '../../support/factories/key-factories';
import { anonymous } from '../../support/service/client';
import { describeService } from '../../support/service/service';

/** The dot above makes it another letter in JavaScript; PostgreSQL folds it to a plain `i`. */
const DOTTED_I = '\u0130';

describeService(VARIANTS, 'POST /login and PATCH …/users under attack in Variant %s', (service) => {
  const attempt = async (username: string): Promise<number> =>
    (await anonymous(service).post('/login', { username, password: 'Wrong-passw0rd' })).status;

  it('POST /login: no spelling of a user name gets a count of guesses of its own', async () => {
    const name = `visitor${nextNumber()}@kiki.example`;
    await makeUser(service, { organisationId: await makeOrganisation(service), username: name });
    for (let guess = 0; guess < 10; guess++) expect(await attempt(name)).toBe(401);
    for (const spelling of [
      name,
      name.toUpperCase(),
      name.replaceAll('i', DOTTED_I),
      name.replace('i', DOTTED_I),
      name.replaceAll('k', '\u212a'),
    ]) {
      // Either the same user, whose count is used up, or nobody at all.
      expect({ spelling, status: await attempt(spelling) }).toEqual({
        spelling,
        status: spelling.includes(DOTTED_I) ? 404 : 429,
      });
    }
  });

  it('POST /login: nobody logs in under another spelling than one of the same letters', async () => {
    const name = `visitor${nextNumber()}@example.com`;
    await makeUser(service, { organisationId: await makeOrganisation(service), username: name });
    const login = (username: string) => anonymous(service).post('/login', { username, password: PASSWORD });
    await login(name.toUpperCase()).expect(200);
    await login(name.replace('i', DOTTED_I)).expect(404);
    // White space around a name is cut; within it, it is another name.
    await login(`${name} `).expect(200);
    await login(name.replace('@', ' @')).expect(404);
  });

  it('PATCH …/users: an API key does not change the address that its user recovers by', async () => {
    const { organisationId, plain } = await makeCustomer(service);
    const { client: key } = await makeApiKey(service, plain.id);
    const path = `/organisations/${organisationId}/users/${plain.id}`;
    const names = { firstName: 'Piet', lastName: 'Bakker' };
    await key.patch(path, { ...names, username: 'thief@example.com' }).expect(403);
    await key.patch(path, { ...names, username: plain.username.toUpperCase() }).expect(204);
    await plain.client.patch(path, { ...names, username: `own${nextNumber()}@example.com` }).expect(204);
  });
});
