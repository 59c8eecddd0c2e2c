import type { MailLanguage } from '@app/mail/mail.types';
import type { AnswerReason, FaultReason } from '@app/platform/errors/reasons';
import type { PasswordRules } from '@app/security/passwords/password-rules';
import { ENGLISH } from './texts/en';
import { FRENCH } from './texts/fr';
import { DUTCH } from './texts/nl';

/** A heading and what stands beneath it. */
export interface Message {
  readonly title: string;
  readonly text: string;
}

/** The texts of every page in one language. Headings of invitations and resets are the subjects of their mails. */
export interface PageTexts {
  /** What the title of a page begins with after a fault. */
  readonly errorPrefix: string;
  /** Above the list of faults. */
  readonly checkForm: string;
  readonly labels: {
    readonly username: string;
    readonly name: string;
    readonly password: string;
    readonly newPassword: string;
    readonly repeated: string;
    readonly time: string;
    readonly address: string;
    readonly country: string;
    readonly system: string;
    readonly browser: string;
  };
  /** One line for each rule of a new password. */
  readonly passwordRules: (rules: PasswordRules) => readonly string[];
  /** What is wrong with a field; `other` for words without a text of their own. */
  readonly faults: Partial<Record<FaultReason, (rules: PasswordRules) => string>> & {
    readonly other: () => string;
  };
  readonly invitation: {
    readonly title: (organisation: string) => string;
    readonly intro: (organisation: string) => string;
    readonly submit: string;
    readonly done: (username: string) => Message;
  };
  readonly password: {
    readonly title: string;
    readonly intro: string;
    readonly note: string;
    readonly submit: string;
    readonly done: (username: string) => Message;
  };
  /** The same with the restored name. */
  readonly restoration: {
    readonly title: string;
    readonly intro: (username: string) => string;
    readonly note: string;
    readonly submit: string;
    readonly done: (username: string) => Message;
  };
  readonly endLogin: {
    readonly title: string;
    readonly intro: string;
    readonly submit: string;
    readonly done: Message;
    /** The login has ended, by the link or in another way. */
    readonly ended: Message;
    /** The login goes on. */
    readonly expired: Message;
  };
  readonly document: {
    readonly intro: string;
    readonly download: (kind: string, size: string) => string;
    readonly note: string;
  };
  /** Errors that are not about a field; `other` for words without a text of their own. */
  readonly errors: Partial<Record<AnswerReason, Message>> & { readonly other: Message };
  readonly tryAgain: (wait: string) => string;
  readonly requestId: (id: string) => string;
}

export const PAGE_TEXTS: Readonly<Record<MailLanguage, PageTexts>> = { nl: DUTCH, en: ENGLISH, fr: FRENCH };
