import type { PasswordRules } from '@app/security/passwords/password-rules';
import type { ErrorTexts, FaultTexts } from '../page-texts.types';

const FAULTS: FaultTexts = {
  REQUIRED: () => 'Enter a password.',
  TOO_SHORT: (rules) => `The password is too short: use at least ${rules.minCharacters} characters.`,
  TOO_LONG: (rules) =>
    `The password is too long: use at most ${rules.maxCharacters} characters, and fewer if they are emoji or letters with accents.`,
  DIGIT_MISSING: () => 'The password needs at least one digit.',
  CAPITAL_MISSING: () => 'The password needs at least one capital letter.',
  SPECIAL_CHARACTER_MISSING: () => 'The password needs at least one special character, such as ! or -.',
  FORBIDDEN_CHARACTER: () => 'The password has a space, a colon, a double quote or an apostrophe.',
  USERNAME_AS_PASSWORD: () => 'The password is your user name, or its part before the @.',
  NOT_STORABLE: () => 'The password has a character that cannot be used.',
  PRESENT_PASSWORD: () => 'This is the password that you have already. Choose another one.',
  MISMATCH: () => 'The two passwords differ.',
  other: () => 'This value cannot be used.',
};

const ERRORS: ErrorTexts = {
  NOT_FOUND: {
    title: 'This link does not work',
    text: 'The link is not known. Please check that you have opened the whole link in the e-mail.',
  },
  INVITATION_ACCEPTED: {
    title: 'This invitation has been used',
    text: 'The account exists. You can log in with your e-mail address and your password.',
  },
  INVITATION_EXPIRED: {
    title: 'This invitation has expired',
    text: 'Please ask the person who invited you for a new invitation.',
  },
  INVITATION_ENDED: {
    title: 'This invitation cannot be used now',
    text: 'If you have just created your account, you can log in. If not, please ask the person who invited you.',
  },
  INVITATION_ORPHANED: {
    title: 'This invitation is no longer valid',
    text: 'The organisation that invited you no longer exists.',
  },
  INVITATION_MISMATCH: {
    title: 'This invitation is no longer valid',
    text: 'Please ask the person who invited you for a new invitation.',
  },
  LIMIT_REACHED: {
    title: 'Your account cannot be created',
    text: 'The organisation has as many users as it can have. Please ask the person who invited you.',
  },
  REQUEST_EXPIRED: {
    title: 'This link is no longer valid',
    text: 'It has been used, has expired or was replaced by a newer one. If you have just chosen a new password, you can log in. If not, ask for a new link.',
  },
  NAME_LINK_ENDED: {
    title: 'This link is no longer valid',
    text:
      'It has been used, has expired, or the account has another user name by now. In the control ' +
      'panel you can save your user name once more to get a new link.',
  },
  TOO_MANY_ATTEMPTS: {
    title: 'Too many attempts',
    text: 'Too many pages were opened from your network.',
  },
  UNAVAILABLE: {
    title: 'This page is not available right now',
    text: 'Nothing has been changed. The link stays valid.',
  },
  OUTCOME_UNKNOWN: {
    title: 'It is not certain that this worked',
    text: 'Open the link once more: the page shows whether it was used.',
  },
  INTERNAL_ERROR: {
    title: 'Something went wrong',
    text: 'The fault is ours. Please try again later.',
  },
  other: {
    title: 'The form could not be read',
    text: 'Please open the link in the e-mail once more.',
  },
};

