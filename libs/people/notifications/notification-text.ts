import type { MailLanguage } from '@app/mail/mail.types';
import { dateIn } from '@app/mail/mail-values';
import { type Sender, supportText } from '@app/mail/sender';
import type { NotificationGroup } from './notification.types';

/** The text of a mail about a notification, without the name of the organisation. */
export interface NotificationText {
  /** Subject in one line. */
  readonly subject: string;
  readonly text: string;
}

/** The parts of an event that its text uses. */
export interface DescribedEvent {
  readonly group: NotificationGroup;
  readonly type: string;
  readonly entityClass: string;
  readonly entityName: string;
  readonly subject: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  /** Full name of the user who caused the event. */
  readonly actor: string | null;
}

type Phrase = readonly [dutch: string, english: string, french: string];

const LANGUAGES: readonly MailLanguage[] = ['nl', 'en', 'fr'];

/** Headings of the events that the service itself records, by class and type. */
export const HEADINGS: Readonly<Record<string, Phrase>> = {
  'Invitation.new': ['Nieuwe uitnodiging', 'New invitation', 'Nouvelle invitation'],
  'Invitation.changed': [
    'Uitnodiging gaat naar een ander adres',
    'Invitation goes to another address',
    'Invitation envoyée à une autre adresse',
  ],
  'User.new': ['Nieuwe gebruiker', 'New user', 'Nouvel utilisateur'],
  'SshKey.new': ['Nieuwe SSH-sleutel', 'New SSH key', 'Nouvelle clé SSH'],
  'SshKey.changed': ['SSH-sleutel vervangen', 'SSH key replaced', 'Clé SSH remplacée'],
  'ApiKey.new': ['Nieuwe API-sleutel', 'New API key', 'Nouvelle clé API'],
  'ApiKey.rotated': ['API-sleutel vervangen', 'API key rotated', 'Clé API remplacée'],
  'ApiKey.changed': [
    'API-sleutel werkt vanaf meer adressen',
    'API key works from more addresses',
    'Clé API utilisable depuis davantage d’adresses',
  ],
  'ApiKey.ends_in_30_days': [
    'API-sleutel verloopt binnen 30 dagen',
    'API key ends within 30 days',
    'Clé API expirant dans les 30 jours',
  ],
  'ApiKey.ends_in_7_days': [
    'API-sleutel verloopt binnen 7 dagen',
    'API key ends within 7 days',
    'Clé API expirant dans les 7 jours',
  ],
  'ServiceKey.new': ['Nieuwe servicesleutel', 'New service key', 'Nouvelle clé de service'],
  'ServiceKey.rotated': ['Servicesleutel vervangen', 'Service key rotated', 'Clé de service remplacée'],
  'ServiceKey.changed': [
    'Servicesleutel mag meer dan voorheen',
    'Service key may do more than before',
    'Clé de service aux droits étendus',
  ],
  'ServiceKey.ends_in_30_days': [
    'Servicesleutel verloopt binnen 30 dagen',
    'Service key ends within 30 days',
    'Clé de service expirant dans les 30 jours',
  ],
  'ServiceKey.ends_in_7_days': [
    'Servicesleutel verloopt binnen 7 dagen',
    'Service key ends within 7 days',
    'Clé de service expirant dans les 7 jours',
  ],
  'Webhook.new': ['Nieuwe webhook', 'New webhook', 'Nouveau webhook'],
  'Webhook.rotated': [
    'Geheim van webhook vervangen',
    'Secret of webhook rotated',
    'Secret du webhook remplacé',
  ],
  'Webhook.changed': [
    'Webhook heeft een andere ontvanger, of meldt meer dan voorheen',
    'Webhook has another receiver, or tells more than before',
    'Webhook au destinataire modifié, ou qui signale davantage',
  ],
  'Webhook.switched_off': [
    'Webhook uitgeschakeld: de ontvanger antwoordt niet',
    'Webhook switched off: its receiver does not answer',
    'Webhook désactivé : son destinataire ne répond pas',
  ],
  'User.password_changed': ['Wachtwoord gewijzigd', 'Password changed', 'Mot de passe modifié'],
  'User.support_login': [
    'Klantenservice kijkt mee in een account',
    'Support staff look into an account',
    'Le service d’assistance consulte un compte',
  ],
  'User.support_login_write': [
    'Klantenservice werkt in een account',
    'Support staff work in an account',
    'Le service d’assistance intervient sur un compte',
  ],
  'User.2fa_disabled': [
    'Aanmelden in twee stappen uitgeschakeld',
    'Two-factor login switched off',
    'Connexion à deux facteurs désactivée',
  ],
  'User.recovery_codes_made': [
    'Nieuwe herstelcodes gemaakt',
    'New recovery codes made',
    'Nouveaux codes de récupération',
  ],
  'User.recovery_code_used': ['Herstelcode gebruikt', 'Recovery code used', 'Code de récupération utilisé'],
  'Passkey.new': ['Nieuwe passkey', 'New passkey', 'Nouvelle clé d’accès'],
  'Passkey.removed': ['Passkey verwijderd', 'Passkey removed', 'Clé d’accès supprimée'],
  'Passkey.removed_by_reset': [
    'Passkey verwijderd door het nieuwe wachtwoord: hij was nog geen week oud',
    'Passkey removed by the new password: it was less than a week old',
    'Clé d’accès supprimée avec le nouveau mot de passe : elle datait de moins d’une semaine',
  ],
  'Passkey.counter_back': [
    'Aanmelden met passkey geweigerd: er is mogelijk een kopie in gebruik',
    'Login with passkey refused: a copy may be in use',
    'Connexion par clé d’accès refusée : une copie est peut-être utilisée',
  ],
  'User.name_changed': ['Gebruikersnaam gewijzigd', 'User name changed', "Nom d'utilisateur modifié"],
  'Contact.new': ['Nieuw contact', 'New contact', 'Nouveau contact'],
  'Contact.changed': ['Contact gewijzigd', 'Contact changed', 'Contact modifié'],
  'Contact.removed': ['Contact verwijderd', 'Contact removed', 'Contact supprimé'],
  'Contact.security_news_on': [
    'Contact ontvangt voortaan beveiligingsberichten',
    'Contact gets security news from now on',
    'Contact recevant désormais les messages de sécurité',
  ],
  'Contact.security_news_off': [
    'Contact ontvangt geen beveiligingsberichten meer',
    'Contact gets no more security news',
    'Contact ne recevant plus les messages de sécurité',
  ],
  'User.demoted': [
    'Gebruiker is geen beheerder meer en ontvangt geen beveiligingsberichten van de organisatie meer',
    'User is no longer a manager, and gets no more security news of the organisation',
    'Utilisateur qui n’est plus gestionnaire et ne reçoit plus les messages de sécurité de l’organisation',
  ],
  'User.disabled': [
    'Gebruiker geblokkeerd: ontvangt geen beveiligingsberichten van de organisatie meer',
    'User disabled: gets no more security news of the organisation',
    'Utilisateur bloqué : il ne reçoit plus les messages de sécurité de l’organisation',
  ],
  'User.deleted': [
    'Gebruiker verwijderd: ontvangt geen beveiligingsberichten van de organisatie meer',
    'User deleted: gets no more security news of the organisation',
    'Utilisateur supprimé : il ne reçoit plus les messages de sécurité de l’organisation',
  ],
  'Organisation.disabled': [
    'Organisatie geblokkeerd: aanmelden is niet mogelijk',
    'Organisation suspended: nobody can log in',
    'Organisation suspendue : aucune connexion n’est possible',
  ],
  'Organisation.enabled': [
    'Blokkering van organisatie opgeheven: aanmelden is weer mogelijk',
    'Organisation no longer suspended: logging in works again',
    'Suspension de l’organisation levée : la connexion est de nouveau possible',
  ],
  'Grant.given_begun': [
    'Een andere organisatie beheert deze organisatie',
    'Another organisation manages this one',
    'Une autre organisation gère celle-ci',
  ],
  'Grant.given_changed': [
    'Beheer door een andere organisatie gewijzigd',
    'Management by another organisation changed',
    'Gestion par une autre organisation modifiée',
  ],
  'Grant.given_ended': [
    'Beheer door een andere organisatie beëindigd',
    'Management by another organisation ended',
    'Gestion par une autre organisation terminée',
  ],
  'Grant.given_ends_in_7_days': [
    'Beheer door een andere organisatie eindigt binnen 7 dagen',
    'Management by another organisation ends within 7 days',
    'La gestion par une autre organisation prend fin dans les 7 jours',
  ],
  'Grant.received_begun': [
    'Uw organisatie beheert een andere organisatie',
    'Your organisation manages another one',
    'Votre organisation en gère une autre',
  ],
  'Grant.received_changed': [
    'Beheer van een andere organisatie gewijzigd',
    'Management of another organisation changed',
    'Gestion d’une autre organisation modifiée',
  ],
  'Grant.received_ended': [
    'Beheer van een andere organisatie beëindigd',
    'Management of another organisation ended',
    'Gestion d’une autre organisation terminée',
  ],
  'Grant.received_ends_in_7_days': [
    'Beheer van een andere organisatie eindigt binnen 7 dagen',
    'Management of another organisation ends within 7 days',
    'La gestion d’une autre organisation prend fin dans les 7 jours',
  ],
  'Document.sent': ['Nieuw document', 'New document', 'Nouveau document'],
};

