import type { PasskeyParty } from './passkeys.env';
import type { SettingValues } from './setting-table';

/** TypeScript derives types from a table, but no class: the values are the members of this one. */
const ValuesOfTable = Object as unknown as abstract new () => Omit<SettingValues, 'passkeys' | 'sender'>;

/** The settings of the operator, parsed and checked: the values of the table, and what follows from them. */
export abstract class Settings extends ValuesOfTable {
  /** The address of `MAIL_FROM`. */
  abstract readonly mailFrom: string;
  /** The name of the sender of mails: the one in `MAIL_FROM`, or `COMPANY_NAME`. */
  abstract readonly mailFromName: string | undefined;
  /** Undefined without passkeys. */
  abstract readonly passkeys: PasskeyParty | undefined;
  /**
   * Whether mails link to the page of a document instead of its files. True with `PAGES`, if the other
   * links also lead to pages.
   */
  abstract readonly linksToDocumentPages: boolean;
  /** Whether OpenTelemetry has a receiver of traces. */
  abstract readonly tracing: boolean;
}

/** The two wire variants of version 1.0. */
export type VariantName = Settings['variant'];

/** An error that the operator can solve. Its message is one line that says how, shown without a stack. */
export abstract class OperatorError extends Error {}

/** Settings are wrong or missing; one line for each. */
export class SettingError extends OperatorError {
  readonly faults: readonly string[];

  constructor(...faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}
