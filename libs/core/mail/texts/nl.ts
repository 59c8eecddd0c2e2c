import type { MailTexts } from './mail-text';

/** The mails in Dutch. */
export const DUTCH: MailTexts = {
  reset: {
    subject: 'Uw wachtwoord opnieuw instellen',
    paragraphs: [
      'Beste {{firstName}},',
      'Er is gevraagd om uw wachtwoord opnieuw in te stellen. Kies een nieuw wachtwoord via deze link:',
      { link: 'link' },
      'De link is {{linkMinutes}} minuten geldig en werkt één keer.',
      'Wordt er om een bevestigingscode gevraagd? Die is {{code}}. De code is {{codeMinutes}} minuten geldig en werkt één keer. Geef hem aan niemand door.',
      'Hebt u dit niet zelf gevraagd? Dan hoeft u niets te doen: uw wachtwoord verandert niet.',
    ],
  },
  invitation: {
    subject: 'Uitnodiging voor {{organisation}}',
    paragraphs: [
      'Beste {{firstName}},',
      'U bent uitgenodigd als gebruiker van {{organisation}}. Maak uw account aan via deze link:',
      { link: 'link' },
      { sinceNewerBuild: 'De link is geldig tot {{endDate}} en werkt één keer.' },
      { sinceNewerBuild: 'U bent uitgenodigd door {{inviter}}.' },
      'Verwacht u geen uitnodiging? Dan kunt u deze e-mail negeren.',
    ],
  },
  usernameChanged: {
    subject: 'Uw gebruikersnaam is gewijzigd',
    paragraphs: [
      'Beste {{firstName}},',
      'De gebruikersnaam van uw account is gewijzigd. Met {{username}} kunt u niet meer inloggen.',
      'Is dit niet met uw medeweten gebeurd? Neem dan direct contact met ons op.',
    ],
  },
  ownNameChanged: {
    subject: 'Uw gebruikersnaam is gewijzigd',
    paragraphs: [
      'Beste {{firstName}},',
      'De gebruikersnaam van uw account is gewijzigd door iemand die met uw account was ingelogd. Met {{username}} kunt u niet meer inloggen.',
      'Was u dit niet? Haal uw account dan terug met deze link, waarmee u een nieuw wachtwoord kiest en uw oude gebruikersnaam herstelt:',
      { link: 'link' },
      'De link is {{linkHours}} uur geldig en werkt één keer, ook als uw wachtwoord intussen is gewijzigd. De link beëindigt alle aanmeldingen, API-sleutels en vertrouwde apparaten, en verwijdert contacten, SSH-sleutels en aanmelden in twee stappen die sindsdien zijn toegevoegd.',
      'Was u het zelf? Dan hoeft u niets te doen.',
    ],
  },
  notification: {
    subject: '{{subject}}',
    paragraphs: [
      '{{text}}',
      'U ontvangt dit bericht omdat u een contact bent van {{organisation}}. Welke berichten u krijgt, stelt u in bij uw contacten.',
    ],
  },
  linkedNotification: {
    subject: '{{subject}}',
    paragraphs: [
      '{{text}}',
      { link: 'links' },
      'Wie zo’n link heeft, kan het document openen. De link is een jaar geldig, zolang dit adres een contact van {{organisation}} is.',
      'U ontvangt dit bericht omdat u een contact bent van {{organisation}}. Welke berichten u krijgt, stelt u in bij uw contacten.',
    ],
  },
  ownNotification: {
    subject: '{{subject}}',
    paragraphs: [
      '{{text}}',
      'U ontvangt dit bericht omdat dit adres de gebruikersnaam van uw account bij {{organisation}} is.',
    ],
  },
};
