// Prints docs/reasons.md from the tables that libs/service/reasons.ts gathers.
const { item } = require('./lines.cjs');

const list = (words) =>
  Object.entries(words)
    .map(([word, meaning]) => item(`\`${word}\`: ${meaning}`))
    .join('');

/** The text of docs/reasons.md, before prettier. */
exports.reasonsDocument = ({ ANSWER_REASONS, FIELD_ERROR_REASONS }) => `# Reasons

\`npm run docs\` prints this page from the files \`libs/**/*.reasons.ts\` and \`libs/platform/errors/reasons.ts\`. These words are for
programs and do not change. Error texts are for people and may change. A later release may add words.

## Reasons of a response

The body of every error response has \`reason\`.

${list(ANSWER_REASONS)}
## Reasons of a field

A response with \`VALIDATION_FAILED\` has \`reasons\` beside \`errors\`: \`{"<field>": ["TOO_SHORT", …]}\`. It has a word for each text
under \`errors.children.<field>.errors\`, in the same order.

${list(FIELD_ERROR_REASONS)}`;
