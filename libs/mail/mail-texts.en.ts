import { CALLS_TO_ACTION } from './calls-to-action';
import { greeting as greetingIn } from './greeting';
import type { MailTexts, MailValues } from './mail.types';
import { callToActionOf, factLines, isRemoved, lasting, whenOf, withCompany } from './mail-paragraphs';

const greeting = (name: string): string => greetingIn('en', name);

const OWN_ACT = 'If this was you, there is nothing to do.';

/** Facts about the login. */
const loginFacts = (mail: MailValues<'newLogin'>): string[] => [
  greeting(mail.fullName),
  `Somebody logged in to your account ${mail.username} from a network that was not used for your account in the last 30 days:`,
  factLines([
    ['When: ', mail.at],
    ['IP address: ', mail.address],
    ['Country: ', mail.country],
    ['System: ', mail.system],
    ['Browser: ', mail.browser],
    ['By a link from: ', mail.serviceKey],
  ]),
];

/** Why the address of a contact is told. One that goes no longer chooses its messages. */
const whyReceived = (mail: MailValues<'notification'>): string =>
  isRemoved(mail)
    ? `You are receiving this message because this address is or was a contact of ${mail.organisation}.`
    : `You are receiving this message because this address is a contact of ${mail.organisation}. ` +
      'In the control panel you choose which messages each contact gets.';

/** The mails in English. */
export const ENGLISH: MailTexts = {
  reset: (mail) => [
    'Reset your password',
    greeting(mail.fullName),
    mail.username === ''
      ? 'We received a request to reset your password. Choose a new one with this link:'
      : `We received a request to reset the password of your account ${mail.username} (organisation ${mail.organisation}). Choose a new one with this link:`,
    { link: mail.link, label: 'Choose a new password' },
    `The link is valid for ${lasting('en', mail.linkMinutes)} and works once.`,
    `If you are asked for a confirmation code, enter ${mail.code}. It is valid for ` +
      `${lasting('en', mail.codeMinutes)} and works once. Do not give it to anybody.`,
    'If you did not ask for this, there is nothing to do: your password stays as it is.',
  ],
  invitation: (mail) => [
    mail.company === ''
      ? 'Invitation to the control panel'
      : `Invitation to the control panel of ${mail.company}`,
    greeting(''),
    `You have been invited as a user of the organisation ${mail.organisation}. Create your account with this link:`,
    { link: mail.link, label: 'Create account' },
    `The link is valid until ${mail.endDate} and works once.`,
    `You were invited by ${mail.inviter}.`,
    'If you were not expecting an invitation, you can ignore this e-mail.',
  ],
  welcome: (mail) => [
    'Your account is ready',
    greeting(mail.fullName),
    `Welcome! Your account${withCompany('en', mail)} is ready. It belongs to the organisation ` +
      `${mail.organisation}. Log in with the user name ${mail.username} and the password that you ` +
      'have chosen.',
    CALLS_TO_ACTION.en.logIn,
    'If you did not create this account, choose a new password at once: that ends all logins to the account.',
    CALLS_TO_ACTION.en.newPassword,
  ],
  usernameChanged: (mail) => [
    'Your user name has changed',
    greeting(mail.fullName),
    `The user name of your account was changed${whenOf('en', mail)}. You can no longer log in with ${mail.username}.`,
    'If this looks wrong, please contact a manager of your organisation at once.',
  ],
  ownNameChanged: (mail) => [
    'Your user name has changed',
    greeting(mail.fullName),
    `The user name of your account was changed${whenOf('en', mail)} by somebody who was logged in to it. You can no longer log in with ${mail.username}.`,
    OWN_ACT,
    'If this wasn’t you, choose a new password at once, and enter the user name ' +
      `${mail.username}. The e-mail with the link comes to you, and you get this user name back. ` +
      'All logins end, and the API keys, contacts, SSH keys and second factors that were added to ' +
      'the account in the week before the change or since then are removed.',
    { callToAction: 'newPassword', label: 'This was not me' },
  ],
  newLogin: (mail) => [
    'A new login to your account',
    ...loginFacts(mail),
    OWN_ACT,
    'If this wasn’t you, end this login in the control panel, in the list of your logins, and choose a new password. A new password ends all other logins.',
    CALLS_TO_ACTION.en.panel,
  ],
  newLoginWithLink: (mail) => [
    'A new login to your account',
    ...loginFacts(mail),
    OWN_ACT,
    'If this wasn’t you, end this login with this link:',
    { link: mail.link, label: 'End login' },
    `The link is valid for ${mail.linkHours} hours and works once. It ends only this login. ` +
      'Choose a new password afterwards: whoever logged in may know yours.',
    CALLS_TO_ACTION.en.newPassword,
  ],
  notification: (mail) => [mail.subject, mail.text, ...callToActionOf('en', mail), whyReceived(mail)],
  linkedNotification: (mail) => [
    mail.subject,
    mail.text,
    ...callToActionOf('en', mail),
    { link: mail.links, label: 'Open document' },
    `Whoever has such a link can open the document. A link is valid for a year, as long as this address is a contact of ${mail.organisation}.`,
    whyReceived(mail),
  ],
  ownNotification: (mail) => [
    mail.subject,
    mail.text,
    ...callToActionOf('en', mail),
    `You are receiving this message because this address is the user name of your account${withCompany('en', mail)} (organisation ${mail.organisation}).`,
  ],
  usernameLink: (mail) => [
    'Please confirm your user name',
    greeting(''),
    'This e-mail address was entered as the user name of an account with us. Use this link and ' +
      'the password of the account to confirm that the address is yours:',
    { link: mail.link, label: 'Confirm user name' },
    `The link is valid for ${mail.linkHours} hours and works once. The account works without the ` +
      'confirmation too, but until then other services do not know it by this name.',
    'If this account is not yours, there is nothing to do: without your confirmation the address is not kept for the account.',
  ],
  unverifiedNotification: (mail) => [
    mail.subject,
    mail.text,
    'You are receiving this message because this address was entered as the user name of an ' +
      'account with us. Nobody has confirmed it yet, so this message contains no names. You will ' +
      'find more in the control panel.',
    CALLS_TO_ACTION.en.panel,
  ],
  hiddenMessage: () => [
    'There is a message for you',
    greeting(''),
    'In our control panel somebody wrote a message to the contacts of an organisation, and this ' +
      'address is one of them. This e-mail does not repeat the message. Log in to the control ' +
      'panel to read it: it is among the notifications of the organisation.',
    CALLS_TO_ACTION.en.panel,
    'If this means nothing to you, you can ignore this e-mail.',
  ],
};
