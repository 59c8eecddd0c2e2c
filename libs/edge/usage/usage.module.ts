import { Module } from '@nestjs/common';
import type { TableRules } from '@app/lifecycle/table-rules';
import { InterfaceSteps } from './interface-steps.variant-b';
import { UsageRecorder } from './usage-recorder';

const BATCH = 5000;
/** A year and a month. */
const KEPT_DAYS = 400;

const past = (table: string): string => `
  WITH deleted AS (
    DELETE FROM ${table} WHERE ctid IN (
      SELECT ctid FROM ${table} WHERE day < now() - make_interval(days => ${KEPT_DAYS}) LIMIT ${BATCH})
    RETURNING day
  ) SELECT count(*) = ${BATCH} AS more FROM deleted`;

/** A program is the name that it gives itself, without its version. */
export const USAGE_RULES: readonly TableRules[] = [
  {
    table: 'variant_usage',
    otherTexts: 'variant operation program credential',
    cleanUp: () => [past('variant_usage')],
  },
  {
    table: 'variant_programs',
    otherTexts: 'program',
    cleanUp: () => [past('variant_programs')],
  },
];

/** Counts calls of the variant in every process; the command line reads the counts. */
@Module({ providers: [UsageRecorder, InterfaceSteps], exports: [UsageRecorder, InterfaceSteps] })
export class UsageModule {}
