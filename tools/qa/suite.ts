/**
 * What suites of a QA team import (docs/qa.md, "Suites of your own"): they run with jest against
 * the deployment that `QA_URL` and so on name. A file has one session: an admin who is logged in,
 * and an organisation to work in.
 */
import { Deployment } from '../../qa/deployment';
import { type Mails, openMails } from '../../qa/mail/mails';
import { reasonsAgainst, ScenarioRun } from '../../qa/run';
import { examplesOf, type Scenario } from '../../qa/scenario';
import { Session } from '../../qa/session';
import { type Target, targetOfEnvironment } from './options';

const TARGET = target();
let opened: Promise<Session> | undefined;
let mails: Mails | undefined;

function target(): Target {
  const found = targetOfEnvironment(process.env);
  if (typeof found !== 'string') return found;
  throw new Error(`Set QA_URL, QA_VARIANT, QA_ADMIN_USER and QA_ADMIN_PASSWORD as for npm run qa: ${found}`);
}

/**
 * The session of this file; begun when it is first asked for, and all that was made in
 * it is deleted at the end.
 */
export function session(): Promise<Session> {
  opened ??= begin();
  return opened;
}

async function begin(): Promise<Session> {
  const { url, mail, receiver: _listening, ...options } = TARGET;
  mails = await openMails(mail, new AbortController().signal);
  const begun = new Session(new Deployment(url), { ...options, mails });
  await begun.begin();
  return begun;
}

afterAll(async () => {
  try {
    expect((await (await opened)?.end()) ?? []).toEqual([]);
  } finally {
    await mails?.close();
  }
});

/**
 * Declares a scenario: a test for each of its examples, in their order. Those of the
 * other variant are skipped.
 */
export function scenario(written: Scenario): void {
  const examples = examplesOf(written, TARGET.variant);
  describe(`${written.area}: ${written.title}`, () => {
    let run: ScenarioRun;
    if (examples.length > 0) {
      beforeAll(async () => {
        const reasons = reasonsAgainst(written, await session());
        if (reasons.length > 0) throw new Error(`This scenario ${reasons.join(' and ')}.`);
        run = await ScenarioRun.open(written, await session());
      });
      // Only a run that could be opened has anything to take away.
      afterAll(async () => expect((await (run as ScenarioRun | undefined)?.close()) ?? []).toEqual([]));
    }
    for (const example of written.examples) {
      const test = examples.includes(example) ? it : it.skip;
      test(`${example.title}: ${example.operation}`, async () => {
        expect(await run.check(example)).toEqual([]);
      });
    }
  });
}
