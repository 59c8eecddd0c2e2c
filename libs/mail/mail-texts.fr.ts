import { CALLS_TO_ACTION } from './calls-to-action';
import { greeting as greetingIn } from './greeting';
import type { MailTexts, MailValues } from './mail.types';
import { callToActionOf, factLines, isRemoved, lasting, whenOf, withCompany } from './mail-paragraphs';

const greeting = (name: string): string => greetingIn('fr', name);

const OWN_ACT = 'C’était vous ? Vous n’avez rien à faire.';

/** Facts about the login. */
const loginFacts = (mail: MailValues<'newLogin'>): string[] => [
  greeting(mail.fullName),
  `Une connexion à votre compte ${mail.username} a eu lieu depuis un réseau qui n’a pas été utilisé pour votre compte ces 30 derniers jours :`,
  factLines([
    ['Quand : ', mail.at],
    ['Adresse IP : ', mail.address],
    ['Pays : ', mail.country],
    ['Système : ', mail.system],
    ['Navigateur : ', mail.browser],
    ['Par un lien du programme : ', mail.serviceKey],
  ]),
];

/** Why the address of a contact is told. One that goes no longer chooses its messages. */
const whyReceived = (mail: MailValues<'notification'>): string =>
  isRemoved(mail)
    ? `Vous recevez ce message parce que cette adresse est ou a été un contact de l’organisation ${mail.organisation}.`
    : 'Vous recevez ce message parce que cette adresse est un contact de l’organisation ' +
      `${mail.organisation}. Dans le panneau de contrôle, vous choisissez les messages que reçoit ` +
      'chaque contact.';

