import type { Work } from '../../qa/run';
import { examplesOf, type Scenario } from '../../qa/scenario';
import { CLEAR_LINE } from './terminal';

const OFTEN = 200;
/** Milliseconds after which a line is written of an area that takes long. */
const SELDOM = 10_000;
const SECOND = 1000;

/** Shows which area a run is at, how many of its examples are done, and how long it has taken. */
export const withProgress =
  (work: Work, scenarios: readonly Scenario[], output: NodeJS.WriteStream): Work =>
  async (session, results, isInterrupted) => {
    const areas = scenarios.flatMap((scenario) =>
      examplesOf(scenario, session.options.variant).map(() => scenario.area),
    );
    const began = performance.now();
    let shown: string | undefined;
    let shownAt = began;
    const show = () => {
      const area = areas[results.length];
      const now = performance.now();
      if (area === undefined || (!output.isTTY && area === shown && now - shownAt < SELDOM)) return;
      [shown, shownAt] = [area, now];
      const seconds = Math.round((now - began) / SECOND);
      const text = `${area}: ${results.length} of ${areas.length} done, ${seconds} s`;
      output.write(output.isTTY ? `${CLEAR_LINE}${text}` : `${text}\n`);
    };
    show();
    const timer = setInterval(show, OFTEN);
    try {
      return await work(session, results, isInterrupted);
    } finally {
      clearInterval(timer);
      output.write(CLEAR_LINE);
    }
  };
