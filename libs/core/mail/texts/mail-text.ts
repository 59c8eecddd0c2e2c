import type { MAIL_VALUES, MailTemplate } from '../mail.types';

/**
 * A paragraph: a Handlebars line, a value that is a link, or links one a line, and stands alone, or a line that is left out of a mail which an
 * older build has queued without its values.
 */
export type Paragraph = string | { readonly link: string } | { readonly sinceNewerBuild: string };

/** What a mail says in one language; `{{name}}` stands for a value. */
interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
}

/** Every mail in one language. A test compares the names in the texts with {@link MAIL_VALUES}. */
export type MailTexts = Readonly<Record<MailTemplate & keyof typeof MAIL_VALUES, MailText>>;
