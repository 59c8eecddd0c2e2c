/** A collection for Bruno from a description of the interface: npm run docs -- --bruno DIR. */
const { writtenOut } = require('./written-out.cjs');

/** What an operation needs of the collection; the rest follows from the description. */
const LOGIN = 'POST /v1/login';
/** Ends the credential of the collection: a run of everything leaves it out (`--exclude-tags ends-login`). */
const LOGOUT = 'POST /v1/logout';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const SORTED_FIRST = [LOGIN];

const indented = (text) =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
const block = (name, text) => `${name} {\n${indented(text)}\n}\n`;
/** A block of `name: value` lines; none for none. */
const pairs = (name, lines) => (lines.length === 0 ? '' : block(name, lines.join('\n')));
/** Names of files and requests must not hold what a file system or Bruno reads otherwise. */
const nameOf = (text) =>
  text
    .replaceAll(/[^\p{L}\p{N} ,()-]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The parts of a path with their variables: `/users/{userId}` has `userId`. */
const variablesOf = (path) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

const bodyOf = (operation) => Object.entries(operation.requestBody?.content ?? {});

function exampleOf({ examples = {} }) {
  const [example] = Object.values(examples);
  return example?.value;
}

/** The response of a creation is one record under one name: its id is kept for the paths below. */
function keptAfter(method, path, description) {
  if (`${method} ${path}` === LOGIN)
    return `if (res.status === 200 && res.body.hash) bru.setVar('hash', res.body.hash);`;
  if (method !== 'POST') return '';
  const below = Object.keys(description.paths).find((other) =>
    new RegExp(`^${RegExp.escape?.(path) ?? path.replaceAll(/[{}.]/g, '\\$&')}/\\{(\\w+)\\}$`).test(other),
  );
  const [variable] = below === undefined ? [] : variablesOf(below).slice(-1);
  if (variable === undefined) return '';
  return [
    `const record = res.status === 201 ? Object.values(res.body ?? {})[0] : undefined;`,
    `if (record && record.id) bru.setVar('${variable}', record.id);`,
  ].join('\n');
}

/** No response may have a status that the description lacks, and no 500 may be a fault. */
const testOf = (operation) => {
  const statuses = Object.keys(operation.responses).map(Number).filter(Boolean);
  return [
    `test('the description has this status', () => {`,
    `  expect([${statuses.join(', ')}]).to.include(res.status);`,
    `  if (res.status === 500) expect(res.body.reason).to.equal('ROLE_REQUIRED');`,
    `});`,
  ].join('\n');
};

const documentationOf = (operation) =>
  [
    operation.summary,
    ...(operation.description === undefined ? [] : ['', operation.description]),
    '',
    ...Object.entries(operation.responses).map(
      ([status, { description = '' }]) => `- ${status}: ${description.split('\n')[0]}`,
    ),
  ].join('\n');

function requestOf({ method, path, operation, sequence, description }) {
  const contents = bodyOf(operation);
  const json = contents.find(([type]) => type === 'application/json');
  const example = json && exampleOf(json[1]);
  const isLogin = `${method} ${path}` === LOGIN;
  const body = isLogin ? { username: '{{username}}', password: '{{password}}' } : example;
  const parameters = (place) => (operation.parameters ?? []).filter((one) => one.in === place);
  const optional = (one) =>
    `${one.required ? '' : '~'}${one.name}: ${one.schema?.default ?? one.schema?.enum?.[0] ?? ''}`;
  const tags = [
    ...(method === 'GET' || isLogin ? ['reads'] : ['changes']),
    ...(method === 'DELETE' ? ['deletes'] : []),
    ...(`${method} ${path}` === LOGOUT ? ['ends-login'] : []),
  ];
  const url = `{{url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const kept = keptAfter(method, path, description);
  return [
    block(
      'meta',
      [
        `name: ${nameOf(operation.operationId)}`,
        'type: http',
        `seq: ${sequence}`,
        `tags: [\n${tags.map((tag) => `  ${tag}`).join('\n')}\n]`,
      ].join('\n'),
    ),
    block(
      method.toLowerCase(),
      `url: ${url}\nbody: ${body === undefined ? 'none' : 'json'}\nauth: ${isLogin ? 'none' : 'inherit'}`,
    ),
    pairs('params:query', parameters('query').map(optional)),
    pairs(
      'params:path',
      parameters('path').map(({ name }) => `${name}: {{${name}}}`),
    ),
    pairs('headers', parameters('header').map(optional)),
    body === undefined ? '' : block('body:json', JSON.stringify(body, undefined, 2)),
    kept === '' ? '' : block('script:post-response', kept),
    block('tests', testOf(operation)),
    block('docs', documentationOf(operation)),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** The files of a collection, by their paths in its folder. */
function brunoCollection(variant, description) {
  const files = new Map();
  const operations = Object.entries(writtenOut(description).paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({
      method: method.toUpperCase(),
      path,
      operation: item[method],
    })),
  );
  const variables = [...new Set(operations.flatMap(({ path }) => variablesOf(path)))].sort();
  files.set(
    'bruno.json',
    `${JSON.stringify({ version: '1', name: `Account API, Variant ${variant}`, type: 'collection' }, undefined, 2)}\n`,
  );
  files.set(
    'collection.bru',
    [
      block('auth', 'mode: apikey'),
      block('auth:apikey', 'key: Authorization\nvalue: {{hash}}\nplacement: header'),
      block('docs', 'Send login/authLogin first: it keeps the hash, which every other request sends.'),
    ].join('\n'),
  );
  files.set(
    'environments/local.bru',
    [
      block(
        'vars',
        [
          `url: http://localhost:${variant === 'A' ? 3000 : 3001}`,
          'username: admin@localhost.localdomain',
          'hash: none',
          ...variables.map((name) => `${name}: 1`),
        ].join('\n'),
      ),
      'vars:secret [\n  password\n]\n',
    ].join('\n'),
  );
  const tags = [...new Set(operations.map(({ operation }) => operation.tags[0]))];
  const order = (description.tags ?? []).map(({ name }) => name);
  tags.sort((one, other) => order.indexOf(one) - order.indexOf(other));
  tags.forEach((tag, index) => {
    const folder = nameOf(tag);
    files.set(`${folder}/folder.bru`, block('meta', `name: ${folder}\nseq: ${index + 1}`));
    const own = operations.filter(({ operation }) => operation.tags[0] === tag);
    const rank = ({ method, path }) => (SORTED_FIRST.includes(`${method} ${path}`) ? 0 : 1);
    own.sort((one, other) => rank(one) - rank(other));
    own.forEach((one, place) =>
      files.set(
        `${folder}/${nameOf(one.operation.operationId)}.bru`,
        requestOf({ ...one, sequence: place + 1, description }),
      ),
    );
  });
  return files;
}

module.exports = { brunoCollection };
