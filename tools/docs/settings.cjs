// Prints the tables of docs/settings.md and .env.example from the table of config/setting-table.ts.

const HEAD = `\
# For docker compose, which hands every setting of docs/settings.md that stands here to the service. npm start, the worker and the
# command line read no .env (node --env-file=.env does). Copy to .env, which is not committed, and fill in:
# openssl rand -base64 32 makes a key, openssl rand -hex 16 a password. An empty setting has its default.
# npm run docs prints this file from config/setting-table.ts.
POSTGRES_PASSWORD=
ACCOUNT_PASSWORD=
`;

const TAIL = `\
# Receiver of the traces by OTLP over HTTP, without /v1/traces, such as http://collector:4318.
OTEL_EXPORTER_OTLP_ENDPOINT=
# A tenth of the traces is plenty where many call.
OTEL_TRACES_SAMPLER=parentbased_traceidratio
OTEL_TRACES_SAMPLER_ARG=0.1
`;

/**
 * The setting's default as an operator writes it; undefined without one. `defaults` are the
 * values without any setting.
 */
const defaultOf = ({ fallback }, defaults) =>
  typeof fallback === 'function' ? fallback(defaults) : fallback;

function tableOf(rows, defaults) {
  const line = (row) => {
    const text = defaultOf(row, defaults);
    const shown = text === undefined ? (row.notes.instead ?? 'none') : `\`${text}\``;
    return `| \`${row.name}\` | ${row.words} | ${shown} |\n`;
  };
  return `| Setting | Meaning | Default |\n| --- | --- | --- |\n${rows.map(line).join('')}`;
}

/** The page with its tables printed anew: each stands beneath the heading that is the name of its group. */
exports.settingsDocument = (page, groups, defaults) =>
  Object.entries(groups).reduce((text, [group, rows]) => {
    const place = new RegExp(`(^##+ ${group}\n(?:(?!\\||#).*\n)*)(?:\\|.*\n)+`, 'm');
    if (!place.test(text)) throw new Error(`docs/settings.md has no table beneath "${group}"`);
    return text.replace(place, (_, before) => before + tableOf(rows, defaults));
  }, page);

/** Lines of a comment, as long as those of the code. */
const comment = (text) => text.replace(/(.{1,128})(?: |$)/g, '# $1\n');

const plain = (markdown) => markdown.replaceAll(/`|\[([^\]]*)\]\([^)]*\)/g, '$1');

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** The text of .env.example. */
exports.envExample = (groups, defaults) =>
  HEAD +
  Object.values(groups)
    .flat()
    .filter(({ notes }) => notes.example !== undefined)
    .map((row) => {
      const { name, words, notes } = row;
      const fallback = defaultOf(row, defaults);
      const sentences = [words, notes.hint, fallback && `Default: ${fallback}`].filter(Boolean);
      return `${comment(`${sentences.map(plain).map(capital).join('. ')}.`)}${name}=${notes.example}\n`;
    })
    .join('') +
  TAIL;
