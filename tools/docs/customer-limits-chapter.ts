import type { CustomerLimit } from '../../libs/security/customers/customer-limits';

const rowOf = ({ counts, most, per }: CustomerLimit): string =>
  `| ${counts} | ${most.toLocaleString('en')} | ${per} |`;

/** The chapter of docs/limits.md about what a customer does, from the limits that a service has opened. */
export const customerLimitsChapter = (limits: readonly CustomerLimit[]): string => `## What a customer does

These count together what the people and keys of a customer and of all organisations beneath it do
([organisations](rules/organisations.md) 22, 23, 24); the organisations beneath a reseller are customers each. Above one: 429 with
\`Retry-After\`, which says when it ends; above those of mails to an address the mails wait or are skipped
([notifications](rules/notifications.md) 36). The operator's people and keys are not counted.

| Of a customer | Maximum | In |
| --- | --- | --- |
${limits.map(rowOf).join('\n')}

\`npm run cli -- limits ORG --times N\` gives a customer N times these numbers, from 1 to 1,000; without \`--times\` it shows what the customer has.
The audit log has the change. A real reseller rather gets the type Reseller from an admin, so that its customers have limits of their own:
\`doctor\` names customers with more than 50 organisations beneath.
`;
