import { ServerAddress } from './addresses';
import { type Answer, type Answers, type Result, verdictOn } from './answers';
import { Identifiers } from './identifiers';

const [old, fresh] = ['https://old.example/v1', 'http://localhost:3001/v1'].map((text) =>
  ServerAddress.read(text),
) as [ServerAddress, ServerAddress];
const RULES = { clock: 5, isUnordered: false, identifiers: new Identifiers(), values: true, old, new: fresh };

const answer = (body: unknown, rest: Partial<Answer> = {}): Answer => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: Buffer.from(text), size: text.length, milliseconds: 1, ...rest };
};

const failure: Result = { failure: 'ECONNREFUSED', milliseconds: 1 };

function judged(answers: Answers, rules = RULES): string[] {
  const { outcome, differences } = verdictOn(answers, rules);
  return [outcome, ...differences.map(({ kind, at }) => `${kind} ${at}`)];
}

const withHeader = (name: string, value: string): Answer => answer({}, { headers: { [name]: value } });

it.each([
  ['content-type', 'application/json;charset=UTF-8', 'application/json; charset=utf-8'],
  ['allow', 'GET, HEAD, PUT', 'PUT,GET, HEAD'],
  [
    'link',
    '<https://old.example/v1/users?offset=5>; rel="next"',
    '<http://localhost:3001/v1/users?offset=5>;rel="next"',
  ],
  ['location', 'https://old.example/v1/users/5', 'https://old.example/v1/users/5'],
  ['location', 'https://old.example/v1/users/5', 'http://localhost:3001/v1/users/5'],
])('takes the headers %s: %s and %s for equal', (name, one, other) => {
  expect(judged({ old: withHeader(name, one), new: withHeader(name, other) })).toEqual(['equal']);
});

it.each([
  ['content-type', 'application/json', 'application/json; charset=utf-8', 'Content-Type'],
  ['allow', 'GET', 'GET, HEAD', 'Allow'],
  ['location', 'https://old.example/v1/users/5', '/v1/users/5', 'Location'],
  ['location', 'https://old.example/v1/users/5', 'https://old.example.com/v1/users/5', 'Location'],
  ['retry-after', '30', '60', 'Retry-After'],
  ['www-authenticate', 'Basic', 'Bearer', 'WWW-Authenticate'],
])('tells the headers %s: %s and %s apart', (name, one, other, at) => {
  expect(judged({ old: withHeader(name, one), new: withHeader(name, other) })).toEqual([
    'different',
    `header ${at}`,
  ]);
  expect(judged({ old: withHeader(name, one), new: answer({}, { headers: {} }) })).toEqual([
    'different',
    `header ${at}`,
  ]);
});

it('takes Retry-After within the clock for noise, and a link with a mapped identifier for equal', () => {
  expect(judged({ old: withHeader('retry-after', '30'), new: withHeader('retry-after', '29') })).toEqual([
    'noise',
  ]);
  const identifiers = new Identifiers();
  identifiers.learn({ contact: { id: 5 } }, { contact: { id: 7 } }, '/contacts');
  const locations = ['https://old.example/v1/contacts/5', 'http://localhost:3001/v1/contacts/7'] as const;
  const answers = { old: withHeader('location', locations[0]), new: withHeader('location', locations[1]) };
  expect(judged(answers, { ...RULES, identifiers })).toEqual(['equal']);
});

it.each([
  ['one is no JSON', answer({}), answer('<html>'), ['different', 'body $']],
  ['one is empty', answer({}), answer(''), ['different', 'body $']],
  ['both are other texts', answer('a;b'), answer('a;c'), ['different', 'body $']],
  ['both are the same text', answer('a;b'), answer('a;b'), ['equal']],
  ['one breaks off', answer({}), answer({}, { broken: 'cut off' }), ['different', 'body $']],
  ['one is too large', answer({}), answer({}, { body: undefined, digest: 'x' }), ['different', 'body $']],
  [
    'both are too large and the same',
    answer({}, { body: undefined, digest: 'x' }),
    answer({}, { body: undefined, digest: 'x' }),
    ['equal'],
  ],
  ['statuses differ', answer({ a: 1 }), answer('<html>', { status: 404 }), ['different', 'status ']],
  ['one does not answer', answer({}), failure, ['different', 'status ']],
  ['nobody answers', failure, failure, ['different', 'status ']],
])('judges bodies where %s', (_, one, other, verdict) => {
  expect(judged({ old: one, oldAgain: one, new: other })).toEqual(verdict);
});

it('counts nothing that the old server answers differently itself', () => {
  const [first, second] = [answer({ load: 1, a: 1 }), answer({ load: 2, a: 1 })];
  expect(judged({ old: first, oldAgain: second, new: answer({ load: 3, a: 1 }) })).toEqual(['noise']);
  expect(judged({ old: first, oldAgain: second, new: answer({ load: 3, a: 2 }) })).toEqual([
    'different',
    'value $.a',
  ]);
  const broken = answer({}, { status: 500 });
  expect(judged({ old: first, oldAgain: broken, new: answer({ load: 1, a: 1 }) })).toEqual(['equal']);
  expect(judged({ old: broken, oldAgain: first, new: first })).toEqual(['noise']);
  expect(judged({ old: failure, oldAgain: first, new: first })).toEqual(['noise']);
  expect(judged({ old: failure, oldAgain: first, new: answer({ load: 1, a: 2 }) })).toEqual([
    'different',
    'value $.a',
  ]);
});

it('shows of bodies what they are, not what they say', () => {
  const { differences } = verdictOn({ old: answer({ password: 'x' }), new: answer('secret page') }, RULES);
  expect(differences).toMatchObject([{ old: 'JSON, 16 bytes', new: 'no JSON (application/json), 11 bytes' }]);
});
