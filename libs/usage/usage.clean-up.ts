import { Injectable } from '@nestjs/common';
import { CleanUp } from '@app/core/jobs/clean-up';
import { Settings } from '@app/core/settings/settings';

const BATCH = 5000;

@Injectable()
export class UsageCleanUp extends CleanUp {
  readonly position = 95;
  readonly statements: readonly string[];

  constructor({ usageRetention }: Settings) {
    super();
    this.statements =
      usageRetention === undefined
        ? []
        : ['variant_usage', 'variant_programs'].map(
            (table) => `
              WITH gone AS (
                DELETE FROM ${table} WHERE ctid IN (
                  SELECT ctid FROM ${table} WHERE day < now() - make_interval(secs => ${usageRetention}) LIMIT ${BATCH})
                RETURNING day
              ) SELECT count(*) = ${BATCH} AS more FROM gone`,
          );
  }
}
