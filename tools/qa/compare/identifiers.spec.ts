import { Identifiers } from './identifiers';

const learned = (): Identifiers => {
  const identifiers = new Identifiers();
  identifiers.learn(
    { organisation: { id: 501, name: 'a' } },
    { organisation: { id: 733, name: 'a' } },
    '/organisations',
  );
  identifiers.learn({ sshkey: { id: 9 } }, { sshkey: { id: 4 } }, '/organisations/501/users/51/sshkeys');
  identifiers.learn({ id: 30, text: 'x' }, { id: 31, text: 'x' }, '/organisations/501/teams');
  identifiers.learn({ contactId: 8, requestId: '1' }, { contactId: 9, requestId: '2' }, '/contacts/checked');
  return identifiers;
};

it.each([
  ['/organisations/501', '/organisations/733'],
  ['/organisations/501/users/501/sshkeys/9?limit=2', '/organisations/733/users/501/sshkeys/4?limit=2'],
  ['/organisations/5/acls/501', '/organisations/5/acls/733'],
  ['/organisations/501/teams/30/users/9', '/organisations/733/teams/31/users/9'],
  ['/users?organisationId=501&limit=501', '/users?organisationId=733&limit=501'],
  ['/organisations/5010', '/organisations/5010'],
  ['/organisations/5/contacts/8', '/organisations/5/contacts/9'],
  ['/requests/1', '/requests/1'],
  [
    '/notifications?entityIndex=Organisation-501&x=web-9',
    '/notifications?entityIndex=Organisation-733&x=web-9',
  ],
])('maps the path %s', (path, mapped) => {
  expect(learned().pathOnNew(path)).toBe(mapped);
});

it.each([
  [
    { organisationId: 501, x: 501 },
    { organisationId: 733, x: 501 },
  ],
  [{ parentOrganisation: '501' }, { parentOrganisation: '733' }],
  [{ organisation: 501 }, { organisation: 733 }],
  [{ organisation: { id: 501 } }, { organisation: { id: 733 } }],
  [{ autoTeams: '30,7' }, { autoTeams: '31,7' }],
  [{ entityIndex: 'Organisation-501' }, { entityIndex: 'Organisation-733' }],
  [{ teams: [30, 7] }, { teams: [31, 7] }],
])('maps the body %j', (body, mapped) => {
  expect(JSON.parse(learned().bodyOnNew(JSON.stringify(body)).toString())).toEqual(mapped);
});

it('leaves bodies as they are where nothing is to be mapped', () => {
  const texts = ['{"a": 1.50,  "organisationId":5}', 'no JSON', ''];
  expect(texts.map((text) => learned().bodyOnNew(text))).toEqual(texts);
});

it('learns nothing that may open a door', () => {
  const identifiers = new Identifiers();
  identifiers.learn({ sessionId: 'a1', tokenId: 'a2' }, { sessionId: 'b1', tokenId: 'b2' }, '/login');
  expect(identifiers.toJSON()).toEqual([]);
});

it('is kept over an interruption', () => {
  const restored = new Identifiers(JSON.parse(JSON.stringify(learned())) as [string, string][]);
  expect(restored.pathOnNew('/organisations/501')).toBe('/organisations/733');
});
