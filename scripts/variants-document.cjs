// What docs/variants.md says, before prettier: the way from Variant B to Variant A, route by route and field by field.
const { compareVariants, PARTS } = require('./variants.cjs');

/**
 * What a client does in Variant A in the place of a route that only Variant B has: the one thing that the shapes do not
 * tell. A route without a line here stops the generator.
 */
const INSTEAD = [
  [
    /^POST \/organisations\/\{organisationId\}\/users$/,
    'Users of an old panel come in with `cli import-users` (docs/move-in.md), password hash included. A new user is invited: `POST /organisations/{organisationId}/invitations`.',
  ],
  [
    /\/cp3\/users\//,
    'Name and roles: `PATCH /organisations/{organisationId}/users/{userId}`. A password hash of the old panel is only taken by `cli import-users`; otherwise the user sets a new password by recovery mail (`POST /resetting/send_email`).',
  ],
  [
    /\/userandcontact$/,
    '`POST /organisations/{organisationId}/invitations`: the invited person chooses the password, and the first contact is made at registration.',
  ],
  [/\/domains\/check$/, 'Nothing: it belongs to the domain area of the panel, in either variant.'],
  [
    /\/notifications(\/crm)?$/,
    'Nothing: notifications are written and mailed in both variants, and can be read and posted in Variant B alone. Who needs the list keeps a process of Variant B for it.',
  ],
  [
    /\/acls(\/|$)/,
    'Nothing: grants go on to count in Variant A, where nobody can give, list or take them back. Before Variant B goes, take back what should not stay; a reseller link or a parent gives lasting reach.',
  ],
  [
    /^GET \/organisations\/\{organisationId\}\/entities$/,
    'Nothing: a user reads what the own teams work on at `GET /organisations/{organisationId}/teams`; the area of the panel that owns the entities has the rest.',
  ],
  [/^(PUT|DELETE) \/entities\//, '`cli import-entities` (docs/cli.md), with `removed` for what goes.'],
  [
    /^\w+ \/organisations\/\{organisationId\}\/contacts/,
    'Contacts of a user: `…/organisations/{organisationId}/users/{userId}/contacts`, with the same bodies and answers. Contacts of the organisation itself stay and are mailed; `cli import-contacts` adds some.',
  ],
];

function insteadOf(operation) {
  const found = INSTEAD.find(([pattern]) => pattern.test(operation));
  if (!found)
    throw new Error(`${operation} is in Variant B alone: say in INSTEAD of this file what takes its place`);
  return found[1];
}

const HEAD = `# From Variant B to Variant A

What a program that calls Variant B must change to call Variant A, route by route and field by field. Made from the shapes of
both variants by \`npm run docs:variants\`; a test holds it to them. Who still calls Variant B, and with what, is told by
\`cli variants usage\`; [retire-variant-b.md](retire-variant-b.md) is the operator's side.

## How to go about it

- Both variants serve one database: a login or an API key of one is good in the other, and ids are the same. So a program can
  be changed one route at a time, by the address that it calls.
- Additions need no change: a field or a parameter that only Variant A has can be left out and passed over.
- Users log in by e-mail address in Variant A. A login name of an old panel goes on to work, and no new one can be taken.
- A user with two-factor login cannot log in at Variant B. Variant A asks for \`6digitCode\` with 401 \`6digitCode is invalid\`: let
  the person type it, or give programs an API key, which needs none.
- Errors have one shape in both, with the same \`reason\` and \`reasons\`.
`;

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const NAMES = { parameter: 'query', request: 'request', response: 'answer', status: 'status' };

/** What a client must do about one field that is not the same. */
function linesOf({ operation, summary, ...parts }) {
  const rows = PARTS.flatMap((part) => [
    ...parts[part].onlyB.map(({ name, words }) => [
      part,
      name,
      'gone in A',
      `leave it out, do not expect it. ${words}`,
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
    '| Where | Field | In Variant A | What to do, what it is |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ([part, name, change, words]) => `| ${NAMES[part]} | \`${name}\` | ${change} | ${cell(words)} |`,
    ),
    '',
  ];
}

const otherOf = (a, b) =>
  [
    ...(a.type === b.type ? [] : [`${b.type} in B, ${a.type} in A`]),
    ...(a.words === b.words ? [] : [`B: ${b.words}. A: ${a.words}`]),
  ].join('. ');

/** A client must act on what goes or changes; what is new can wait. */
const needsChange = (entry) =>
  PARTS.some(
    (part) => entry[part].onlyB.length > 0 || entry[part].changed.some(({ takesMore }) => !takesMore),
  );

/** The text of docs/variants.md, before prettier. */
function variantsDocument(descriptionA, descriptionB) {
  const { onlyA, onlyB, changed, same } = compareVariants(descriptionA, descriptionB);
  const [toChange, added] = [changed.filter(needsChange), changed.filter((entry) => !needsChange(entry))];
  return [
    HEAD,
    `## Routes that only Variant B has (${onlyB.length})`,
    '',
    '| Route | Does | Instead in Variant A |',
    '| --- | --- | --- |',
    ...onlyB.map(
      ({ operation, summary }) => `| \`${operation}\` | ${cell(summary)} | ${cell(insteadOf(operation))} |`,
    ),
    '',
    `## Routes where something goes or changes (${toChange.length})`,
    '',
    ...toChange.flatMap(linesOf),
    `## Routes to which Variant A only adds (${added.length})`,
    '',
    'Nothing must change for these; what comes can be used.',
    '',
    ...added.flatMap(linesOf),
    `## Routes that are the same (${same.length})`,
    '',
    ...same.map((operation) => `- \`${operation}\``),
    '',
    `## Routes that only Variant A has (${onlyA.length})`,
    '',
    '| Route | Does |',
    '| --- | --- |',
    ...onlyA.map(({ operation, summary }) => `| \`${operation}\` | ${cell(summary)} |`),
    '',
  ].join('\n');
}

module.exports = { variantsDocument };
