import type { Settings } from '@app/platform/process/settings';
import type { MailLanguage } from './mail.types';

/** The company in mails and pages, and the pages that they link to. All processes that send mails need the same settings. */
export type Sender = Pick<
  Settings,
  'companyName' | 'supportUrl' | 'panelUrl' | 'publicUrl' | 'pages' | 'timeZone'
>;

/** The text before the support address at the bottom of mails and pages. */
export const HELP: Readonly<Record<MailLanguage, string>> = {
  nl: 'Hulp nodig?',
  en: 'Need help?',
  fr: 'Besoin d’aide ?',
};

/** A support URL for readers: an e-mail address, or a page without its scheme. */
export const supportText = (url: string): string =>
  url.startsWith('mailto:')
    ? decodeURIComponent(url.slice('mailto:'.length))
    : url.replace(/^https?:\/\//, '').replace(/\/$/, '');
