import type { Deployment } from './deployment';
import { samplesOf, type Need, type Story } from './sample';
import { Situation, type SituationOptions } from './situation';
import { missingNeeds, StoryRun } from './story-run';

export interface Result {
  readonly area: string;
  readonly story: string;
  readonly operation: string;
  readonly title: string;
  readonly outcome: 'ok' | 'failed' | 'not checked';
  /** What differs, or why nothing was sent. */
  readonly notes: readonly string[];
  readonly milliseconds: number;
}

export interface RunReport {
  readonly results: readonly Result[];
  /** What the run made and could not delete. */
  readonly left: readonly string[];
  /** A signal ended it early. */
  readonly interrupted: boolean;
}

const REASONS: Readonly<Record<Need, string>> = {
  person: 'needs a registered user: here invitations are answered by mail alone',
  user: '',
  mail: 'needs to read a mail',
  entities: 'needs registered apps, domains, mail groups and systems',
};

/** Runs the stories against a deployment, one request at a time, and takes away what they made, come what may. */
export async function runStories(
  stories: readonly Story[],
  deployment: Deployment,
  options: SituationOptions,
  isInterrupted: () => boolean,
): Promise<RunReport> {
  const situation = new Situation(deployment, options);
  const results: Result[] = [];
  const left: string[] = [];
  try {
    await situation.begin();
    for (const story of stories) {
      if (isInterrupted()) break;
      left.push(...(await runStory(story, situation, results, isInterrupted)));
    }
  } finally {
    left.push(...(await situation.end()));
  }
  return { results, left, interrupted: isInterrupted() };
}

async function runStory(
  story: Story,
  situation: Situation,
  results: Result[],
  isInterrupted: () => boolean,
): Promise<string[]> {
  const samples = samplesOf(story, situation.options.variant);
  if (samples.length === 0) return [];
  const add = (sample: (typeof samples)[number], rest: Pick<Result, 'outcome' | 'notes' | 'milliseconds'>) =>
    results.push({
      area: story.area,
      story: story.title,
      operation: sample.operation,
      title: sample.title,
      ...rest,
    });
  const missing = missingNeeds(story, situation).map((need) => REASONS[need]);
  if (missing.length > 0) {
    for (const sample of samples) add(sample, { outcome: 'not checked', notes: missing, milliseconds: 0 });
    return [];
  }
  let run: StoryRun;
  try {
    run = await StoryRun.open(story, situation);
  } catch (error) {
    const notes = [`the situation could not be made: ${(error as Error).message}`];
    for (const sample of samples) add(sample, { outcome: 'failed', notes, milliseconds: 0 });
    return [];
  }
  for (const sample of samples) {
    if (isInterrupted()) break;
    const started = performance.now();
    const notes = await run.check(sample).catch((error: unknown) => [(error as Error).message]);
    add(sample, {
      outcome: notes.length === 0 ? 'ok' : 'failed',
      notes,
      milliseconds: performance.now() - started,
    });
  }
  return run.close();
}
