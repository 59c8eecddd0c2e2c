/**
 * SQL: until when brown-outs leave the organisation alone, by an exemption of its own or from above; null if they do not.
 */
export const exemptUntil = (organisation: string): string => `(
    SELECT max(exemption.ends_at) FROM variant_exemptions exemption
    WHERE exemption.ends_at > now() AND (exemption.organisation_id = ${organisation}
      OR exemption.beneath AND exemption.organisation_id IN (
        SELECT ancestor_id FROM organisation_closure WHERE descendant_id = ${organisation})))`;

/** SQL: until when brown-outs leave the program alone, whoever runs it; null if they do not. */
export const programExemptUntil = (program: string): string => `(
    SELECT exemption.ends_at FROM variant_exemptions exemption
    WHERE exemption.ends_at > now() AND exemption.program = lower(${program}))`;
