// Prints docs/variants.md, before prettier: the changes from Variant B to Variant A, route by
// route, rule by rule and field by field.
const { item } = require('./lines.cjs');
const { compareVariants, PARTS } = require('./variants.cjs');

/**
 * The replacement in Variant A for each route that only Variant B has; the shapes do not show it. A route
 * without a line here stops the generator.
 */
const INSTEAD = [
  [
    /^POST \/organisations\/\{organisationId\}\/users$/,
    'Import users of an old panel with `cli import-users` (docs/move-in.md), with their password ' +
      'hashes. Invite new users: `POST /organisations/{organisationId}/invitations`.',
  ],
  [
    /\/cp3\/users\//,
    'Name and roles: `PATCH /organisations/{organisationId}/users/{userId}`. Only `cli ' +
      'import-users` accepts a password hash of the old panel; otherwise the user sets a new ' +
      'password by recovery mail (`POST /resetting/send_email`).',
  ],
  [
    /\/userandcontact$/,
    '`POST /organisations/{organisationId}/invitations`: the invited person chooses the password, and registration creates the first contact.',
  ],
  [/\/domains\/check$/, 'None: it belongs to the domain area of the panel, in both variants.'],
  [
    /\/acls(\/|$)/,
    '`…/organisations/{organisationId}/grants` (docs/agencies.md). It has the same records in ' +
      'another shape: a grant to `read` is what a POST here makes, and a grant is ended by its id. ' +
      'A second POST for the same organisation is 201 with the grant that is there in B, and 400 ' +
      '`ALREADY_TAKEN` on `organisation` in A. Keys: API keys of managers as here, service keys ' +
      'that name `grants.create`, `grants.update` and `grants.delete` instead of `acls.create` and ' +
      '`acls.delete`.',
  ],
  [/^(PUT|DELETE) \/entities\//, '`cli import-entities` (docs/cli.md), with `removed` for deletions.'],
];

function insteadOf(operation) {
  const found = INSTEAD.find(([pattern]) => pattern.test(operation));
  if (!found)
    throw new Error(`${operation} exists only in Variant B: add its replacement to INSTEAD in this file`);
  return found[1];
}

const HEAD = `# From Variant B to Variant A

This page lists the changes for a program that moves from Variant B to Variant A, route by route and field by field.
\`npm run docs\` makes it from the shapes of both variants, and from the words of rules that the shapes do not show
(\`libs/service/variants/rules.variant-b.ts\`); tests compare them. \`cli variants plan\` shows the remaining callers of
Variant B; [retire-variant-b.md](retire-variant-b.md) is the page for the operator.

## How to move

- Both variants serve one database: a login or an API key is valid in both, and ids are the same. So you can move a program one
  route at a time, by changing the URL that it calls.
- Leave out fields and parameters that only Variant A has; ignore them in responses.
- Users log in by e-mail address in Variant A. A login name of an old panel still works, but nobody can choose a new one.
- A user with two-factor login cannot log in at Variant B. Variant A asks for \`6digitCode\` with 401 \`6digitCode is invalid\`: let
  the person type it, or give programs an API key, which needs no code.
- Errors have the same form in both, with the same \`reason\` and \`reasons\`.
`;

/** An item, for lines that are joined. */
const listed = (text) => item(text).trimEnd();

const line = (text) => text.replaceAll('\n', ' ');

const NAMES = { parameter: 'query', request: 'request', response: 'response', status: 'status' };

/** The fields that differ, a line each, with what a client must do. */
function linesOf({ operation, summary, rules, ...parts }) {
  const rows = PARTS.flatMap((part) => [
    ...parts[part].onlyB.map(({ name, words }) => [
      part,
      name,
      'removed in A',
      `do not send or expect it. ${words}`,
    ]),
    ...parts[part].changed.map(({ name, a, b, takesMore }) => [
      part,
      name,
      takesMore ? 'takes more' : 'other',
      otherOf(a, b),
    ]),
    ...parts[part].onlyA.map(({ name, type, words }) => [
      part,
      name,
      'new in A',
      [type, words].filter(Boolean).join('. '),
    ]),
  ]);
  return [
    `### \`${operation}\``,
    '',
    `${summary}.`,
    '',
    ...rules.map(({ words, allowsMore }) =>
      listed(`rule, ${allowsMore ? 'allows more' : 'other'}: ${words}`),
    ),
    ...rows.map(([part, name, change, words]) =>
      listed(`${NAMES[part]} \`${name}\`, ${change}: ${line(words)}`),
    ),
    '',
  ];
}

const otherOf = (a, b) =>
  [
    ...(a.type === b.type ? [] : [`${b.type} in B, ${a.type} in A`]),
    ...(a.words === b.words ? [] : [`B: ${b.words}. A: ${a.words}`]),
  ].join('. ');

/** Removed and changed fields, and other rules, need a change of the client; what is new does not. */
const needsChange = (entry) =>
  entry.rules.some(({ allowsMore }) => !allowsMore) ||
  PARTS.some(
    (part) => entry[part].onlyB.length > 0 || entry[part].changed.some(({ takesMore }) => !takesMore),
  );

/** The text of docs/variants.md, before prettier. */
function variantsDocument(descriptionA, descriptionB, rules) {
  const { onlyA, onlyB, changed, same } = compareVariants(descriptionA, descriptionB, rules);
  const toChange = changed.filter(needsChange);
  const added = changed.filter((entry) => !needsChange(entry));
  return [
    HEAD,
    `## Routes that only Variant B has (${onlyB.length})`,
    '',
    ...onlyB.map(({ operation, summary }) =>
      listed(`\`${operation}\` (${line(summary)}). Instead: ${line(insteadOf(operation))}`),
    ),
    '',
    `## Routes with removed or changed fields, or another rule (${toChange.length})`,
    '',
    ...toChange.flatMap(linesOf),
    `## Routes to which Variant A only adds (${added.length})`,
    '',
    'These routes need no change; you can use the additions.',
    '',
    ...added.flatMap(linesOf),
    `## Routes that are the same (${same.length})`,
    '',
    ...same.map((operation) => `- \`${operation}\``),
    '',
    `## Routes that only Variant A has (${onlyA.length})`,
    '',
    ...onlyA.map(({ operation, summary }) => listed(`\`${operation}\`: ${line(summary)}`)),
    '',
  ].join('\n');
}

module.exports = { variantsDocument };
