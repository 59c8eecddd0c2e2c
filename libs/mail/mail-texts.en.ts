import type { MailTexts, MailValues } from './mail.types';

/** Without the name in mails to an address that nobody has proved. */
const greeting = (firstName: string): string => (firstName === '' ? 'Hello,' : `Dear ${firstName},`);

/** Facts about the login. */
const loginFacts = (mail: MailValues<'newLogin'>): string[] => [
  greeting(mail.firstName),
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

/** What every link about a second factor does. */
const undoing = (hours: string): string =>
  `The link is valid for ${hours} hours and works once. It also ends the logins since then. Afterwards choose a new password: somebody knows yours.`;

/** The mails in English. */
export const ENGLISH: MailTexts = {
  reset: (mail) => [
    'Reset your password',
    greeting(mail.firstName),
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
  authenticatorAdded: (mail) => [
    'Two-factor login was switched on for your account',
    'Hello,',
    'Two-factor login was switched on for your account. From now on a login asks for a code of the authenticator.',
    'Was it you? Then there is nothing to do.',
    'Was it not you? Then switch it off with this link, or you cannot log in any more:',
    { link: mail.link, label: 'Switch off' },
    undoing(mail.linkHours),
    { lead: 'newPassword', label: 'Choose a new password' },
  ],
  passkeyAdded: (mail) => [
    'A passkey was added to your account',
    'Hello,',
    'A passkey was added to your account. It logs in without a password and without a code.',
    'Was it you? Then there is nothing to do.',
    'Was it not you? Then remove it with this link:',
    { link: mail.link, label: 'Remove passkey' },
    undoing(mail.linkHours),
    { lead: 'newPassword', label: 'Choose a new password' },
  ],
  passkeyAddedLater: (mail) => [
    'A passkey was added to your account',
    'Hello,',
    `A passkey was added to your account, with a login that had not passed your second factor. So it counts as a second factor only in ${mail.linkHours} hours; until then it stands for the password alone.`,
    'Was it you? Then there is nothing to do.',
    'Was it not you? Then remove it with this link:',
    { link: mail.link, label: 'Remove passkey' },
    undoing(mail.linkHours),
    { lead: 'newPassword', label: 'Choose a new password' },
  ],
  passkeyGoing: (mail) => [
    'A passkey of your account will be removed',
    'Hello,',
    `A passkey of your account was deleted, with a login that had not passed your second factor. So it is removed only in ${mail.linkHours} hours; until then it works.`,
    'Was it you? Then there is nothing to do.',
    'Was it not you? Then keep it with this link:',
    { link: mail.link, label: 'Keep passkey' },
    undoing(mail.linkHours),
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
  nameProof: (mail) => [
    'Please confirm your user name',
    'Hello,',
    'This e-mail address has been entered as the user name of an account with us. Confirm that it is yours with this link, and with the password of the account:',
    { link: mail.link, label: 'Confirm user name' },
    `The link is valid for ${mail.linkHours} hours and works once. The account works without it too, but other services do not know it by this name until then.`,
    'Do you have no such account? Then the page behind the link takes your address off it.',
  ],
  unprovedNotification: (mail) => [
    mail.subject,
    mail.text,
    'You receive this message because this address has been entered as the user name of an account with us. Nobody has confirmed it yet, so this message names nothing and nobody. The control panel has the rest.',
  ],
};
