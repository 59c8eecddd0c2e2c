import { greeting as greetingIn } from './greeting';
import { LEADS } from './leads';
import type { MailTexts, MailValues } from './mail.types';
import { factLines, isGone, lasting, newsLead, whenOf } from './mail-paragraphs';

const greeting = (name: string): string => greetingIn('nl', name);

const OWN_ACT = 'Was u dit zelf? Dan hoeft u niets te doen.';

/** Facts about the login. */
const loginFacts = (mail: MailValues<'newLogin'>): string[] => [
  greeting(mail.firstName),
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

/** What every link about a second factor does. */
const undoing = (hours: string): string =>
  `De link is ${hours} uur geldig en werkt één keer. De link beëindigt ook de aanmeldingen van sindsdien. Kies daarna een nieuw wachtwoord: iemand kent het uwe.`;

/** Why the address of a contact is told. One that goes no longer chooses its messages. */
const whyTold = (mail: MailValues<'notification'>): string =>
  isGone(mail)
    ? `U ontvangt dit bericht omdat dit adres een contact is of was van ${mail.organisation}.`
    : `U ontvangt dit bericht omdat dit adres een contact is van ${mail.organisation}. In het klantenpaneel stelt u in welke berichten elk contact krijgt.`;

/** The mails in Dutch. */
export const DUTCH: MailTexts = {
  reset: (mail) => [
    'Uw wachtwoord opnieuw instellen',
    greeting(mail.firstName),
    'Wij hebben een verzoek gekregen om uw wachtwoord opnieuw in te stellen. Kies een nieuw wachtwoord via deze link:',
    { link: mail.link, label: 'Nieuw wachtwoord kiezen' },
    `De link is ${lasting('nl', mail.linkMinutes)} geldig en werkt één keer.`,
    `Wordt u om een bevestigingscode gevraagd? Vul dan ${mail.code} in. Die code is ${lasting('nl', mail.codeMinutes)} geldig en werkt één keer. Geef hem aan niemand door.`,
    'Hebt u hier niet zelf om gevraagd? Dan hoeft u niets te doen: uw wachtwoord blijft hetzelfde.',
  ],
  invitation: (mail) => [
    `Uitnodiging voor ${mail.organisation}`,
    greeting(mail.firstName),
    `U bent uitgenodigd als gebruiker van ${mail.organisation}. Maak uw account aan via deze link:`,
    { link: mail.link, label: 'Account aanmaken' },
    `De link is geldig tot ${mail.endDate} en werkt één keer.`,
    `U bent uitgenodigd door ${mail.inviter}.`,
    'Had u geen uitnodiging verwacht? Dan kunt u deze e-mail negeren.',
  ],
  welcome: (mail) => [
    'Uw account is klaar',
    greeting(mail.firstName),
    `Welkom! Uw account bij ${mail.organisation} is klaar. U logt in met de gebruikersnaam ${mail.username} en het wachtwoord dat u hebt gekozen.`,
    LEADS.nl.logIn,
    'Hebt u dit account niet zelf aangemaakt? Kies dan meteen een nieuw wachtwoord: daarmee eindigen alle aanmeldingen bij het account.',
    LEADS.nl.newPassword,
  ],
  usernameChanged: (mail) => [
    'Uw gebruikersnaam is gewijzigd',
    greeting(mail.firstName),
    `De gebruikersnaam van uw account is gewijzigd${whenOf('nl', mail)}. Met ${mail.username} kunt u niet meer inloggen.`,
    'Klopt dit niet? Neem dan meteen contact op met een beheerder van uw organisatie.',
  ],
  ownNameChanged: (mail) => [
    'Uw gebruikersnaam is gewijzigd',
    greeting(mail.firstName),
    `De gebruikersnaam van uw account is gewijzigd${whenOf('nl', mail)} door iemand die met uw account was ingelogd. Met ${mail.username} kunt u niet meer inloggen.`,
    'Was u dit niet? Haal uw account dan terug met deze link. U kiest een nieuw wachtwoord en krijgt uw oude gebruikersnaam terug:',
    { link: mail.link, label: 'Account terughalen' },
    `De link is ${mail.linkHours} uur geldig en werkt één keer, ook als uw wachtwoord intussen is gewijzigd. De link beëindigt alle aanmeldingen, API-sleutels en vertrouwde apparaten, en verwijdert de contacten, SSH-sleutels en tweede factoren die sindsdien zijn toegevoegd.`,
    OWN_ACT,
  ],
  newLogin: (mail) => [
    'Nieuwe aanmelding bij uw account',
    ...loginFacts(mail),
    OWN_ACT,
    'Was u dit niet? Beëindig deze aanmelding dan in het klantenpaneel, in de lijst van uw aanmeldingen, en kies een nieuw wachtwoord. Een nieuw wachtwoord beëindigt alle andere aanmeldingen.',
    LEADS.nl.panel,
  ],
  newLoginWithLink: (mail) => [
    'Nieuwe aanmelding bij uw account',
    ...loginFacts(mail),
    OWN_ACT,
    'Was u dit niet? Beëindig deze aanmelding dan via deze link:',
    { link: mail.link, label: 'Aanmelding beëindigen' },
    `De link is ${mail.linkHours} uur geldig en werkt één keer. De link beëindigt alleen deze aanmelding. Kies daarna een nieuw wachtwoord: wie is ingelogd, kent misschien het uwe.`,
    LEADS.nl.newPassword,
  ],
  authenticatorAdded: (mail) => [
    'Aanmelden in twee stappen is ingeschakeld voor uw account',
    greeting(''),
    `Iemand heeft${whenOf('nl', mail)} aanmelden in twee stappen ingeschakeld voor uw account. Voortaan is bij het inloggen een code uit de authenticator-app nodig.`,
    OWN_ACT,
    'Was u dit niet? Schakel het dan uit via deze link, anders kunt u niet meer inloggen:',
    { link: mail.link, label: 'Uitschakelen' },
    undoing(mail.linkHours),
    LEADS.nl.newPassword,
  ],
  passkeyAdded: (mail) => [
    'Er is een passkey toegevoegd aan uw account',
    greeting(''),
    `Iemand heeft${whenOf('nl', mail)} een passkey toegevoegd aan uw account. Wie de passkey heeft, kan inloggen zonder wachtwoord en zonder code.`,
    OWN_ACT,
    'Was u dit niet? Verwijder de passkey dan via deze link:',
    { link: mail.link, label: 'Passkey verwijderen' },
    undoing(mail.linkHours),
    LEADS.nl.newPassword,
  ],
  passkeyAddedLater: (mail) => [
    'Er is een passkey toegevoegd aan uw account',
    greeting(''),
    `Iemand heeft${whenOf('nl', mail)} een passkey toegevoegd aan uw account, bij een aanmelding zonder uw tweede factor. Daarom telt de passkey pas na ${mail.linkHours} uur als tweede factor; tot die tijd vervangt hij alleen het wachtwoord.`,
    OWN_ACT,
    'Was u dit niet? Verwijder de passkey dan via deze link:',
    { link: mail.link, label: 'Passkey verwijderen' },
    undoing(mail.linkHours),
    LEADS.nl.newPassword,
  ],
  passkeyGoing: (mail) => [
    'Een passkey van uw account wordt verwijderd',
    greeting(''),
    `Iemand heeft${whenOf('nl', mail)} gevraagd om een passkey van uw account te verwijderen, bij een aanmelding zonder uw tweede factor. Daarom verdwijnt de passkey pas na ${mail.linkHours} uur; tot die tijd blijft hij werken.`,
    OWN_ACT,
    'Was u dit niet? Behoud de passkey dan via deze link:',
    { link: mail.link, label: 'Passkey behouden' },
    undoing(mail.linkHours),
    LEADS.nl.newPassword,
  ],
  notification: (mail) => [mail.subject, mail.text, ...newsLead('nl', mail), whyTold(mail)],
  linkedNotification: (mail) => [
    mail.subject,
    mail.text,
    ...newsLead('nl', mail),
    { link: mail.links, label: 'Document openen' },
    `Wie zo’n link heeft, kan het document openen. Een link is een jaar geldig, zolang dit adres een contact van ${mail.organisation} is.`,
    whyTold(mail),
  ],
  ownNotification: (mail) => [
    mail.subject,
    mail.text,
    ...newsLead('nl', mail),
    `U ontvangt dit bericht omdat dit adres de gebruikersnaam van uw account bij ${mail.organisation} is.`,
  ],
  nameProof: (mail) => [
    'Bevestig uw gebruikersnaam',
    greeting(''),
    'Dit e-mailadres is ingevuld als gebruikersnaam van een account bij ons. Bevestig met deze link en het wachtwoord van het account dat het adres van u is:',
    { link: mail.link, label: 'Gebruikersnaam bevestigen' },
    `De link is ${mail.linkHours} uur geldig en werkt één keer. Het account werkt ook zonder de bevestiging, maar andere diensten kennen het tot die tijd niet onder deze naam.`,
    'Is dit account niet van u? Dan kunt u uw adres van het account halen op de pagina die de link opent.',
  ],
  unprovedNotification: (mail) => [
    mail.subject,
    mail.text,
    'U ontvangt dit bericht omdat dit adres is ingevuld als gebruikersnaam van een account bij ons. Tot nu toe heeft niemand het adres bevestigd; daarom noemt dit bericht geen namen. Meer leest u in het klantenpaneel.',
    LEADS.nl.panel,
  ],
};
