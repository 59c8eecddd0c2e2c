// The mail server is away: for as long as a restart takes, and for an hour.
import { nothing, told } from '../figures.mjs';
import { pause } from '../processes.mjs';
import { underLoad } from './under-load.mjs';

const MAIL_AWAY = 60_000;
const MAIL_AWAY_SHORT = 10_000;
const MAIL_PATIENCE = 150_000;

/** The worker tries again after 3, 7, 20 and 55 seconds and so on. */
export async function mailAway(stage, times, isShort) {
  const { figures } = await underLoad(
    stage,
    { targets: stage.nodes, mailPatience: MAIL_PATIENCE },
    async () => {
      for (let time = 0; time < times; time++) {
        await pause(2000);
        await stage.mail.stop();
        await pause(isShort ? MAIL_AWAY_SHORT : MAIL_AWAY);
        await stage.mail.start();
        await pause(2000);
      }
    },
  );
  return figures;
}

const HOUR = 3_600_000;
/**
 * Load at both ends of the hour: what is written in between would keep the scene
 * waiting for half an hour more.
 */
const BUSY = 120_000;
/** The eighth pause is 50 minutes: what was written first is tried again 20 to 25 minutes after the hour. */
const PATIENCE_AFTER_AN_HOUR = 30 * 60_000;

/** The first mails have been tried eight times by then, and the last ones just now. */
export async function mailAwayForAnHour(stage, times) {
  const tries = () =>
    stage.ask('SELECT count(*)::int AS "jobs", max(attempts) AS "most" FROM graphile_worker.jobs');
  const seen = [];
  const backs = [];
  const { figures, found } = await underLoad(
    stage,
    { targets: stage.nodes, mailPatience: PATIENCE_AFTER_AN_HOUR },
    async (load) => {
      for (let time = 0; time < times; time++) {
        await pause(2000);
        await stage.mail.stop();
        await pause(BUSY);
        load.rest();
        await pause(HOUR - 2 * BUSY);
        load.goOn();
        await pause(BUSY);
        seen.push(...(await tries()));
        await stage.mail.start();
        backs.push(Date.now());
        await pause(2000);
      }
    },
  );
  const last = Math.max(...[...stage.mail.taken.values()].flat().map(({ at }) => Date.parse(at)));
  // One whose try was lost with a connection is tried again a quarter of an hour later, and
  // its next pause is longer.
  const queued = await stage.ask(`SELECT address AS "to" FROM mails`);
  const waiting = new Set(queued.map(({ to }) => to));
  const lost = found.mailsMissing.filter((email) => !waiting.has(email));
  return [
    ...figures.filter(({ name }) => name !== 'mails missing'),
    nothing('mails missing and not in the queue', lost, found.mails),
    told('mails that still waited half an hour after the return', found.mailsMissing.length - lost.length),
    told('mails that waited as the server came back', seen.map(({ jobs }) => jobs).join(', ')),
    told('of them tried at most', seen.map(({ most }) => `${most} times`).join(', ')),
    told('last mail taken after the return', `${Math.round((last - backs.at(-1)) / 60_000)} min`),
  ];
}
