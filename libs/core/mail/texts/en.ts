import type { MailTexts } from './mail-text';

/** The mails in English. */
export const ENGLISH: MailTexts = {
  reset: {
    subject: 'Reset your password',
    paragraphs: [
      'Dear {{firstName}},',
      'Somebody asked to reset your password. Choose a new one with this link:',
      { link: 'link' },
      'The link is valid for {{linkMinutes}} minutes and works once.',
      'Are you asked for a confirmation code? It is {{code}}. The code is valid for {{codeMinutes}} minutes and works once. Do not give it to anybody.',
      'Was it not you? Then there is nothing to do: your password does not change.',
    ],
  },
  invitation: {
    subject: 'Invitation to {{organisation}}',
    paragraphs: [
      'Dear {{firstName}},',
      'You have been invited as a user of {{organisation}}. Create your account with this link:',
      { link: 'link' },
      { sinceNewerBuild: 'The link is valid until {{endDate}} and works once.' },
      { sinceNewerBuild: '{{inviter}} has invited you.' },
      'Do you expect no invitation? Then you can ignore this e-mail.',
    ],
  },
  usernameChanged: {
    subject: 'Your user name has changed',
    paragraphs: [
      'Dear {{firstName}},',
      'The user name of your account has changed. You can no longer log in with {{username}}.',
      'Did this happen without your knowledge? Then please contact us at once.',
    ],
  },
  ownNameChanged: {
    subject: 'Your user name has changed',
    paragraphs: [
      'Dear {{firstName}},',
      'The user name of your account has been changed with your login. You can no longer log in with {{username}}.',
      'Was it not you? Then take your account back with this link, which sets a new password and the old user name:',
      { link: 'link' },
      'The link is valid for {{linkHours}} hours and works once, also when your password has been changed since. It ends all logins, API keys and trusted devices, and removes contacts, SSH keys and two-factor login that were added since.',
      'Was it you? Then there is nothing to do.',
    ],
  },
  notification: {
    subject: '{{subject}}',
    paragraphs: [
      '{{text}}',
      'You receive this message because you are a contact of {{organisation}}. Your contacts say which messages you get.',
    ],
  },
  linkedNotification: {
    subject: '{{subject}}',
    paragraphs: [
      '{{text}}',
      { link: 'links' },
      'Whoever has such a link can open the document. It is valid for a year, as long as this address is a contact of {{organisation}}.',
      'You receive this message because you are a contact of {{organisation}}. Your contacts say which messages you get.',
    ],
  },
  ownNotification: {
    subject: '{{subject}}',
    paragraphs: [
      '{{text}}',
      'You receive this message because this address is the user name of your account at {{organisation}}.',
    ],
  },
};
