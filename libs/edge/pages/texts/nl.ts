import type { PageTexts } from './en';

/** The pages in Dutch. */
export const DUTCH_PAGES: PageTexts = {
  errorPrefix: 'Fout: ',
  checkForm: (count) => (count === 1 ? 'Er is 1 fout gevonden' : `Er zijn ${count} fouten gevonden`),
  buttons: {
    logIn: 'Inloggen',
    newPassword: 'Nieuw wachtwoord kiezen',
    newLink: 'Nieuwe link aanvragen',
    anotherTry: 'Een andere naam invullen',
  },
  labels: {
    username: 'Gebruikersnaam',
    name: 'Naam',
    organisation: 'Organisatie',
    sender: 'Afzender',
    inviter: 'Uitgenodigd door',
    password: 'Wachtwoord',
    newPassword: 'Nieuw wachtwoord',
    repeated: 'Nogmaals hetzelfde wachtwoord',
    time: 'Tijdstip',
    address: 'IP-adres',
    country: 'Land',
    system: 'Systeem',
    browser: 'Browser',
  },
  passwordRules: (rules) => [
    `${rules.minCharacters} tot ${rules.maxCharacters} tekens`,
    ...(rules.needsCapital ? ['minstens één hoofdletter'] : []),
    ...(rules.needsDigit ? ['minstens één cijfer'] : []),
    ...(rules.needsSpecial ? ['minstens één bijzonder teken, zoals !\u00a0of\u00a0-'] : []),
    'geen spaties, dubbele punten, aanhalingstekens of apostrofs',
    'niet uw gebruikersnaam of het deel ervan voor de @',
  ],
  faults: {
    REQUIRED: () => 'Vul een wachtwoord in.',
    TOO_SHORT: (rules) => `Het wachtwoord is te kort: gebruik minstens ${rules.minCharacters} tekens.`,
    TOO_LONG: (rules) =>
      `Het wachtwoord is te lang: gebruik hoogstens ${rules.maxCharacters} tekens, en minder bij emoji of letters met accenten.`,
    DIGIT_MISSING: () => 'Het wachtwoord moet minstens één cijfer bevatten.',
    CAPITAL_MISSING: () => 'Het wachtwoord moet minstens één hoofdletter bevatten.',
    SPECIAL_CHARACTER_MISSING: () =>
      'Het wachtwoord moet minstens één bijzonder teken bevatten, zoals ! of -.',
    FORBIDDEN_CHARACTER: () =>
      'Het wachtwoord bevat een spatie, een dubbele punt, een aanhalingsteken of een apostrof.',
    USERNAME_AS_PASSWORD: () => 'Het wachtwoord is uw gebruikersnaam, of het deel ervan voor de @.',
    NOT_STORABLE: () => 'Het wachtwoord bevat een teken dat niet kan worden gebruikt.',
    PRESENT_PASSWORD: () => 'Dit is het wachtwoord dat u al hebt. Kies een ander.',
    MISMATCH: () => 'De twee wachtwoorden zijn niet gelijk.',
    other: () => 'Deze waarde kan niet worden gebruikt.',
  },
  invitation: {
    title: (organisation) => `Uitnodiging voor ${organisation}`,
    intro: (organisation) =>
      `U bent uitgenodigd als gebruiker van ${organisation}. Kies een wachtwoord om uw account aan te maken.`,
    submit: 'Account aanmaken',
    done: (username) => ({
      title: 'Uw account is klaar',
      text: `U kunt nu inloggen met de gebruikersnaam ${username} en uw wachtwoord.`,
    }),
    taken: (username) => ({
      title: 'U hebt al een account',
      text: `Het e-mailadres ${username} hoort al bij een gebruiker. U kunt ermee inloggen.`,
    }),
    reserved: (username) => ({
      title: 'Deze uitnodiging kan nu niet worden gebruikt',
      text:
        `Het e-mailadres ${username} was tot voor kort de gebruikersnaam van een account en blijft ` +
        'daar nog even voor bewaard. Vraag degene die u heeft uitgenodigd om een uitnodiging voor ' +
        'een ander adres.',
    }),
    unknown: {
      title: 'Deze link werkt niet',
      text:
        'De link is niet bekend. Misschien is hij vervangen door een nieuwere e-mail, of is de ' +
        'uitnodiging ingetrokken. Open de hele link van de nieuwste e-mail, of vraag het aan degene ' +
        'die u heeft uitgenodigd.',
    },
  },
  ask: {
    title: 'Een nieuw wachtwoord aanvragen',
    intro:
      'Vul uw gebruikersnaam in; meestal is dat uw e-mailadres. U krijgt een e-mail met een link waarmee u een nieuw wachtwoord kiest.',
    missing: 'Vul uw gebruikersnaam in, met hoogstens 254 tekens.',
    submit: 'E-mail met link versturen',
    done: {
      title: 'Kijk in uw mailbox',
      text:
        'Hoort deze gebruikersnaam bij een account, dan ontvangt u zo een e-mail met een link. Geen ' +
        'e-mail ontvangen? Kijk ook bij de ongewenste e-mail, en controleer of u de juiste ' +
        'gebruikersnaam hebt ingevuld.',
    },
  },
  password: {
    title: 'Uw wachtwoord opnieuw instellen',
    intro: 'Kies een nieuw wachtwoord voor uw account.',
    note: 'Alle aanmeldingen en vertrouwde apparaten van het account eindigen. API-sleutels blijven geldig.',
    /** The reset gives the former name back. */
    noteOfFormerName: (username) =>
      'Alle aanmeldingen en vertrouwde apparaten van het account eindigen. Uw gebruikersnaam wordt ' +
      `weer ${username}. De API-sleutels, contacten, SSH-sleutels en tweede factoren die in de ` +
      'week voor de wijziging van de gebruikersnaam of sindsdien aan het account zijn toegevoegd, ' +
      'worden verwijderd.',
    submit: 'Wachtwoord opslaan',
    done: (username) => ({
      title: 'Uw wachtwoord is gewijzigd',
      text: `U kunt nu inloggen met de gebruikersnaam ${username} en uw nieuwe wachtwoord.`,
    }),
  },
  /** Verifies a new user name. */
  usernameLink: {
    title: 'Bevestig uw gebruikersnaam',
    intro: (username: string) =>
      `${username} is ingevuld als gebruikersnaam van een account. Is dat uw account? Bevestig het dan met het wachtwoord waarmee u inlogt.`,
    password: 'Wachtwoord van het account',
    missing: 'Vul het wachtwoord van het account in.',
    wrongPassword: 'Dit is niet het wachtwoord van het account.',
    submit: 'Gebruikersnaam bevestigen',
    done: (username: string) => ({
      title: 'Uw gebruikersnaam is bevestigd',
      text: `U logt in met ${username}. Andere diensten kennen u voortaan onder deze naam.`,
    }),
  },
  endLogin: {
    title: 'Deze aanmelding beëindigen',
    intro: 'Iemand heeft op uw account ingelogd. Was u dit niet? Beëindig dan deze aanmelding.',
    submit: 'Aanmelding beëindigen',
    done: {
      title: 'De aanmelding is beëindigd',
      text: 'Was u dit niet? Kies dan direct een nieuw wachtwoord: iemand kent misschien uw huidige wachtwoord.',
    },
    ended: {
      title: 'Deze aanmelding is al beëindigd',
      text: 'Er is niets meer te beëindigen. Was u dit niet? Kies dan direct een nieuw wachtwoord: iemand kent misschien uw huidige wachtwoord.',
    },
    expired: {
      title: 'Deze link is verlopen',
      text: 'De aanmelding is niet beëindigd. Was u dit niet? Kies dan direct een nieuw wachtwoord: dat beëindigt al uw andere aanmeldingen.',
    },
  },
  document: {
    intro: 'Uw document staat klaar.',
    download: (kind, size) => `${kind} downloaden (${size})`,
    note: 'Wie de link naar deze pagina heeft, kan het document openen.',
  },
  errors: {
    NOT_FOUND: {
      title: 'Deze link werkt niet',
      text: 'De link is niet bekend. Controleer of u de hele link uit de e-mail hebt geopend.',
    },
    INVITATION_ACCEPTED: {
      title: 'Deze uitnodiging is al gebruikt',
      text: 'Het account bestaat. U kunt inloggen met uw e-mailadres en uw wachtwoord.',
    },
    INVITATION_EXPIRED: {
      title: 'Deze uitnodiging is verlopen',
      text: 'Vraag een nieuwe uitnodiging aan degene die u heeft uitgenodigd.',
    },
    INVITATION_ENDED: {
      title: 'Deze uitnodiging kan nu niet worden gebruikt',
      text: 'Hebt u zojuist uw account aangemaakt? Dan kunt u inloggen. Vraag het anders aan degene die u heeft uitgenodigd.',
    },
    INVITATION_ORPHANED: {
      title: 'Deze uitnodiging is niet meer geldig',
      text: 'De organisatie die u heeft uitgenodigd, bestaat niet meer.',
    },
    INVITATION_MISMATCH: {
      title: 'Deze uitnodiging is niet meer geldig',
      text: 'Vraag een nieuwe uitnodiging aan degene die u heeft uitgenodigd.',
    },
    LIMIT_REACHED: {
      title: 'Uw account kan niet worden aangemaakt',
      text: 'De organisatie heeft het hoogste aantal gebruikers bereikt. Vraag het aan degene die u heeft uitgenodigd.',
    },
    REQUEST_EXPIRED: {
      title: 'Deze link is niet meer geldig',
      text:
        'De link is gebruikt, verlopen of door een nieuwere vervangen. Hebt u zojuist een nieuw ' +
        'wachtwoord gekozen? Dan kunt u inloggen. Vraag anders een nieuwe link aan.',
    },
    NAME_LINK_ENDED: {
      title: 'Deze link is niet meer geldig',
      text:
        'De link is gebruikt of verlopen, of het account heeft intussen een andere gebruikersnaam. ' +
        'Bewaar uw gebruikersnaam in het klantenpaneel opnieuw om een nieuwe link te krijgen.',
    },
    TOO_MANY_ATTEMPTS: {
      title: 'Te veel pogingen',
      text: 'Vanaf uw netwerk zijn te veel pagina’s geopend.',
    },
    UNAVAILABLE: {
      title: 'Deze pagina is nu niet beschikbaar',
      text: 'Er is niets gewijzigd. De link blijft geldig.',
    },
    OUTCOME_UNKNOWN: {
      title: 'Het is niet zeker of dit is gelukt',
      text: 'Open de link nog eens: de pagina laat zien of hij is gebruikt.',
    },
    INTERNAL_ERROR: {
      title: 'Er is iets misgegaan',
      text: 'De fout ligt bij ons. Probeer het later opnieuw.',
    },
    other: {
      title: 'Het formulier kon niet worden gelezen',
      text: 'Open de link uit de e-mail nog eens.',
    },
  },
  tryAgain: (wait) => `Probeer het over ${wait} opnieuw.`,
  requestId: (id) => `Nummer van dit verzoek, voor vragen: ${id}`,
};
