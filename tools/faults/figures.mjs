// Figures of a scene, summed over its repetitions, with the goals they are judged by.

/** Milliseconds. */
const SLOWEST_ANSWER = 8000;
const FIRST_GOOD_WRITE = 2000;
const WAITING_MAIL = 15_000;
/** A latency fails the run only past so many times its goal: other work on the machine delays everything. */
const FAR = 3;

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(milliseconds < 1000 ? 2 : 1)} s`;

/** A number that must be 0, out of how many. */
export const nothing = (name, things, outOf) => ({
  name,
  figure: outOf === undefined ? String(things.length) : `${things.length} of ${outOf}`,
  goal: '0',
  verdict: things.length === 0 ? 'met' : 'MISSED',
  isFailure: things.length > 0,
  ...(things.length > 0 && { details: things.slice(0, 20) }),
});

/** A time with a goal. */
export const within = (name, milliseconds, goal) => ({
  name,
  figure: milliseconds === undefined ? 'never' : seconds(milliseconds),
  goal: `≤ ${goal / 1000} s`,
  verdict: milliseconds <= goal ? 'met' : milliseconds <= goal * FAR ? 'missed' : 'MISSED by far',
  isFailure: !(milliseconds <= goal * FAR),
});

/** A figure without a goal. */
export const told = (name, figure) => ({
  name,
  figure: String(figure),
  goal: '–',
  verdict: '',
  isFailure: false,
});

const wordsOf = (cuts) =>
  Object.entries(cuts)
    .map(([word, count]) => `${count} ${word}`)
    .join(', ') || '0';

/** The figures of every scene under load; `rounds` has the findings of `verify`, one for each repetition. */
export function figuresOfLoad(rounds, answers, { areCutsAllowed = false } = {}) {
  const all = (key) => rounds.flatMap((round) => round[key]);
  const sum = (key) => rounds.reduce((total, round) => total + round[key], 0);
  const cuts = Object.entries(answers.cuts).flatMap(([word, count]) =>
    Array.from({ length: count }, () => word),
  );
  const away = answers.byStatus[503] ?? 0;
  return [
    nothing('acknowledged writes lost', all('lost'), sum('writes')),
    nothing('writes twice', all('twice')),
    nothing('answers but 2xx and 503 with Retry-After', answers.bad, answers.count),
    areCutsAllowed
      ? told('connections refused or cut', wordsOf(answers.cuts))
      : nothing('connections cut', cuts, answers.count),
    within('slowest answer', answers.slowest, SLOWEST_ANSWER),
    nothing('mails missing', all('mailsMissing'), sum('mails')),
    nothing('mails twice', all('mailsTwice'), sum('mails')),
    told('answers 503', away),
    told('done without being acknowledged', sum('unconfirmed')),
  ];
}

/**
 * Of a fault of the database: how long it was away, and how soon the service wrote after that. `returns` have
 * the way that a node takes to the database.
 */
export function figuresOfReturn(returns) {
  return [...new Set(returns.map(({ way }) => way))].flatMap((way) => {
    const back = returns.filter((one) => one.way === way && one.away !== undefined);
    const aways = [...new Set(back.map(({ away }) => seconds(away)))].join(', ');
    const first = Math.max(...back.map(({ firstGood }) => firstGood));
    return [
      told(`database away, ${way}`, aways || 'never'),
      ...(back.length === 0 ? [] : [within(`first good write after that, ${way}`, first, FIRST_GOOD_WRITE)]),
    ];
  });
}

/**
 * Of a fault of the database: how soon after its first return the mails left that had waited for it. `waits`
 * has the milliseconds of each of them.
 */
export function figuresOfWaitingMails(waits) {
  const all = told('mails that waited for the database', waits.length);
  if (waits.length === 0) return [all];
  return [
    all,
    within('the first of them taken after its return', Math.min(...waits), WAITING_MAIL),
    within('the last of them taken after its return', Math.max(...waits), WAITING_MAIL),
  ];
}
