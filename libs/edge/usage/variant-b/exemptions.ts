/**
 * SQL for the end of an organisation's exemption from brown-outs, or of one above it;
 * null without an exemption.
 */
export const exemptUntil = (organisation: string): string => `(
    SELECT max(exemption.ends_at) FROM variant_exemptions exemption
    WHERE exemption.ends_at > now() AND (exemption.organisation_id = ${organisation}
      OR exemption.beneath AND exemption.organisation_id IN (
        SELECT ancestor_id FROM organisation_closure WHERE descendant_id = ${organisation})))`;

/**
 * SQL for the end of a program's exemption from brown-outs, for all organisations; null without an exemption.
 */
export const programExemptUntil = (program: string): string => `(
    SELECT exemption.ends_at FROM variant_exemptions exemption
    WHERE exemption.ends_at > now() AND exemption.program = fold_case(${program}))`;
