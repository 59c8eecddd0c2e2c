import { noticesOf } from '@app/people/notifications/notification-kind';

/**
 * The address that comes or goes is told too. It is a warning if one that got the news of the organisation
 * gets them no more.
 */
const CHANGED = { group: 'System', urgency: 'byEvent', tells: ['contacts', 'user', 'gone'] } as const;

export const CONTACT_NOTICES = noticesOf('Contact', {
  new: {
    ...CHANGED,
    heading: ['Nieuw contact', 'New contact', 'Nouveau contact'],
  },
  changed: {
    ...CHANGED,
    heading: ['Contact gewijzigd', 'Contact changed', 'Contact modifié'],
  },
  removed: {
    ...CHANGED,
    heading: ['Contact verwijderd', 'Contact removed', 'Contact supprimé'],
  },
  security_news_on: {
    ...CHANGED,
    heading: [
      'Contact ontvangt voortaan beveiligingsberichten',
      'Contact gets security news from now on',
      'Contact recevant désormais les messages de sécurité',
    ],
  },
  security_news_off: {
    ...CHANGED,
    heading: [
      'Contact ontvangt geen beveiligingsberichten meer',
      'Contact gets no more security news',
      'Contact ne recevant plus les messages de sécurité',
    ],
  },
});

/** Their addresses are told too. */
const LOST = { group: 'System', urgency: 'warning', tells: ['contacts', 'user', 'gone'] } as const;

/** Managers whose contacts get no more security news of the organisation. */
export const LOST_NEWS_NOTICES = noticesOf('User', {
  demoted: {
    ...LOST,
    heading: [
      'Gebruiker is geen beheerder meer en ontvangt geen beveiligingsberichten van de organisatie meer',
      'User is no longer a manager, and gets no more security news of the organisation',
      'Utilisateur qui n’est plus gestionnaire et ne reçoit plus les messages de sécurité de l’organisation',
    ],
  },
  disabled: {
    ...LOST,
    heading: [
      'Gebruiker geblokkeerd: ontvangt geen beveiligingsberichten van de organisatie meer',
      'User disabled: gets no more security news of the organisation',
      'Utilisateur bloqué : il ne reçoit plus les messages de sécurité de l’organisation',
    ],
  },
  deleted: {
    ...LOST,
    heading: [
      'Gebruiker verwijderd: ontvangt geen beveiligingsberichten van de organisatie meer',
      'User deleted: gets no more security news of the organisation',
      'Utilisateur supprimé : il ne reçoit plus les messages de sécurité de l’organisation',
    ],
    params: { user: ['Gebruiker', 'User', 'Utilisateur'] },
    // The addresses of the user go with it: mails of their own tell them.
    tells: ['contacts'],
  },
});
