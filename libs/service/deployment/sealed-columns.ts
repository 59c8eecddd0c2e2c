import { keptResponseContext } from '@app/edge/idempotency/idempotency.types';
import { webhookSecretContext } from '@app/feeds/webhooks/webhook-signature';
import { mailContext } from '@app/mail/mail.types';
import { secretContext } from '@app/people/users/totp';
import { JOB_TABLE, JOBS, replaceInPayloads } from '@app/platform/jobs/job-tables';
import { remainsContext } from '@app/records/privacy/erasure-remains.entity';
import { recoveryCodeContext } from '@app/sign-in/auth/auth.types';

/** A column with values that are encrypted with `SECRETS_KEY`. */
export interface SealedColumn {
  /** Name in the report of `cli rotate-secrets`. */
  readonly name: string;
  /** A description of one value; two columns may share it. `example` adds the id of the row. */
  readonly kind: string;
  readonly example: string;
  /** The table may not exist before the migrations. */
  readonly table: string;
  /** SQL for the value, for the id of its row, and for the encryption context. */
  readonly sealed: string;
  readonly id: string;
  readonly bound: string;
  readonly contextOf: (bound: never) => string;
  /** FROM clause, if it is not just the table. */
  readonly from?: string;
  /** Statement that replaces the values $2 in the rows $1 by $3, if a plain UPDATE does not suffice. */
  readonly replace?: string;
}

const column = (
  [name, kind, example]: readonly [name: string, kind: string, example: string],
  [table, sealed, id, bound = id]: readonly [table: string, sealed: string, id: string, bound?: string],
  contextOf: SealedColumn['contextOf'],
): SealedColumn => ({ name, kind, example, table, sealed, id, bound, contextOf });

const SECRET_OF_WEBHOOK = ['webhook secret', 'secret of webhook'] as const;
const IN_PAYLOAD = [JOB_TABLE, `payload ->> 'sealed'`, 'id', `payload ->> 'mailId'`] as const;

/**
 * Every column with encrypted values. Start, verification and rotation read the list, so
 * add each new column here.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  column(
    ['totpSecrets', 'TOTP secret', 'TOTP secret of user'],
    ['users', 'totp_secret', 'id'],
    secretContext,
  ),
  column(
    ['recoveryCodes', 'recovery code', 'recovery code'],
    ['recovery_codes', 'sealed_digest', 'id', 'user_id'],
    recoveryCodeContext,
  ),
  column(
    ['erasureRemains', 'erasure remainder', 'remains of erased user'],
    ['erasure_remains', 'sealed', 'user_id'],
    remainsContext,
  ),
  column(['webhookSecrets', ...SECRET_OF_WEBHOOK], ['webhooks', 'sealed_secret', 'id'], webhookSecretContext),
  column(
    ['formerWebhookSecrets', ...SECRET_OF_WEBHOOK],
    ['webhooks', 'former_sealed_secret', 'id'],
    webhookSecretContext,
  ),
  column(
    ['keptResponses', 'kept response', 'kept response'],
    ['kept_responses', 'sealed', 'id', 'digest'],
    keptResponseContext,
  ),
  {
    ...column(['waitingMails', 'waiting mail', 'mail job'], IN_PAYLOAD, mailContext),
    from: `${JOBS} job`,
    replace: replaceInPayloads('sealed'),
  },
];

const valuesOf = ({ table, from = table, id, sealed, example }: SealedColumn): string =>
  `SELECT '${example} ' || ${id} AS example, ${sealed} AS sealed FROM ${from} WHERE ${sealed} IS NOT NULL`;

/** FROM clause with every value of the columns as `sealed`, and its `example`. */
export const sealedValues = (columns: readonly SealedColumn[] = SEALED_COLUMNS): string =>
  `(${columns.map(valuesOf).join(' UNION ALL ')})`;
