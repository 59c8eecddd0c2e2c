import type { SettingValues } from './setting-table';

/** TypeScript derives types from a table, but no class: the values are the members of this one. */
const ValuesOfTable = Object as unknown as new () => Omit<SettingValues, 'sender'>;

/** The settings of the operator, parsed and checked: the values of the table, and what follows from them. */
export class Settings extends ValuesOfTable {
  /** The address of `MAIL_FROM`. */
  declare readonly mailFrom: string;
  /** The name of the sender of mails: the one in `MAIL_FROM`, or `COMPANY_NAME`. */
  declare readonly mailFromName: string | undefined;
  /**
   * Whether mails link to the page of a document instead of its files. True with `PAGES`, if the other
   * links also lead to pages.
   */
  declare readonly linksToDocumentPages: boolean;
  /** Whether OpenTelemetry has a receiver of traces. */
  declare readonly tracing: boolean;
}

/** The two wire variants of version 1.0. */
export type VariantName = Settings['variant'];
