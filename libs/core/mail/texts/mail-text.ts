import type { MAIL_VALUES, MailTemplate } from '../mail.types';

/** A paragraph: a Handlebars line, or a value that is a link and stands alone. */
export type Paragraph = string | { readonly link: string };

/** What a mail says in one language; `{{name}}` stands for a value. */
interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
}

/** Every mail in one language. A test compares the names in the texts with {@link MAIL_VALUES}. */
export type MailTexts = Readonly<Record<MailTemplate & keyof typeof MAIL_VALUES, MailText>>;