/** The mails in French. */
export const FRENCH: MailTexts = {
  reset: (mail) => [
    'Réinitialiser votre mot de passe',
    greeting(mail.fullName),
    mail.username === ''
      ? 'Nous avons reçu une demande de réinitialisation de votre mot de passe. Choisissez un nouveau mot de passe avec ce lien :'
      : 'Nous avons reçu une demande de réinitialisation du mot de passe de votre compte ' +
        `${mail.username} (organisation ${mail.organisation}). Choisissez un nouveau mot de passe ` +
        'avec ce lien :',
    { link: mail.link, label: 'Choisir un nouveau mot de passe' },
    `Le lien est valable ${lasting('fr', mail.linkMinutes)} et ne fonctionne qu’une fois.`,
    `Un code de confirmation vous est demandé ? Saisissez ${mail.code}. Il est valable ` +
      `${lasting('fr', mail.codeMinutes)} et ne fonctionne qu’une fois. Ne le communiquez à ` +
      'personne.',
    'Cette demande ne vient pas de vous ? Vous n’avez rien à faire : votre mot de passe reste inchangé.',
  ],
  invitation: (mail) => [
    mail.company === ''
      ? 'Invitation au panneau de contrôle'
      : `${mail.company} : invitation au panneau de contrôle`,
    greeting(''),
    `Vous avez reçu une invitation à rejoindre l’organisation ${mail.organisation}. Créez votre compte avec ce lien :`,
    { link: mail.link, label: 'Créer le compte' },
    `Le lien est valable jusqu’au ${mail.endDate} et ne fonctionne qu’une fois.`,
    `Cette invitation vous a été envoyée par ${mail.inviter}.`,
    'Vous n’attendiez pas d’invitation ? Vous pouvez ignorer cet e-mail.',
  ],
  welcome: (mail) => [
    'Votre compte est prêt',
    greeting(mail.fullName),
    `Bienvenue ! Votre compte${withCompany('fr', mail)} est prêt. Il appartient à l’organisation ` +
      `${mail.organisation}. Connectez-vous avec le nom d’utilisateur ${mail.username} et le mot de passe que ` +
      'vous avez choisi.',
    CALLS_TO_ACTION.fr.logIn,
    'Vous n’avez pas créé ce compte ? Choisissez immédiatement un nouveau mot de passe : toutes les connexions au compte prendront fin.',
    CALLS_TO_ACTION.fr.newPassword,
  ],
  usernameChanged: (mail) => [
    'Votre nom d’utilisateur a changé',
    greeting(mail.fullName),
    `Le nom d’utilisateur de votre compte a été modifié${whenOf('fr', mail)}. Vous ne pouvez plus vous connecter avec ${mail.username}.`,
    'Il s’agit d’une erreur ? Contactez immédiatement un gestionnaire de votre organisation.',
  ],
  ownNameChanged: (mail) => [
    'Votre nom d’utilisateur a changé',
    greeting(mail.fullName),
    `Le nom d’utilisateur de votre compte a été modifié${whenOf('fr', mail)} par une personne ` +
      `connectée à celui-ci. Vous ne pouvez plus vous connecter avec ${mail.username}.`,
    OWN_ACT,
    'Ce n’était pas vous ? Choisissez immédiatement un nouveau mot de passe en indiquant le nom ' +
      `d’utilisateur ${mail.username}. L’e-mail contenant le lien vous parviendra et vous ` +
      'retrouverez ce nom d’utilisateur. Toutes les connexions prendront fin, et les clés d’API, ' +
      'contacts, clés SSH et seconds facteurs ajoutés au compte dans la semaine précédant le ' +
      'changement ou depuis seront supprimés.',
    { callToAction: 'newPassword', label: 'Ce n’était pas moi' },
  ],
  newLogin: (mail) => [
    'Nouvelle connexion à votre compte',
    ...loginFacts(mail),
    OWN_ACT,
    'Ce n’était pas vous ? Mettez fin à cette connexion dans le panneau de contrôle, dans la ' +
      'liste de vos connexions, et choisissez un nouveau mot de passe. Le nouveau mot de passe met ' +
      'fin à toutes les autres connexions.',
    CALLS_TO_ACTION.fr.panel,
  ],
  newLoginWithLink: (mail) => [
    'Nouvelle connexion à votre compte',
    ...loginFacts(mail),
    OWN_ACT,
    'Ce n’était pas vous ? Mettez fin à cette connexion avec ce lien :',
    { link: mail.link, label: 'Mettre fin à la connexion' },
    `Le lien est valable ${mail.linkHours} heures et ne fonctionne qu’une fois. Il ne met fin ` +
      'qu’à cette connexion. Choisissez ensuite un nouveau mot de passe : la personne qui s’est ' +
      'connectée connaît peut-être le vôtre.',
    CALLS_TO_ACTION.fr.newPassword,
  ],
  notification: (mail) => [mail.subject, mail.text, ...callToActionOf('fr', mail), whyReceived(mail)],
  linkedNotification: (mail) => [
    mail.subject,
    mail.text,
    ...callToActionOf('fr', mail),
    { link: mail.links, label: 'Ouvrir le document' },
    'Toute personne qui dispose d’un tel lien peut ouvrir le document. Le lien est valable un ' +
      `an, tant que cette adresse est un contact de l’organisation ${mail.organisation}.`,
    whyReceived(mail),
  ],
  ownNotification: (mail) => [
    mail.subject,
    mail.text,
    ...callToActionOf('fr', mail),
    `Vous recevez ce message parce que cette adresse est le nom d’utilisateur de votre compte${withCompany('fr', mail)} (organisation ${mail.organisation}).`,
  ],
  usernameLink: (mail) => [
    'Confirmez votre nom d’utilisateur',
    greeting(''),
    'Cette adresse e-mail a été indiquée comme nom d’utilisateur d’un compte chez nous. ' +
      'Confirmez que c’est la vôtre avec ce lien et le mot de passe du compte :',
    { link: mail.link, label: 'Confirmer le nom d’utilisateur' },
    `Le lien est valable ${mail.linkHours} heures et ne fonctionne qu’une fois. Le compte ` +
      'fonctionne aussi sans confirmation, mais les autres services ne le connaissent pas encore ' +
      'sous ce nom.',
    'Ce compte n’est pas le vôtre ? Vous n’avez rien à faire : sans votre confirmation, l’adresse reste libre pour vous.',
  ],
  unverifiedNotification: (mail) => [
    mail.subject,
    mail.text,
    'Vous recevez ce message parce que cette adresse a été indiquée comme nom d’utilisateur d’un ' +
      'compte chez nous. Personne ne l’a encore confirmée ; c’est pourquoi ce message ne cite ' +
      'aucun nom. Vous en saurez plus dans le panneau de contrôle.',
    CALLS_TO_ACTION.fr.panel,
  ],
  hiddenMessage: () => [
    'Un message vous attend',
    greeting(''),
    'Dans notre panneau de contrôle, quelqu’un a écrit un message aux contacts d’une ' +
      'organisation, dont cette adresse fait partie. Cet e-mail ne reprend pas le message. ' +
      'Connectez-vous au panneau de contrôle pour le lire : il se trouve dans les notifications de ' +
      'l’organisation.',
    CALLS_TO_ACTION.fr.panel,
    'Cela ne vous dit rien ? Vous pouvez ignorer cet e-mail.',
  ],
};