const RECEIVED_GRANTS: Phrase = [
  'Het klantenpaneel toont welke organisaties de uwe toegang geven.',
  'The control panel lists the organisations that give yours access.',
  'Le panneau de contrôle montre quelles organisations donnent accès à la vôtre.',
];

/** A line of advice after the text. */
const ADVICE: Readonly<Record<string, Phrase>> = {
  'Passkey.removed': [
    'Aanmeldingen met deze passkey blijven geldig. De gebruiker of een beheerder beëindigt ze in het klantenpaneel, in de lijst van aanmeldingen.',
    'Logins that were made with this passkey stay valid. The user or a manager ends them in the control panel, in the list of logins.',
    'Les connexions établies avec cette clé restent valables. L’utilisateur ou un gestionnaire y met fin dans le panneau de contrôle, dans la liste des connexions.',
  ],
  'Grant.received_begun': RECEIVED_GRANTS,
  'Grant.received_changed': RECEIVED_GRANTS,
  'Grant.received_ended': RECEIVED_GRANTS,
  'Grant.received_ends_in_7_days': RECEIVED_GRANTS,
};

const DONE_BY: Phrase = ['Gedaan door', 'Done by', 'Fait par'];

/** Words for params of the events above. */
const WORDS: Readonly<Record<string, Phrase>> = {
  organisation: ['Organisatie', 'Organisation', 'Organisation'],
  reason: ['Reden', 'Reason', 'Motif'],
  until: ['Tot', 'Until', 'Jusqu’au'],
  contactsOfGrant: [
    'Contacten die langs deze weg zijn gemaakt en er nog zijn',
    'Contacts that were made by it and are still there',
    'Contacts créés par ce biais et toujours présents',
  ],
  usersOfGrant: [
    'Gebruikers die langs deze weg zijn uitgenodigd en er nog zijn',
    'Users who were invited by it and are still there',
    'Utilisateurs invités par ce biais et toujours présents',
  ],
  user: ['Gebruiker', 'User', 'Utilisateur'],
};

