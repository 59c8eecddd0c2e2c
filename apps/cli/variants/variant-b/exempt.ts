import { exemptUntil } from '@app/usage/variant-b/exemptions';
import type { Database } from '../../database';
import { CommandFailed } from '../../outcome';

const EXEMPT = `
  INSERT INTO variant_exemptions (organisation_id, beneath, ends_at)
  SELECT id, $2, $3 FROM organisations WHERE id = $1 AND deleted_at IS NULL
  ON CONFLICT ON CONSTRAINT variant_exemptions_once DO UPDATE
    SET beneath = EXCLUDED.beneath, ends_at = EXCLUDED.ends_at
  RETURNING id`;

const END = `
  WITH ended AS (DELETE FROM variant_exemptions WHERE organisation_id = $1 RETURNING id) SELECT id FROM ended`;

const UNTIL = `SELECT to_char(${exemptUntil('$1::integer')} AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS until`;

/** An exemption to give; undefined takes it back. */
export type Exemption = { readonly until: Date; readonly beneath: boolean } | undefined;

/** Until when the organisation is exempt after the change: an exemption from above stays. */
export async function changeExemption(
  { transactions, ctx }: Database,
  organisationId: number,
  exemption: Exemption,
): Promise<string | null> {
  return transactions.run(ctx, async (manager) => {
    const changed =
      exemption === undefined
        ? await manager.query<object[]>(END, [organisationId])
        : await manager.query<object[]>(EXEMPT, [organisationId, exemption.beneath, exemption.until]);
    if (changed.length === 0) {
      throw new CommandFailed(
        exemption === undefined
          ? `organisation ${organisationId} has no exemption of its own`
          : `there is no organisation ${organisationId}`,
      );
    }
    const [row] = await manager.query<{ until: string | null }[]>(UNTIL, [organisationId]);
    return row?.until ?? null;
  });
}
