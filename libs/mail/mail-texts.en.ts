import type { MailTexts, MailValues } from './mail.types';

/** Facts about the login. */
const loginFacts = (mail: MailValues<'newLogin'>): string[] => [
  `Dear ${mail.firstName},`,
  `Somebody has logged in to your account ${mail.username} from a network that was not used for your account in the last 30 days:`,
  [
    `When: ${mail.at}`,
    `IP address: ${mail.address}`,
    `Country: ${orUnknown(mail.country)}`,
    `System: ${orUnknown(mail.system)}`,
    `Browser: ${orUnknown(mail.browser)}`,
  ].join('\n'),
];

const orUnknown = (word: string): string => (word === '' ? 'unknown' : word);

/** The mails in English. */
export const ENGLISH: MailTexts = {
  reset: (mail) => [
    'Reset your password',
    `Dear ${mail.firstName},`,
    'Somebody asked to reset your password. Choose a new one with this link:',
    { link: mail.link, label: 'Choose a new password' },
    `The link is valid for ${mail.linkMinutes} minutes and works once.`,
    `Are you asked for a confirmation code? It is ${mail.code}. The code is valid for ${mail.codeMinutes} minutes and works once. Do not give it to anybody.`,
    'Was it not you? Then there is nothing to do: your password does not change.',
  ],
  invitation: (mail) => [
    `Invitation to ${mail.organisation}`,
    `Dear ${mail.firstName},`,
    `You have been invited as a user of ${mail.organisation}. Create your account with this link:`,
    { link: mail.link, label: 'Create account' },
    `The link is valid until ${mail.endDate} and works once.`,
    `${mail.inviter} has invited you.`,
    'Do you expect no invitation? Then you can ignore this e-mail.',
  ],
  usernameChanged: (mail) => [
    'Your user name has changed',
    `Dear ${mail.firstName},`,
    `The user name of your account has changed. You can no longer log in with ${mail.username}.`,
    'Did this happen without your knowledge? Then please contact us at once.',
  ],
  ownNameChanged: (mail) => [
    'Your user name has changed',
    `Dear ${mail.firstName},`,
    `The user name of your account has been changed with your login. You can no longer log in with ${mail.username}.`,
    'Was it not you? Then take your account back with this link, which sets a new password and the old user name:',
    { link: mail.link, label: 'Take account back' },
    `The link is valid for ${mail.linkHours} hours and works once, also when your password has been changed since. It ends all logins, API keys and trusted devices, and removes contacts, SSH keys and two-factor login that were added since.`,
    'Was it you? Then there is nothing to do.',
  ],
  newLogin: (mail) => [
    'A new login to your account',
    ...loginFacts(mail),
    'Was it you? Then there is nothing to do.',
    'Was it not you? Then end this login in the control panel, in the list of your logins, and choose a new password. That ends all other logins.',
    { lead: 'panel', label: 'Go to the control panel' },
  ],
  newLoginWithLink: (mail) => [
    'A new login to your account',
    ...loginFacts(mail),
    'Was it you? Then there is nothing to do.',
    'Was it not you? Then end this login with this link:',
    { link: mail.link, label: 'End login' },
    `The link is valid for ${mail.linkHours} hours and works once. It ends only this login. Then choose a new password: whoever logged in may know yours.`,
    { lead: 'newPassword', label: 'Choose a new password' },
  ],
  notification: (mail) => [
    mail.subject,
    mail.text,
    `You receive this message because you are a contact of ${mail.organisation}. Your contacts say which messages you get.`,
  ],
  linkedNotification: (mail) => [
    mail.subject,
    mail.text,
    { link: mail.links, label: 'Open document' },
    `Whoever has such a link can open the document. It is valid for a year, as long as this address is a contact of ${mail.organisation}.`,
    `You receive this message because you are a contact of ${mail.organisation}. Your contacts say which messages you get.`,
  ],
  ownNotification: (mail) => [
    mail.subject,
    mail.text,
    `You receive this message because this address is the user name of your account at ${mail.organisation}.`,
  ],
};
