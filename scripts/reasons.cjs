// What docs/reasons.md prints, from the tables of libs/core/errors/reasons.ts.

const table = (heading, words) =>
  [
    [heading, 'Meaning'],
    ['---', '---'],
    ...Object.entries(words).map(([word, meaning]) => [`\`${word}\``, meaning]),
  ]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

/** The text of docs/reasons.md, before prettier. */
exports.reasonsDocument = ({ ANSWER_REASONS, FAULT_REASONS }) => `# Reasons

Printed from \`libs/core/errors/reasons.ts\` by \`npm run docs:reasons\`: change that file, never this page. Texts are for
people and may change; these words are for programs and do not. A later release may add words.

## Of an answer

\`reason\`, in the body of every answer that is no success.

${table('`reason`', ANSWER_REASONS)}

## Of a field

\`reasons\`, beside \`errors\` in answers with \`VALIDATION_FAILED\`: \`{"<field>": ["TOO_SHORT", …]}\`, for each text under
\`errors.children.<field>.errors\` its word, in the same order.

${table('Word', FAULT_REASONS)}
`;
