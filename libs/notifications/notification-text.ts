import type { MailLanguage } from '@app/core/mail/mail.types';
import type { NotificationEvent } from './notification.types';

/** What a mail about a notification says, beside the name of the organisation. */
export interface NotificationText {
  /** One line. */
  readonly subject: string;
  readonly text: string;
}

/** What happened, as far as the text needs it. */
export type ToldEvent = Pick<NotificationEvent, 'group' | 'type' | 'entityClass' | 'entityName'> & {
  readonly subject: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  /** Full name of the user who did it. */
  readonly actor: string | null;
};

interface Phrases {
  /** Headings of the events that the service itself records, by class and type. */
  readonly headings: Readonly<Record<string, string>>;
  readonly doneBy: string;
  readonly reason: string;
}

const PHRASES: Readonly<Record<MailLanguage, Phrases>> = {
  nl: {
    headings: {
      'Invitation.new': 'Nieuwe uitnodiging',
      'User.new': 'Nieuwe gebruiker',
      'SshKey.new': 'Nieuwe SSH-sleutel',
      'ApiKey.new': 'Nieuwe API-sleutel',
      'ApiKey.rotated': 'API-sleutel vervangen',
      'ApiKey.ends_in_30_days': 'API-sleutel verloopt binnen 30 dagen',
      'ApiKey.ends_in_7_days': 'API-sleutel verloopt binnen 7 dagen',
      'User.password_changed': 'Wachtwoord gewijzigd',
      'User.2fa_disabled': 'Aanmelden in twee stappen uitgeschakeld',
      'User.recovery_codes_made': 'Nieuwe herstelcodes gemaakt',
      'User.recovery_code_used': 'Herstelcode gebruikt',
      'User.name_changed': 'Gebruikersnaam gewijzigd',
      'Contact.new': 'Nieuw contact',
      'Contact.changed': 'Contact gewijzigd',
      'Contact.removed': 'Contact verwijderd',
      'Organisation.disabled': 'Organisatie geblokkeerd: aanmelden is niet mogelijk',
      'Organisation.enabled': 'Blokkering van organisatie opgeheven: aanmelden is weer mogelijk',
      'Document.sent': 'Nieuw document',
    },
    doneBy: 'Gedaan door',
    reason: 'Reden',
  },
  en: {
    headings: {
      'Invitation.new': 'New invitation',
      'User.new': 'New user',
      'SshKey.new': 'New SSH key',
      'ApiKey.new': 'New API key',
      'ApiKey.rotated': 'API key rotated',
      'ApiKey.ends_in_30_days': 'API key ends within 30 days',
      'ApiKey.ends_in_7_days': 'API key ends within 7 days',
      'User.password_changed': 'Password changed',
      'User.2fa_disabled': 'Two-factor login switched off',
      'User.recovery_codes_made': 'New recovery codes made',
      'User.recovery_code_used': 'Recovery code used',
      'User.name_changed': 'User name changed',
      'Contact.new': 'New contact',
      'Contact.changed': 'Contact changed',
      'Contact.removed': 'Contact removed',
      'Organisation.disabled': 'Organisation suspended: nobody can log in',
      'Organisation.enabled': 'Organisation no longer suspended: logging in works again',
      'Document.sent': 'New document',
    },
    doneBy: 'Done by',
    reason: 'Reason',
  },
  fr: {
    headings: {
      'Invitation.new': 'Nouvelle invitation',
      'User.new': 'Nouvel utilisateur',
      'SshKey.new': 'Nouvelle clé SSH',
      'ApiKey.new': 'Nouvelle clé API',
      'ApiKey.rotated': 'Clé API remplacée',
      'ApiKey.ends_in_30_days': 'Clé API expirant dans les 30 jours',
      'ApiKey.ends_in_7_days': 'Clé API expirant dans les 7 jours',
      'User.password_changed': 'Mot de passe modifié',
      'User.2fa_disabled': 'Connexion à deux facteurs désactivée',
      'User.recovery_codes_made': 'Nouveaux codes de récupération',
      'User.recovery_code_used': 'Code de récupération utilisé',
      'User.name_changed': "Nom d'utilisateur modifié",
      'Contact.new': 'Nouveau contact',
      'Contact.changed': 'Contact modifié',
      'Contact.removed': 'Contact supprimé',
      'Organisation.disabled': 'Organisation suspendue : aucune connexion n’est possible',
      'Organisation.enabled': 'Suspension de l’organisation levée : la connexion est de nouveau possible',
      'Document.sent': 'Nouveau document',
    },
    doneBy: 'Fait par',
    reason: 'Motif',
  },
};

/** Most characters of a mail's subject. */
const MAX_SUBJECT = 255;

/**
 * Says what happened in the language of the reader; events of other areas are told by their own names. Texts
 * `subject` and `message` among the params are what the writer wants to be said, other params are lines of the text
 * (decisions.md section 11).
 */
export function notificationText(event: ToldEvent, language: MailLanguage): NotificationText {
  const { subject: asked, message, ...others } = event.params;
  const { headings, doneBy, reason } = PHRASES[language];
  const known = headings[`${event.entityClass}.${event.type}`];
  const heading = known ?? `${event.group}: ${event.type}`;
  const named = event.entityName === '' ? heading : `${heading} (${event.entityName})`;
  const headline = event.subject ?? textOf(asked) ?? named;
  const by = event.actor === null ? '' : ` ${doneBy} ${event.actor}.`;
  // Params of other areas keep their own names.
  const wordOf = (name: string) => (known !== undefined && name === 'reason' ? reason : name);
  const lines = Object.entries(others).map(([name, value]) => `${wordOf(name)}: ${lineOf(value)}`);
  return {
    subject: [...headline].slice(0, MAX_SUBJECT).join(''),
    text: [`${textOf(message) ?? `${headline}.`}${by}`, ...lines].join('\n'),
  };
}

/** A text that says something, or undefined. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

const lineOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
