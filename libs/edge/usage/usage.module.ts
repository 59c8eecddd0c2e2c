import { Module } from '@nestjs/common';
import type { TableRules } from '@app/lifecycle/table-rules';
import { InterfaceSteps } from './interface-steps.variant-b';
import { UsageRecorder } from './usage-recorder';

const BATCH = 5000;
/** A year and a month. */
const KEPT_DAYS = 400;

const past = (table: string): string => `
  WITH gone AS (
    DELETE FROM ${table} WHERE ctid IN (
      SELECT ctid FROM ${table} WHERE day < now() - make_interval(days => ${KEPT_DAYS}) LIMIT ${BATCH})
    RETURNING day
  ) SELECT count(*) = ${BATCH} AS more FROM gone`;

export const USAGE_RULES: readonly TableRules[] = ['variant_usage', 'variant_programs'].map((table) => ({
  table,
  cleanUp: [past(table)],
}));

/** Counts calls of the variant in every process; the command line reads the counts. */
@Module({ providers: [UsageRecorder, InterfaceSteps], exports: [UsageRecorder, InterfaceSteps] })
export class UsageModule {}
