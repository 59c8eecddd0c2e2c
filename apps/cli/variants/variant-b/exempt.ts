import { exemptUntil, programExemptUntil } from '@app/edge/usage/variant-b/exemptions';
import type { CommandRun } from '../../database';
import { CommandFailed } from '../../outcome';

/** Subject of an exemption from brown-outs: an organisation, or a program in all organisations. */
export type Subject = { readonly organisationId: number } | { readonly program: string };

const TAKE_ITS_PLACE = 'DO UPDATE SET beneath = EXCLUDED.beneath, ends_at = EXCLUDED.ends_at RETURNING id';

const endOf = (column: string): string => `
  WITH ended AS (DELETE FROM variant_exemptions WHERE ${column} = $1 RETURNING id) SELECT id FROM ended`;

const asDay = (until: string): string => `SELECT to_char(${until} AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS until`;

/**
 * The statements of an exemption. $1 is its subject, $2 its end, $3 whether it
 * includes organisations beneath.
 */
const OF_ORGANISATION = {
  exempt: `
    INSERT INTO variant_exemptions (organisation_id, ends_at, beneath)
    SELECT id, $2, $3 FROM organisations WHERE id = $1 AND deleted_at IS NULL
    ON CONFLICT ON CONSTRAINT variant_exemptions_once ${TAKE_ITS_PLACE}`,
  end: endOf('organisation_id'),
  until: asDay(exemptUntil('$1::integer')),
};

const OF_PROGRAM: typeof OF_ORGANISATION = {
  exempt: `
    INSERT INTO variant_exemptions (program, ends_at, beneath) VALUES (fold_case($1), $2, $3)
    ON CONFLICT ON CONSTRAINT variant_exemptions_program_once ${TAKE_ITS_PLACE}`,
  end: endOf('program'),
  until: asDay(programExemptUntil('$1')),
};

/** The exemption to set; undefined removes it. */
export type Exemption = { readonly until: Date; readonly beneath: boolean } | undefined;

/** The end of the subject's exemption after the change. An exemption from above remains. */
export async function changeExemption(
  { transactions, ctx }: CommandRun,
  subject: Subject,
  exemption: Exemption,
): Promise<string | null> {
  const [statements, name, value] =
    'program' in subject
      ? [OF_PROGRAM, `program ${subject.program}`, subject.program]
      : [OF_ORGANISATION, `organisation ${subject.organisationId}`, subject.organisationId];
  return transactions.run(ctx, async (manager) => {
    const changed =
      exemption === undefined
        ? await manager.query<object[]>(statements.end, [value])
        : await manager.query<object[]>(statements.exempt, [value, exemption.until, exemption.beneath]);
    if (changed.length === 0) {
      throw new CommandFailed(
        exemption === undefined ? `${name} has no exemption of its own` : `there is no ${name}`,
      );
    }
    const [row] = await manager.query<{ until: string | null }[]>(statements.until, [value]);
    return row?.until ?? null;
  });
}

const CALLED = `SELECT 1 FROM variant_usage WHERE variant = 'B' AND fold_case(program) = $1 LIMIT 1`;

/**
 * Whether a call of the program to Variant B has been counted, because a misspelt name would exempt nothing.
 */
export async function isKnownProgram({ dataSource }: CommandRun, program: string): Promise<boolean> {
  return (await dataSource.query<object[]>(CALLED, [program])).length > 0;
}
