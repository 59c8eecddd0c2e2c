// Prints the lists of docs/settings.md, and what other pages and files show of a first deployment, from the
// table of config/setting-table.ts.
const { item } = require('./lines.cjs');

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

const entry = (row, defaults) => {
  const text = defaultOf(row, defaults);
  const shown = text === undefined ? (row.notes.instead ?? 'none') : `\`${text}\``;
  return item(`**\`${row.name}\`**: ${row.words}. Default: ${shown}`);
};

/** The page with the lines that `place` finds beneath a heading replaced. */
function beneath(page, heading, place, lines) {
  const found = new RegExp(`(^##+ ${heading}\n(?:(?!#)(?!${place}).*\n)*)(?:${place}.*\n)+`, 'm');
  if (!found.test(page)) throw new Error(`Nothing to replace beneath "${heading}"`);
  return page.replace(found, (_, before) => before + lines);
}

/** The page with its lists printed anew: each stands beneath the heading that is the name of its group. */
exports.settingsDocument = (page, groups, defaults) =>
  Object.entries(groups).reduce(
    (text, [group, rows]) =>
      beneath(text, group, '(?:- \\*|  )', rows.map((row) => entry(row, defaults)).join('')),
    page,
  );

/** A page with the table of a first deployment printed anew: with meanings, or with examples. */
exports.firstSettings = (page, { heading, column }, groups) =>
  beneath(
    page,
    heading,
    '\\|',
    [
      `| Setting | ${column} |\n| --- | --- |\n`,
      ...ofDeployment(groups).map(
        ({ name, words, notes }) =>
          `| \`${name}\` | ${column === 'Meaning' ? clause(words) : `\`${notes.deployment}\``} |\n`,
      ),
    ].join(''),
  );

const ofDeployment = (groups) =>
  Object.values(groups)
    .flat()
    .filter(({ notes }) => notes.deployment !== undefined);

/** Lines of a comment, as long as those of the code. */
const comment = (text, indent = '') => text.replace(/(.{1,128})(?: |$)/g, `${indent}# $1\n`);

/** The first clause of a description, for where a setting is one of few. */
const clause = (words) => words.split('; ')[0];

const plain = (markdown) => markdown.replaceAll(/`|\[([^\]]*)\]\([^)]*\)/g, '$1');

const capital = (text) => text[0].toUpperCase() + text.slice(1);

const deploymentOf = ({ example, deployment }) =>
  deployment && example === '' ? `A deployment has ${deployment}` : undefined;

/** The text of .env.example. */
exports.envExample = (groups, defaults) =>
  HEAD +
  Object.values(groups)
    .flat()
    .filter(({ notes }) => notes.example !== undefined)
    .map((row) => {
      const { name, words, notes } = row;
      const fallback = defaultOf(row, defaults);
      const sentences = [
        words,
        notes.hint,
        notes.secret ? undefined : deploymentOf(notes),
        fallback && `Default: ${fallback}`,
      ].filter(Boolean);
      return `${comment(`${sentences.map(plain).map(capital).join('. ')}.`)}${name}=${notes.example}\n`;
    })
    .join('') +
  TAIL;

const SYSTEMD = `\
# /etc/account-api/common.env, mode 0600: what all processes share. a.env and b.env hold API_VARIANT and PORT.
# npm run docs prints this file from config/setting-table.ts.
`;

/** The text of deploy/systemd/common.env.example. */
exports.systemdExample = (groups) =>
  SYSTEMD +
  ofDeployment(groups)
    .filter(({ name }) => name !== 'API_VARIANT')
    .map(({ name, words, notes }) => {
      const value = notes.secret ? notes.deployment.replace(/^\(.*\)$/, '') : notes.deployment;
      return `${comment(`${capital(plain(clause(words)))}.`)}${name}=${/\s/.test(value) ? `"${value}"` : value}\n`;
    })
    .join('') +
  `# account-worker does the jobs.
WORKER=off
# Traces: OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 sends them to a collector on this machine.
`;

const KUBERNETES = `\
# Settings without secrets. The Secret account-api holds those; no file here does.
# npm run docs prints this file from config/setting-table.ts.
apiVersion: v1
kind: ConfigMap
metadata:
  name: account-api
data:
`;

/** The text of deploy/kubernetes/settings.yaml. */
exports.kubernetesSettings = (groups) =>
  KUBERNETES +
  ofDeployment(groups)
    .filter(({ name, notes }) => name !== 'API_VARIANT' && !notes.secret && !name.startsWith('ADMIN_'))
    .map(
      ({ name, words, notes }) =>
        `${comment(`${capital(plain(clause(words)))}.`, '  ')}  ${name}: ${notes.inPods ?? notes.deployment}\n`,
    )
    .join('') +
  `  # Traces, where there is who takes them; a key for it would belong into the Secret, as OTEL_EXPORTER_OTLP_HEADERS.
  # OTEL_EXPORTER_OTLP_ENDPOINT: http://collector.monitoring:4318
  # OTEL_TRACES_SAMPLER: parentbased_traceidratio
  # OTEL_TRACES_SAMPLER_ARG: '0.1'
  # The worker does mails and clean-up.
  WORKER: 'off'
`;
