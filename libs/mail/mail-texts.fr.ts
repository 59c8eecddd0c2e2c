import { greeting as greetingIn } from './greeting';
import { LEADS } from './leads';
import type { MailTexts, MailValues } from './mail.types';
import { factLines, isGone, lasting, newsLead, whenOf } from './mail-paragraphs';

const greeting = (name: string): string => greetingIn('fr', name);

const OWN_ACT = 'C’était vous ? Vous n’avez rien à faire.';

/** Facts about the login. */
const loginFacts = (mail: MailValues<'newLogin'>): string[] => [
  greeting(mail.firstName),
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

/** What every link about a second factor does. */
const undoing = (hours: string): string =>
  `Le lien est valable ${hours} heures et ne fonctionne qu’une fois. Il met aussi fin aux connexions établies depuis. Choisissez ensuite un nouveau mot de passe : quelqu’un connaît le vôtre.`;

/** Why the address of a contact is told. One that goes no longer chooses its messages. */
const whyTold = (mail: MailValues<'notification'>): string =>
  isGone(mail)
    ? `Vous recevez ce message parce que cette adresse est ou a été un contact de l’organisation ${mail.organisation}.`
    : `Vous recevez ce message parce que cette adresse est un contact de l’organisation ${mail.organisation}. Dans le panneau de contrôle, vous choisissez les messages que reçoit chaque contact.`;

/** The mails in French. */
export const FRENCH: MailTexts = {
  reset: (mail) => [
    'Réinitialiser votre mot de passe',
    greeting(mail.firstName),
    'Nous avons reçu une demande de réinitialisation de votre mot de passe. Choisissez un nouveau mot de passe avec ce lien :',
    { link: mail.link, label: 'Choisir un nouveau mot de passe' },
    `Le lien est valable ${lasting('fr', mail.linkMinutes)} et ne fonctionne qu’une fois.`,
    `Un code de confirmation vous est demandé ? Saisissez ${mail.code}. Il est valable ${lasting('fr', mail.codeMinutes)} et ne fonctionne qu’une fois. Ne le communiquez à personne.`,
    'Cette demande ne vient pas de vous ? Vous n’avez rien à faire : votre mot de passe reste inchangé.',
  ],
  invitation: (mail) => [
    `Invitation à rejoindre ${mail.organisation}`,
    greeting(mail.firstName),
    `Vous avez reçu une invitation à rejoindre ${mail.organisation}. Créez votre compte avec ce lien :`,
    { link: mail.link, label: 'Créer le compte' },
    `Le lien est valable jusqu’au ${mail.endDate} et ne fonctionne qu’une fois.`,
    `Cette invitation vous a été envoyée par ${mail.inviter}.`,
    'Vous n’attendiez pas d’invitation ? Vous pouvez ignorer cet e-mail.',
  ],
  welcome: (mail) => [
    'Votre compte est prêt',
    greeting(mail.firstName),
    `Bienvenue ! Votre compte chez ${mail.organisation} est prêt. Connectez-vous avec le nom d’utilisateur ${mail.username} et le mot de passe que vous avez choisi.`,
    LEADS.fr.logIn,
    'Vous n’avez pas créé ce compte ? Choisissez immédiatement un nouveau mot de passe : toutes les connexions au compte prendront fin.',
    LEADS.fr.newPassword,
  ],
  usernameChanged: (mail) => [
    'Votre nom d’utilisateur a changé',
    greeting(mail.firstName),
    `Le nom d’utilisateur de votre compte a été modifié${whenOf('fr', mail)}. Vous ne pouvez plus vous connecter avec ${mail.username}.`,
    'Il s’agit d’une erreur ? Contactez immédiatement un gestionnaire de votre organisation.',
  ],
  ownNameChanged: (mail) => [
    'Votre nom d’utilisateur a changé',
    greeting(mail.firstName),
    `Le nom d’utilisateur de votre compte a été modifié${whenOf('fr', mail)} par une personne connectée à celui-ci. Vous ne pouvez plus vous connecter avec ${mail.username}.`,
    'Ce n’était pas vous ? Reprenez votre compte avec ce lien. Vous choisirez un nouveau mot de passe et retrouverez votre ancien nom d’utilisateur :',
    { link: mail.link, label: 'Reprendre le compte' },
    `Le lien est valable ${mail.linkHours} heures et ne fonctionne qu’une fois, même si votre mot de passe a été changé entre-temps. Il met fin à toutes les connexions, clés API et appareils de confiance, et supprime les contacts, les clés SSH et les seconds facteurs ajoutés depuis.`,
    OWN_ACT,
  ],
  newLogin: (mail) => [
    'Nouvelle connexion à votre compte',
    ...loginFacts(mail),
    OWN_ACT,
    'Ce n’était pas vous ? Mettez fin à cette connexion dans le panneau de contrôle, dans la liste de vos connexions, et choisissez un nouveau mot de passe. Le nouveau mot de passe met fin à toutes les autres connexions.',
    LEADS.fr.panel,
  ],
  newLoginWithLink: (mail) => [
    'Nouvelle connexion à votre compte',
    ...loginFacts(mail),
    OWN_ACT,
    'Ce n’était pas vous ? Mettez fin à cette connexion avec ce lien :',
    { link: mail.link, label: 'Mettre fin à la connexion' },
    `Le lien est valable ${mail.linkHours} heures et ne fonctionne qu’une fois. Il ne met fin qu’à cette connexion. Choisissez ensuite un nouveau mot de passe : la personne qui s’est connectée connaît peut-être le vôtre.`,
    LEADS.fr.newPassword,
  ],
  authenticatorAdded: (mail) => [
    'L’authentification à deux facteurs a été activée pour votre compte',
    greeting(''),
    `Quelqu’un a activé l’authentification à deux facteurs pour votre compte${whenOf('fr', mail)}. Désormais, chaque connexion demande un code de l’application d’authentification.`,
    OWN_ACT,
    'Ce n’était pas vous ? Désactivez-la avec ce lien, sinon vous ne pourrez plus vous connecter :',
    { link: mail.link, label: 'Désactiver' },
    undoing(mail.linkHours),
    LEADS.fr.newPassword,
  ],
  passkeyAdded: (mail) => [
    'Une clé d’accès a été ajoutée à votre compte',
    greeting(''),
    `Quelqu’un a ajouté une clé d’accès à votre compte${whenOf('fr', mail)}. Cette clé permet de s’y connecter sans mot de passe et sans code.`,
    OWN_ACT,
    'Ce n’était pas vous ? Supprimez-la avec ce lien :',
    { link: mail.link, label: 'Supprimer la clé d’accès' },
    undoing(mail.linkHours),
    LEADS.fr.newPassword,
  ],
  passkeyAddedLater: (mail) => [
    'Une clé d’accès a été ajoutée à votre compte',
    greeting(''),
    `Quelqu’un a ajouté une clé d’accès à votre compte${whenOf('fr', mail)}, lors d’une connexion sans votre second facteur. Cette clé ne comptera donc comme second facteur qu’après ${mail.linkHours} heures ; d’ici là, elle remplace uniquement le mot de passe.`,
    OWN_ACT,
    'Ce n’était pas vous ? Supprimez-la avec ce lien :',
    { link: mail.link, label: 'Supprimer la clé d’accès' },
    undoing(mail.linkHours),
    LEADS.fr.newPassword,
  ],
  passkeyGoing: (mail) => [
    'Une clé d’accès de votre compte va être supprimée',
    greeting(''),
    `Quelqu’un a demandé${whenOf('fr', mail)} la suppression d’une clé d’accès de votre compte, lors d’une connexion sans votre second facteur. La clé ne disparaîtra donc qu’après ${mail.linkHours} heures ; d’ici là, elle continue de fonctionner.`,
    OWN_ACT,
    'Ce n’était pas vous ? Conservez-la avec ce lien :',
    { link: mail.link, label: 'Conserver la clé d’accès' },
    undoing(mail.linkHours),
    LEADS.fr.newPassword,
  ],
  notification: (mail) => [mail.subject, mail.text, ...newsLead('fr', mail), whyTold(mail)],
  linkedNotification: (mail) => [
    mail.subject,
    mail.text,
    ...newsLead('fr', mail),
    { link: mail.links, label: 'Ouvrir le document' },
    `Toute personne qui dispose d’un tel lien peut ouvrir le document. Le lien est valable un an, tant que cette adresse est un contact de l’organisation ${mail.organisation}.`,
    whyTold(mail),
  ],
  ownNotification: (mail) => [
    mail.subject,
    mail.text,
    ...newsLead('fr', mail),
    `Vous recevez ce message parce que cette adresse est le nom d’utilisateur de votre compte chez ${mail.organisation}.`,
  ],
  nameProof: (mail) => [
    'Confirmez votre nom d’utilisateur',
    greeting(''),
    'Cette adresse e-mail a été indiquée comme nom d’utilisateur d’un compte chez nous. Confirmez que c’est la vôtre avec ce lien et le mot de passe du compte :',
    { link: mail.link, label: 'Confirmer le nom d’utilisateur' },
    `Le lien est valable ${mail.linkHours} heures et ne fonctionne qu’une fois. Le compte fonctionne aussi sans confirmation, mais les autres services ne le connaissent pas encore sous ce nom.`,
    'Ce compte n’est pas le vôtre ? Vous pouvez en retirer votre adresse sur la page que le lien ouvre.',
  ],
  unprovedNotification: (mail) => [
    mail.subject,
    mail.text,
    'Vous recevez ce message parce que cette adresse a été indiquée comme nom d’utilisateur d’un compte chez nous. Personne ne l’a encore confirmée ; c’est pourquoi ce message ne cite aucun nom. Vous en saurez plus dans le panneau de contrôle.',
    LEADS.fr.panel,
  ],
};
