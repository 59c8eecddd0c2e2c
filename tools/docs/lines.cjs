// Lines of the printed pages: none is longer than a terminal, a diff and a review show.

/** With room for the indent of a list within a list. */
const WIDTH = 140;

/** What stays on one line: words, code, and a link with the numbers of rules behind it. */
const WHOLE = /(?:`[^`]*`|\]\([^)\s]*\)(?: \d+(?:, \d+)*)?|\S)+/g;

/** Text in lines of at most WIDTH characters. `first` begins the first one, and the others are as far in. */
function wrapped(text, first = '') {
  const indent = ' '.repeat(first.length);
  const lines = [first];
  for (const word of text.match(WHOLE) ?? []) {
    const line = lines.at(-1);
    const isEmpty = line.trim() === first.trim() && (line === first || line === indent);
    if (isEmpty) lines[lines.length - 1] = line + word;
    else if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(indent + word);
  }
  return lines.join('\n');
}

/** An item of a list. */
const item = (text) => `${wrapped(text, '- ')}\n`;

module.exports = { item };
