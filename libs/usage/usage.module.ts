import { Injectable, Module } from '@nestjs/common';
import { CleanUp } from '@app/platform/jobs/clean-up';
import { Settings } from '@app/platform/process/settings';
import { UsageRecorder } from './usage-recorder';

const BATCH = 5000;

@Injectable()
export class UsageCleanUp extends CleanUp {
  readonly statements: readonly string[];

  constructor({ retention }: Settings) {
    super();
    this.statements =
      retention.usage === undefined
        ? []
        : ['variant_usage', 'variant_programs'].map(
            (table) => `
              WITH gone AS (
                DELETE FROM ${table} WHERE ctid IN (
                  SELECT ctid FROM ${table} WHERE day < now() - make_interval(secs => ${retention.usage}) LIMIT ${BATCH})
                RETURNING day
              ) SELECT count(*) = ${BATCH} AS more FROM gone`,
          );
  }
}

/** Counts calls of the variant in every process; the command line reads the counts. */
@Module({ providers: [UsageCleanUp, UsageRecorder], exports: [UsageRecorder] })
export class UsageModule {}
