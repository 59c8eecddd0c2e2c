import { CALLS_TO_ACTION } from './calls-to-action';
import { greeting as greetingIn } from './greeting';
import type { MailTexts, MailValues } from './mail.types';
import { callToActionOf, factLines, isRemoved, lasting, whenOf, withCompany } from './mail-paragraphs';

const greeting = (name: string): string => greetingIn('nl', name);

const OWN_ACT = 'Was u dit zelf? Dan hoeft u niets te doen.';

/** Facts about the login. */
const loginFacts = (mail: MailValues<'newLogin'>): string[] => [
  greeting(mail.fullName),
  `Er is ingelogd op uw account ${mail.username} vanaf een netwerk dat de afgelopen 30 dagen niet voor uw account is gebruikt:`,
  factLines([
    ['Wanneer: ', mail.at],
    ['IP-adres: ', mail.address],
    ['Land: ', mail.country],
    ['Systeem: ', mail.system],
    ['Browser: ', mail.browser],
    ['Via een link van: ', mail.serviceKey],
  ]),
];

/** Why the address of a contact is told. One that goes no longer chooses its messages. */
const whyReceived = (mail: MailValues<'notification'>): string =>
  isRemoved(mail)
    ? `U ontvangt dit bericht omdat dit adres een contact is of was van ${mail.organisation}.`
    : `U ontvangt dit bericht omdat dit adres een contact is van ${mail.organisation}. In het klantenpaneel stelt u in welke berichten elk contact krijgt.`;