/** The pages in English. Headings of invitations and resets are the subjects of their mails. */
export const ENGLISH_PAGES = {
  /** Prefix of the page title after a fault. */
  errorPrefix: 'Error: ',
  /** Text above a form, with the number of its faults. */
  checkForm: (count: number) => (count === 1 ? 'There is 1 error' : `There are ${count} errors`),
  /** The texts of buttons. */
  buttons: {
    logIn: 'Log in',
    newPassword: 'Choose a new password',
    newLink: 'Get a new link',
    anotherTry: 'Enter another name',
  },
  labels: {
    username: 'User name',
    name: 'Name',
    organisation: 'Organisation',
    sender: 'Sender',
    inviter: 'Invited by',
    password: 'Password',
    newPassword: 'New password',
    repeated: 'The same password again',
    time: 'Time',
    address: 'IP address',
    country: 'Country',
    system: 'System',
    browser: 'Browser',
  },
  /** One line for each rule of a new password. */
  passwordRules: (rules: PasswordRules) => [
    `${rules.minCharacters} to ${rules.maxCharacters} characters`,
    ...(rules.needsCapital ? ['at least one capital letter'] : []),
    ...(rules.needsDigit ? ['at least one digit'] : []),
    ...(rules.needsSpecial ? ['at least one special character, such as !\u00a0or\u00a0-'] : []),
    'no spaces, colons, double quotes or apostrophes',
    'neither your user name nor its part before the @',
  ],
  faults: FAULTS,
  invitation: {
    title: (organisation: string) => `Invitation to ${organisation}`,
    intro: (organisation: string) =>
      `You have been invited as a user of ${organisation}. Choose a password to create your account.`,
    submit: 'Create account',
    done: (username: string) => ({
      title: 'Your account is ready',
      text: `You can now log in with the user name ${username} and your password.`,
    }),
    /** The address has a user by now. */
    taken: (username: string) => ({
      title: 'You already have an account',
      text: `The e-mail address ${username} already belongs to a user. You can log in with it.`,
    }),
    /** The address was the user name of somebody who has another one now. */
    reserved: (username: string) => ({
      title: 'This invitation cannot be used at the moment',
      text:
        `The e-mail address ${username} was the user name of an account until recently, and is kept ` +
        'for it for a while. Please ask the person who invited you for an invitation to another ' +
        'address.',
    }),
    unknown: {
      title: 'This link does not work',
      text:
        'The link is not known. It may have been replaced by a newer e-mail, or the invitation was ' +
        'withdrawn. Please open the whole link in the newest e-mail, or ask the person who invited ' +
        'you.',
    },
  },
  /** Asks for the mail that leads to the next page. */
  ask: {
    title: 'Get a new password',
    intro:
      'Enter your user name, which is usually your e-mail address. You will get an e-mail with a link to choose a new password.',
    missing: 'Enter your user name, of at most 254 characters.',
    submit: 'Send me the link',
    done: {
      title: 'Check your mailbox',
      text:
        'If this user name belongs to an account, an e-mail with a link is on its way. No e-mail? ' +
        'Look in your spam folder too, and check that you have entered the right user name.',
    },
  },
  password: {
    title: 'Reset your password',
    intro: 'Choose a new password for your account.',
    note: 'All logins and trusted devices of the account end. API keys stay valid.',
    /** The reset gives the former name back. */
    noteOfFormerName: (username: string) =>
      `All logins and trusted devices of the account end. Your user name becomes ${username} ` +
      'again. The API keys, contacts, SSH keys and second factors that were added to the account ' +
      'in the week before the user name was changed or since then are removed.',
    submit: 'Save password',
    done: (username: string) => ({
      title: 'Your password has been changed',
      text: `You can now log in with the user name ${username} and your new password.`,
    }),
  },
  /** Verifies a new user name. */
  usernameLink: {
    title: 'Please confirm your user name',
    intro: (username: string) =>
      `${username} was entered as the user name of an account. If it is your account, confirm it with the password that you log in with.`,
    password: 'Password of the account',
    missing: 'Enter the password of the account.',
    wrongPassword: 'This is not the password of the account.',
    submit: 'Confirm user name',
    done: (username: string) => ({
      title: 'Your user name is confirmed',
      text: `You log in with ${username}. Other services know you by it from now on.`,
    }),
  },
  endLogin: {
    title: 'End this login',
    intro: 'Somebody logged in to your account. If this wasn’t you, end this login.',
    submit: 'End login',
    done: {
      title: 'The login has been ended',
      text: 'If this wasn’t you, choose a new password at once: somebody may know the present one.',
    },
    /** The login has ended, by the link or in another way. */
    ended: {
      title: 'This login has already ended',
      text: 'There is nothing left to end. If this wasn’t you, choose a new password at once: somebody may know the present one.',
    },
    /** The login goes on. */
    expired: {
      title: 'This link has expired',
      text: 'The login has not been ended. If this wasn’t you, choose a new password at once: that ends all your other logins.',
    },
  },
  document: {
    intro: 'Your document is ready.',
    download: (kind: string, size: string) => `Download ${kind} (${size})`,
    note: 'Whoever has the link to this page can open the document.',
  },
  errors: ERRORS,
  tryAgain: (wait: string) => `Please try again in ${wait}.`,
  requestId: (id: string) => `Number of this request, for questions: ${id}`,
};

/** The texts of all pages in one language, with the keys of the English texts. */
export type PageTexts = typeof ENGLISH_PAGES;
