import type { MailTexts, MailValues } from './mail.types';

/** Without the name in mails to an address that nobody has proved. */
const greeting = (firstName: string): string => (firstName === '' ? 'Beste lezer,' : `Beste ${firstName},`);

/** Facts about the login. */
const loginFacts = (mail: MailValues<'newLogin'>): string[] => [
  greeting(mail.firstName),
  `Er is ingelogd op uw account ${mail.username} vanaf een netwerk dat de laatste 30 dagen niet voor uw account is gebruikt:`,
  [
    `Wanneer: ${mail.at}`,
    `IP-adres: ${mail.address}`,
    `Land: ${orUnknown(mail.country)}`,
    `Systeem: ${orUnknown(mail.system)}`,
    `Browser: ${orUnknown(mail.browser)}`,
  ].join('\n'),
];

const orUnknown = (word: string): string => (word === '' ? 'onbekend' : word);

/** What every link about a second factor does. */
const undoing = (hours: string): string =>
  `De link is ${hours} uur geldig en werkt één keer. De link beëindigt ook de aanmeldingen van sindsdien. Kies daarna een nieuw wachtwoord: iemand kent het uwe.`;

/** The mails in Dutch. */
export const DUTCH: MailTexts = {
  reset: (mail) => [
    'Uw wachtwoord opnieuw instellen',
    greeting(mail.firstName),
    'Er is gevraagd om uw wachtwoord opnieuw in te stellen. Kies een nieuw wachtwoord via deze link:',
    { link: mail.link, label: 'Nieuw wachtwoord kiezen' },
    `De link is ${mail.linkMinutes} minuten geldig en werkt één keer.`,
    `Wordt er om een bevestigingscode gevraagd? Die is ${mail.code}. De code is ${mail.codeMinutes} minuten geldig en werkt één keer. Geef hem aan niemand door.`,
    'Hebt u dit niet zelf gevraagd? Dan hoeft u niets te doen: uw wachtwoord verandert niet.',
  ],
  invitation: (mail) => [
    `Uitnodiging voor ${mail.organisation}`,
    `Beste ${mail.firstName},`,
    `U bent uitgenodigd als gebruiker van ${mail.organisation}. Maak uw account aan via deze link:`,
    { link: mail.link, label: 'Account aanmaken' },
    `De link is geldig tot ${mail.endDate} en werkt één keer.`,
    `U bent uitgenodigd door ${mail.inviter}.`,
    'Verwacht u geen uitnodiging? Dan kunt u deze e-mail negeren.',
  ],
  usernameChanged: (mail) => [
    'Uw gebruikersnaam is gewijzigd',
    `Beste ${mail.firstName},`,
    `De gebruikersnaam van uw account is gewijzigd. Met ${mail.username} kunt u niet meer inloggen.`,
    'Is dit niet met uw medeweten gebeurd? Neem dan direct contact met ons op.',
  ],
  ownNameChanged: (mail) => [
    'Uw gebruikersnaam is gewijzigd',
    `Beste ${mail.firstName},`,
    `De gebruikersnaam van uw account is gewijzigd door iemand die met uw account was ingelogd. Met ${mail.username} kunt u niet meer inloggen.`,
    'Was u dit niet? Haal uw account dan terug met deze link, waarmee u een nieuw wachtwoord kiest en uw oude gebruikersnaam herstelt:',
    { link: mail.link, label: 'Account terughalen' },
    `De link is ${mail.linkHours} uur geldig en werkt één keer, ook als uw wachtwoord intussen is gewijzigd. De link beëindigt alle aanmeldingen, API-sleutels en vertrouwde apparaten, en verwijdert contacten, SSH-sleutels en aanmelden in twee stappen die sindsdien zijn toegevoegd.`,
    'Was u het zelf? Dan hoeft u niets te doen.',
  ],
  newLogin: (mail) => [
    'Nieuwe aanmelding bij uw account',
    ...loginFacts(mail),
    'Was u dit zelf? Dan hoeft u niets te doen.',
    'Was u dit niet? Beëindig deze aanmelding dan in het klantenpaneel, in de lijst van uw aanmeldingen, en kies een nieuw wachtwoord. Dat beëindigt alle andere aanmeldingen.',
    { lead: 'panel', label: 'Naar het klantenpaneel' },
  ],
  newLoginWithLink: (mail) => [
    'Nieuwe aanmelding bij uw account',
    ...loginFacts(mail),
    'Was u dit zelf? Dan hoeft u niets te doen.',
    'Was u dit niet? Beëindig deze aanmelding dan via deze link:',
    { link: mail.link, label: 'Aanmelding beëindigen' },
    `De link is ${mail.linkHours} uur geldig en werkt één keer. De link beëindigt alleen deze aanmelding. Kies daarna een nieuw wachtwoord: wie is ingelogd, kent misschien het uwe.`,
    { lead: 'newPassword', label: 'Nieuw wachtwoord kiezen' },
  ],
  authenticatorAdded: (mail) => [
    'Aanmelden in twee stappen is ingeschakeld voor uw account',
    'Goedendag,',
    'Voor uw account is aanmelden in twee stappen ingeschakeld. Voortaan is bij het inloggen een code van de authenticator nodig.',
    'Was u dit zelf? Dan hoeft u niets te doen.',
    'Was u dit niet? Schakel het dan uit via deze link, anders kunt u niet meer inloggen:',
    { link: mail.link, label: 'Uitschakelen' },
    undoing(mail.linkHours),
    { lead: 'newPassword', label: 'Nieuw wachtwoord kiezen' },
  ],
  passkeyAdded: (mail) => [
    'Er is een passkey toegevoegd aan uw account',
    'Goedendag,',
    'Aan uw account is een passkey toegevoegd. Daarmee logt men in zonder wachtwoord en zonder code.',
    'Was u dit zelf? Dan hoeft u niets te doen.',
    'Was u dit niet? Verwijder de passkey dan via deze link:',
    { link: mail.link, label: 'Passkey verwijderen' },
    undoing(mail.linkHours),
    { lead: 'newPassword', label: 'Nieuw wachtwoord kiezen' },
  ],
  passkeyAddedLater: (mail) => [
    'Er is een passkey toegevoegd aan uw account',
    'Goedendag,',
    `Aan uw account is een passkey toegevoegd, bij een aanmelding zonder uw tweede factor. Daarom telt de passkey pas over ${mail.linkHours} uur als tweede factor; tot dan staat hij alleen voor het wachtwoord.`,
    'Was u dit zelf? Dan hoeft u niets te doen.',
    'Was u dit niet? Verwijder de passkey dan via deze link:',
    { link: mail.link, label: 'Passkey verwijderen' },
    undoing(mail.linkHours),
    { lead: 'newPassword', label: 'Nieuw wachtwoord kiezen' },
  ],
  passkeyGoing: (mail) => [
    'Een passkey van uw account wordt verwijderd',
    'Goedendag,',
    `Een passkey van uw account is verwijderd, bij een aanmelding zonder uw tweede factor. Daarom verdwijnt de passkey pas over ${mail.linkHours} uur; tot dan werkt hij.`,
    'Was u dit zelf? Dan hoeft u niets te doen.',
    'Was u dit niet? Behoud de passkey dan via deze link:',
    { link: mail.link, label: 'Passkey behouden' },
    undoing(mail.linkHours),
    { lead: 'newPassword', label: 'Nieuw wachtwoord kiezen' },
  ],
  notification: (mail) => [
    mail.subject,
    mail.text,
    `U ontvangt dit bericht omdat u een contact bent van ${mail.organisation}. Welke berichten u krijgt, stelt u in bij uw contacten.`,
  ],
  linkedNotification: (mail) => [
    mail.subject,
    mail.text,
    { link: mail.links, label: 'Document openen' },
    `Wie zo’n link heeft, kan het document openen. De link is een jaar geldig, zolang dit adres een contact van ${mail.organisation} is.`,
    `U ontvangt dit bericht omdat u een contact bent van ${mail.organisation}. Welke berichten u krijgt, stelt u in bij uw contacten.`,
  ],
  ownNotification: (mail) => [
    mail.subject,
    mail.text,
    `U ontvangt dit bericht omdat dit adres de gebruikersnaam van uw account bij ${mail.organisation} is.`,
  ],
  nameProof: (mail) => [
    'Bevestig uw gebruikersnaam',
    'Beste lezer,',
    'Dit e-mailadres is ingevuld als gebruikersnaam van een account bij ons. Bevestig via deze link dat het uw adres is, met het wachtwoord van het account:',
    { link: mail.link, label: 'Gebruikersnaam bevestigen' },
    `De link is ${mail.linkHours} uur geldig en werkt één keer. Het account werkt ook zonder de bevestiging, maar andere diensten kennen het tot dan niet onder deze naam.`,
    'Hebt u zo’n account niet? Dan haalt de pagina achter de link uw adres ervan af.',
  ],
  unprovedNotification: (mail) => [
    mail.subject,
    mail.text,
    'U ontvangt dit bericht omdat dit adres is ingevuld als gebruikersnaam van een account bij ons. Niemand heeft het nog bevestigd. Daarom noemt dit bericht geen namen. De rest staat in het klantenpaneel.',
  ],
};