/** Events that suspend people or lift a suspension. Their mails have a greeting and name a contact person. */
const SALUTED = new Set(['Organisation.disabled', 'Organisation.enabled']);
const SALUTATION: Phrase = ['Beste klant,', 'Dear customer,', 'Bonjour,'];
const ASK: Phrase = [
  'Hebt u vragen? Neem contact op met',
  'Questions? Please contact',
  'Des questions ? Contactez',
];
const PROVIDER: Phrase = ['uw leverancier', 'your provider', 'votre fournisseur'];

/** A time among the params, as `2027-01-31 23:59 UTC`. */
const INSTANT = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}) UTC$/;

/** Maximum length of a mail's subject. */
const MAX_SUBJECT = 255;

/**
 * Describes the event in the language of the reader. Events of other areas keep their own names. The params `subject` and
 * `message`, if they are texts, replace the heading and the text; every other param becomes a line of the text (decisions.md
 * section 11).
 */
export function notificationText(
  event: DescribedEvent,
  language: MailLanguage,
  sender: Sender,
): NotificationText {
  const { subject: subjectParam, message, ...others } = event.params;
  const translated = LANGUAGES.indexOf(language);
  const name = `${event.entityClass}.${event.type}`;
  const known = HEADINGS[name]?.[translated];
  const advice = ADVICE[name]?.[translated];
  const heading = known ?? `${event.group}: ${event.type}`;
  const named = event.entityName === '' ? heading : `${heading} (${event.entityName})`;
  const headline = event.subject ?? textOf(subjectParam) ?? named;
  const by = event.actor === null ? '' : ` ${DONE_BY[translated]} ${event.actor}.`;
  // Params of other areas keep their own names.
  const wordOf = (param: string) => (known === undefined ? param : (WORDS[param]?.[translated] ?? param));
  const valueOf = (value: unknown) =>
    known === undefined ? lineOf(value) : inZone(listedOf(value), language, sender.timeZone);
  const lines = Object.entries(others).map(([param, value]) => `${wordOf(param)}: ${valueOf(value)}`);
  const text = [
    `${textOf(message) ?? `${headline}.`}${by}`,
    ...lines,
    ...(advice === undefined ? [] : [advice]),
  ].join('\n');
  const isSaluted = SALUTED.has(name) && textOf(message) === undefined;
  return {
    subject: [...headline].slice(0, MAX_SUBJECT).join(''),
    text: isSaluted ? [SALUTATION[translated], text, whomToAsk(translated, sender)].join('\n\n') : text,
  };
}

function whomToAsk(translated: number, { companyName, supportUrl }: Sender): string {
  const where = supportUrl === undefined ? '.' : `: ${supportText(supportUrl)}`;
  return `${ASK[translated]} ${companyName ?? PROVIDER[translated]}${where}`;
}

/** The time in a param, in words. */
const inZone = (text: string, language: MailLanguage, timeZone: string): string =>
  INSTANT.test(text) ? dateIn(language, new Date(text.replace(INSTANT, '$1T$2Z')), timeZone) : text;

/** The value, if it is a text with visible characters. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** A list of texts as one line. */
const listedOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(lineOf).join(', ') : lineOf(value);

const lineOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
