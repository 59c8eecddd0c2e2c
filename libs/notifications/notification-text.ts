import type { MailLanguage } from '@app/core/mail/mail.values';
import type { NotificationDetails } from './notification.values';

/** What a mail about a notification says, beside the name of the organisation. */
export interface NotificationText {
  /** One line. */
  readonly subject: string;
  readonly text: string;
}

/** What happened, as far as the text needs it. */
export type ToldEvent = Pick<
  NotificationDetails,
  'group' | 'type' | 'entityClass' | 'entityName' | 'subject'
> & {
  /** Full name of the user who did it. */
  readonly actor: string | null;
};

interface Phrases {
  /** Headings of the events that the service itself records, by class and type. */
  readonly headings: Readonly<Record<string, string>>;
  readonly doneBy: string;
}

const PHRASES: Readonly<Record<MailLanguage, Phrases>> = {
  nl: {
    headings: {
      'Invitation.new': 'Nieuwe uitnodiging',
      'User.new': 'Nieuwe gebruiker',
      'SshKey.new': 'Nieuwe SSH-sleutel',
      'ApiKey.new': 'Nieuwe API-sleutel',
      'User.password_changed': 'Wachtwoord gewijzigd',
      'User.2fa_disabled': 'Aanmelden in twee stappen uitgeschakeld',
    },
    doneBy: 'Gedaan door',
  },
  en: {
    headings: {
      'Invitation.new': 'New invitation',
      'User.new': 'New user',
      'SshKey.new': 'New SSH key',
      'ApiKey.new': 'New API key',
      'User.password_changed': 'Password changed',
      'User.2fa_disabled': 'Two-factor login switched off',
    },
    doneBy: 'Done by',
  },
  fr: {
    headings: {
      'Invitation.new': 'Nouvelle invitation',
      'User.new': 'Nouvel utilisateur',
      'SshKey.new': 'Nouvelle clé SSH',
      'ApiKey.new': 'Nouvelle clé API',
      'User.password_changed': 'Mot de passe modifié',
      'User.2fa_disabled': 'Connexion à deux facteurs désactivée',
    },
    doneBy: 'Fait par',
  },
};

/** Says what happened in the language of the reader; events of other areas are told by their own names. */
export function notificationText(event: ToldEvent, language: MailLanguage): NotificationText {
  const { headings, doneBy } = PHRASES[language];
  const heading = headings[`${event.entityClass}.${event.type}`] ?? `${event.group}: ${event.type}`;
  const headline = event.subject ?? `${heading} (${event.entityName})`;
  return {
    subject: headline,
    text: event.actor === null ? `${headline}.` : `${headline}. ${doneBy} ${event.actor}.`,
  };
}