/** The mails in Dutch. */
export const DUTCH: MailTexts = {
  reset: (mail) => [
    'Uw wachtwoord opnieuw instellen',
    greeting(mail.fullName),
    mail.username === ''
      ? 'Wij hebben een verzoek gekregen om uw wachtwoord opnieuw in te stellen. Kies een nieuw wachtwoord via deze link:'
      : `Wij hebben een verzoek gekregen om het wachtwoord van uw account ${mail.username} ` +
        `(organisatie ${mail.organisation}) opnieuw in te stellen. Kies een nieuw wachtwoord via ` +
        'deze link:',
    { link: mail.link, label: 'Nieuw wachtwoord kiezen' },
    `De link is ${lasting('nl', mail.linkMinutes)} geldig en werkt één keer.`,
    `Wordt u om een bevestigingscode gevraagd? Vul dan ${mail.code} in. Die code is ` +
      `${lasting('nl', mail.codeMinutes)} geldig en werkt één keer. Geef hem aan niemand door.`,
    'Hebt u hier niet zelf om gevraagd? Dan hoeft u niets te doen: uw wachtwoord blijft hetzelfde.',
  ],
  invitation: (mail) => [
    mail.company === ''
      ? 'Uitnodiging voor het klantenpaneel'
      : `Uitnodiging voor het klantenpaneel van ${mail.company}`,
    greeting(''),
    `U bent uitgenodigd als gebruiker van organisatie ${mail.organisation}. Maak uw account aan via deze link:`,
    { link: mail.link, label: 'Account aanmaken' },
    `De link is geldig tot ${mail.endDate} en werkt één keer.`,
    `U bent uitgenodigd door ${mail.inviter}.`,
    'Had u geen uitnodiging verwacht? Dan kunt u deze e-mail negeren.',
  ],
  welcome: (mail) => [
    'Uw account is klaar',
    greeting(mail.fullName),
    `Welkom! Uw account${withCompany('nl', mail)} is klaar. Het hoort bij organisatie ` +
      `${mail.organisation}. U logt in met de gebruikersnaam ${mail.username} en het wachtwoord ` +
      'dat u hebt gekozen.',
    CALLS_TO_ACTION.nl.logIn,
    'Hebt u dit account niet zelf aangemaakt? Kies dan meteen een nieuw wachtwoord: daarmee eindigen alle aanmeldingen bij het account.',
    CALLS_TO_ACTION.nl.newPassword,
  ],
  usernameChanged: (mail) => [
    'Uw gebruikersnaam is gewijzigd',
    greeting(mail.fullName),
    `De gebruikersnaam van uw account is gewijzigd${whenOf('nl', mail)}. Met ${mail.username} kunt u niet meer inloggen.`,
    'Klopt dit niet? Neem dan meteen contact op met een beheerder van uw organisatie.',
  ],
  ownNameChanged: (mail) => [
    'Uw gebruikersnaam is gewijzigd',
    greeting(mail.fullName),
    `De gebruikersnaam van uw account is gewijzigd${whenOf('nl', mail)} door iemand die met uw ` +
      `account was ingelogd. Met ${mail.username} kunt u niet meer inloggen.`,
    OWN_ACT,
    'Was u dit niet? Kies dan meteen een nieuw wachtwoord en vul daarbij de gebruikersnaam ' +
      `${mail.username} in. De e-mail met de link komt naar u, en u krijgt deze gebruikersnaam ` +
      'terug. Alle aanmeldingen eindigen, en de API-sleutels, contacten, SSH-sleutels en tweede ' +
      'factoren die in de week voor de wijziging of sindsdien aan het account zijn toegevoegd, ' +
      'worden verwijderd.',
    { callToAction: 'newPassword', label: 'Dit was ik niet' },
  ],
  newLogin: (mail) => [
    'Nieuwe aanmelding bij uw account',
    ...loginFacts(mail),
    OWN_ACT,
    'Was u dit niet? Beëindig deze aanmelding dan in het klantenpaneel, in de lijst van uw ' +
      'aanmeldingen, en kies een nieuw wachtwoord. Een nieuw wachtwoord beëindigt alle andere ' +
      'aanmeldingen.',
    CALLS_TO_ACTION.nl.panel,
  ],
  newLoginWithLink: (mail) => [
    'Nieuwe aanmelding bij uw account',
    ...loginFacts(mail),
    OWN_ACT,
    'Was u dit niet? Beëindig deze aanmelding dan via deze link:',
    { link: mail.link, label: 'Aanmelding beëindigen' },
    `De link is ${mail.linkHours} uur geldig en werkt één keer. De link beëindigt alleen deze ` +
      'aanmelding. Kies daarna een nieuw wachtwoord: wie is ingelogd, kent misschien het uwe.',
    CALLS_TO_ACTION.nl.newPassword,
  ],
  notification: (mail) => [mail.subject, mail.text, ...callToActionOf('nl', mail), whyReceived(mail)],
  linkedNotification: (mail) => [
    mail.subject,
    mail.text,
    ...callToActionOf('nl', mail),
    { link: mail.links, label: 'Document openen' },
    `Wie zo’n link heeft, kan het document openen. Een link is een jaar geldig, zolang dit adres een contact van ${mail.organisation} is.`,
    whyReceived(mail),
  ],
  ownNotification: (mail) => [
    mail.subject,
    mail.text,
    ...callToActionOf('nl', mail),
    `U ontvangt dit bericht omdat dit adres de gebruikersnaam is van uw account${withCompany('nl', mail)} (organisatie ${mail.organisation}).`,
  ],
  usernameLink: (mail) => [
    'Bevestig uw gebruikersnaam',
    greeting(''),
    'Dit e-mailadres is ingevuld als gebruikersnaam van een account bij ons. Bevestig met deze link en het wachtwoord van het account dat het adres van u is:',
    { link: mail.link, label: 'Gebruikersnaam bevestigen' },
    `De link is ${mail.linkHours} uur geldig en werkt één keer. Het account werkt ook zonder de ` +
      'bevestiging, maar andere diensten kennen het tot die tijd niet onder deze naam.',
    'Is dit account niet van u? Dan hoeft u niets te doen: zonder uw bevestiging blijft het adres vrij voor u.',
  ],
  unverifiedNotification: (mail) => [
    mail.subject,
    mail.text,
    'U ontvangt dit bericht omdat dit adres is ingevuld als gebruikersnaam van een account bij ' +
      'ons. Tot nu toe heeft niemand het adres bevestigd; daarom noemt dit bericht geen namen. ' +
      'Meer leest u in het klantenpaneel.',
    CALLS_TO_ACTION.nl.panel,
  ],
  hiddenMessage: () => [
    'Er staat een bericht voor u klaar',
    greeting(''),
    'In ons klantenpaneel heeft iemand een bericht geschreven aan de contacten van een ' +
      'organisatie. Dit adres is een van die contacten. Deze e-mail herhaalt het bericht niet. Log ' +
      'in op het klantenpaneel om het te lezen: het staat bij de meldingen van de organisatie.',
    CALLS_TO_ACTION.nl.panel,
    'Zegt dit u niets? Dan kunt u deze e-mail negeren.',
  ],
};
