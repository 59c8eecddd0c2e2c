// Checks after a scene that everything acknowledged is there.
import { call, newAgent } from './client.mjs';
import { pause } from './processes.mjs';

/** Milliseconds that mails may take after the scene; the worker tries again with growing pauses. */
const MAIL_PATIENCE = 90_000;

/**
 * Returns what was lost or came twice, as words for the report, and how much was acknowledged. `ask` runs SQL
 * on the primary, `target` is a node that serves.
 */
export async function verify({ ledger, mail, ask, target, mailPatience = MAIL_PATIENCE }) {
  const found = {
    writes: 0,
    lost: [],
    twice: [],
    mails: 0,
    mailsMissing: [],
    mailsTwice: [],
    unconfirmed: 0,
  };
  await verifyOrganisations(ledger, ask, found);
  await verifyLogins(ledger, target, found);
  await verifyMails({ ledger, mail, ask, mailPatience }, found);
  return found;
}

async function verifyOrganisations({ mark, organisations }, ask, found) {
  const rows = await ask(
    `SELECT id, name, tax_number, deleted_at IS NOT NULL AS "isGone" FROM organisations WHERE name LIKE $1`,
    [`${mark}-%`],
  );
  const stored = new Map();
  for (const row of rows) {
    if (stored.has(row.name)) found.twice.push(`organisation ${row.name}`);
    stored.set(row.name, row);
  }
  for (const [name, entry] of organisations) {
    const row = stored.get(name);
    if (!entry.isMade) {
      // A write without an answer, or with 503, may be done or not.
      if (row !== undefined) found.unconfirmed += 1;
      continue;
    }
    found.writes += 1 + (entry.kept !== '0') + entry.isGone;
    if (row === undefined || Number(row.id) !== entry.id) {
      found.lost.push(`organisation ${name}`);
      continue;
    }
    const newest = entry.tried.indexOf(row.tax_number);
    if (newest < entry.tried.indexOf(entry.kept)) found.lost.push(`change of ${name} to ${entry.kept}`);
    if (entry.isGone && !row.isGone) found.lost.push(`deletion of ${name}`);
    if (row.isGone && !entry.mayBeGone) found.lost.push(`organisation ${name}, which nobody deleted`);
  }
}

async function verifyLogins({ logins }, target, found) {
  const agent = newAgent();
  try {
    for (const [hash, state] of logins) {
      if (state === 'unknown') continue;
      found.writes += state === 'ended' ? 2 : 1;
      const { status } = await patiently(() => call(target, 'GET', '/whoami', { agent, hash }));
      const wanted = state === 'ended' ? 401 : 200;
      if (status !== wanted) found.lost.push(`login that is ${state}: ${status}`);
    }
  } finally {
    agent.destroy();
  }
}

/** Retries while the node is busy. */
async function patiently(ask) {
  for (let tries = 0; ; tries++) {
    const answer = await ask();
    if ((answer.cut === undefined && answer.status !== 503) || tries === 20) return answer;
    await pause(500);
  }
}

async function verifyMails({ ledger: { mark, mails }, mail, ask, mailPatience }, found) {
  const promised = [...mails].filter(([, isPromised]) => isPromised).map(([email]) => email);
  found.mails = promised.length;
  const missing = () => promised.filter((email) => !mail.taken.has(email));
  const end = performance.now() + mailPatience;
  while (missing().length > 0 && performance.now() < end) await pause(500);
  found.mailsMissing = missing();
  // A job that is left behind would send its mail once more, up to a quarter of an hour later.
  const toComeAgain = async () => {
    const waiting = await ask(`SELECT address AS "to" FROM mails WHERE address LIKE $1`, [`${mark}-%`]);
    return waiting.map(({ to }) => to).filter((email) => mail.taken.has(email));
  };
  for (let tries = 0; tries < 20 && (await toComeAgain()).length > 0; tries++) await pause(500);
  const twice = [...mail.taken]
    .filter(([email, taken]) => email.startsWith(mark) && taken.length > 1)
    .map(([email, taken]) => `${email}: ${taken.map(({ at, id }) => `${at} ${id}`).join(', ')}`);
  found.mailsTwice = [...twice, ...(await toComeAgain()).map((email) => `${email} waits to go out again`)];
}
