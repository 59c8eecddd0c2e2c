import type { Settings } from '@app/platform/process/settings';
import type { MailLanguage } from './mail.types';

/** The company of mails and pages, and the pages to which they lead. Give every process that sends mails equal settings. */
export type Sender = Pick<
  Settings,
  'companyName' | 'supportUrl' | 'panelUrl' | 'publicUrl' | 'pages' | 'timeZone'
>;

/** Before the support address at the foot of mails and pages. */
export const HELP: Readonly<Record<MailLanguage, string>> = {
  nl: 'Hulp nodig?',
  en: 'Need help?',
  fr: 'Besoin d’aide ?',
};

/** How people read a support URL: an address, or a page without its scheme. */
export const supportText = (url: string): string =>
  url.startsWith('mailto:')
    ? decodeURIComponent(url.slice('mailto:'.length))
    : url.replace(/^https?:\/\//, '').replace(/\/$/, '');
