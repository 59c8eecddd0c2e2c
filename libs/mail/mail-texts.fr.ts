import type { MailTexts, MailValues } from './mail.types';

/** Without the name in mails to an address that nobody has proved. */
const greeting = (firstName: string): string => (firstName === '' ? 'Bonjour,' : `Bonjour ${firstName},`);

/** Facts about the login. */
const loginFacts = (mail: MailValues<'newLogin'>): string[] => [
  greeting(mail.firstName),
  `Une connexion à votre compte ${mail.username} a eu lieu depuis un réseau qui n’a pas été utilisé pour votre compte ces 30 derniers jours :`,
  [
    `Quand : ${mail.at}`,
    `Adresse IP : ${mail.address}`,
    `Pays : ${orUnknown(mail.country)}`,
    `Système : ${orUnknown(mail.system)}`,
    `Navigateur : ${orUnknown(mail.browser)}`,
  ].join('\n'),
];

const orUnknown = (word: string): string => (word === '' ? 'inconnu' : word);

/** What every link about a second factor does. */
const undoing = (hours: string): string =>
  `Le lien est valable ${hours} heures et ne fonctionne qu’une fois. Il met aussi fin aux connexions établies depuis. Choisissez ensuite un nouveau mot de passe : quelqu’un connaît le vôtre.`;

/** The mails in French. */
export const FRENCH: MailTexts = {
  reset: (mail) => [
    'Réinitialiser votre mot de passe',
    greeting(mail.firstName),
    'La réinitialisation de votre mot de passe a été demandée. Choisissez un nouveau mot de passe avec ce lien :',
    { link: mail.link, label: 'Choisir un nouveau mot de passe' },
    `Le lien est valable ${mail.linkMinutes} minutes et ne fonctionne qu’une fois.`,
    `Un code de confirmation vous est demandé ? Le voici : ${mail.code}. Il est valable ${mail.codeMinutes} minutes et ne fonctionne qu’une fois. Ne le communiquez à personne.`,
    'Vous n’avez rien demandé ? Vous n’avez rien à faire : votre mot de passe ne change pas.',
  ],
  invitation: (mail) => [
    `Invitation à rejoindre ${mail.organisation}`,
    `Bonjour ${mail.firstName},`,
    `Vous êtes invité à devenir utilisateur de ${mail.organisation}. Créez votre compte avec ce lien :`,
    { link: mail.link, label: 'Créer le compte' },
    `Le lien est valable jusqu’au ${mail.endDate} et ne fonctionne qu’une fois.`,
    `L’invitation vient de ${mail.inviter}.`,
    'Vous n’attendez pas d’invitation ? Ignorez simplement cet e-mail.',
  ],
  usernameChanged: (mail) => [
    'Votre nom d’utilisateur a changé',
    `Bonjour ${mail.firstName},`,
    `Le nom d’utilisateur de votre compte a changé. Vous ne pouvez plus vous connecter avec ${mail.username}.`,
    'Ce changement a eu lieu à votre insu ? Contactez-nous immédiatement.',
  ],
  ownNameChanged: (mail) => [
    'Votre nom d’utilisateur a changé',
    `Bonjour ${mail.firstName},`,
    `Le nom d’utilisateur de votre compte a été changé par une personne connectée à votre compte. Vous ne pouvez plus vous connecter avec ${mail.username}.`,
    'Ce n’était pas vous ? Reprenez alors votre compte avec ce lien, qui définit un nouveau mot de passe et rétablit l’ancien nom d’utilisateur :',
    { link: mail.link, label: 'Reprendre le compte' },
    `Le lien est valable ${mail.linkHours} heures et ne fonctionne qu’une fois, même si votre mot de passe a été changé entre-temps. Il met fin à toutes les connexions, clés API et appareils de confiance, et supprime les contacts, les clés SSH et la connexion à deux facteurs ajoutés depuis.`,
    'C’était vous ? Alors vous n’avez rien à faire.',
  ],
  newLogin: (mail) => [
    'Nouvelle connexion à votre compte',
    ...loginFacts(mail),
    'C’était vous ? Alors vous n’avez rien à faire.',
    'Ce n’était pas vous ? Mettez alors fin à cette connexion dans le panneau de contrôle, dans la liste de vos connexions, et choisissez un nouveau mot de passe. Cela met fin à toutes les autres connexions.',
    { lead: 'panel', label: 'Ouvrir le panneau de contrôle' },
  ],
  newLoginWithLink: (mail) => [
    'Nouvelle connexion à votre compte',
    ...loginFacts(mail),
    'C’était vous ? Alors vous n’avez rien à faire.',
    'Ce n’était pas vous ? Mettez alors fin à cette connexion avec ce lien :',
    { link: mail.link, label: 'Mettre fin à la connexion' },
    `Le lien est valable ${mail.linkHours} heures et ne fonctionne qu’une fois. Il ne met fin qu’à cette connexion. Choisissez ensuite un nouveau mot de passe : la personne qui s’est connectée connaît peut-être le vôtre.`,
    { lead: 'newPassword', label: 'Choisir un nouveau mot de passe' },
  ],
  authenticatorAdded: (mail) => [
    'La connexion à deux facteurs a été activée pour votre compte',
    'Bonjour,',
    'La connexion à deux facteurs a été activée pour votre compte. Désormais, chaque connexion demande un code de l’application d’authentification.',
    'C’était vous ? Alors vous n’avez rien à faire.',
    'Ce n’était pas vous ? Désactivez-la alors avec ce lien, sinon vous ne pourrez plus vous connecter :',
    { link: mail.link, label: 'Désactiver' },
    undoing(mail.linkHours),
    { lead: 'newPassword', label: 'Choisir un nouveau mot de passe' },
  ],
  passkeyAdded: (mail) => [
    'Une clé d’accès a été ajoutée à votre compte',
    'Bonjour,',
    'Une clé d’accès a été ajoutée à votre compte. Elle permet de se connecter sans mot de passe et sans code.',
    'C’était vous ? Alors vous n’avez rien à faire.',
    'Ce n’était pas vous ? Supprimez-la alors avec ce lien :',
    { link: mail.link, label: 'Supprimer la clé d’accès' },
    undoing(mail.linkHours),
    { lead: 'newPassword', label: 'Choisir un nouveau mot de passe' },
  ],
  passkeyAddedLater: (mail) => [
    'Une clé d’accès a été ajoutée à votre compte',
    'Bonjour,',
    `Une clé d’accès a été ajoutée à votre compte, avec une connexion sans votre second facteur. Elle ne compte donc comme second facteur que dans ${mail.linkHours} heures ; d’ici là, elle ne vaut que le mot de passe.`,
    'C’était vous ? Alors vous n’avez rien à faire.',
    'Ce n’était pas vous ? Supprimez-la alors avec ce lien :',
    { link: mail.link, label: 'Supprimer la clé d’accès' },
    undoing(mail.linkHours),
    { lead: 'newPassword', label: 'Choisir un nouveau mot de passe' },
  ],
  passkeyGoing: (mail) => [
    'Une clé d’accès de votre compte va être supprimée',
    'Bonjour,',
    `Une clé d’accès de votre compte a été supprimée, avec une connexion sans votre second facteur. Elle ne disparaît donc que dans ${mail.linkHours} heures ; d’ici là, elle fonctionne.`,
    'C’était vous ? Alors vous n’avez rien à faire.',
    'Ce n’était pas vous ? Conservez-la alors avec ce lien :',
    { link: mail.link, label: 'Conserver la clé d’accès' },
    undoing(mail.linkHours),
    { lead: 'newPassword', label: 'Choisir un nouveau mot de passe' },
  ],
  notification: (mail) => [
    mail.subject,
    mail.text,
    `Vous recevez ce message en tant que contact de ${mail.organisation}. Vos contacts indiquent quels messages vous recevez.`,
  ],
  linkedNotification: (mail) => [
    mail.subject,
    mail.text,
    { link: mail.links, label: 'Ouvrir le document' },
    `Toute personne qui dispose d’un tel lien peut ouvrir le document. Il est valable un an, tant que cette adresse est un contact de ${mail.organisation}.`,
    `Vous recevez ce message en tant que contact de ${mail.organisation}. Vos contacts indiquent quels messages vous recevez.`,
  ],
  ownNotification: (mail) => [
    mail.subject,
    mail.text,
    `Vous recevez ce message parce que cette adresse est le nom d'utilisateur de votre compte chez ${mail.organisation}.`,
  ],
  nameProof: (mail) => [
    'Confirmez votre nom d’utilisateur',
    'Bonjour,',
    'Cette adresse e-mail a été indiquée comme nom d’utilisateur d’un compte chez nous. Confirmez qu’elle est la vôtre avec ce lien et le mot de passe du compte :',
    { link: mail.link, label: 'Confirmer le nom d’utilisateur' },
    `Le lien est valable ${mail.linkHours} heures et ne fonctionne qu’une fois. Le compte fonctionne aussi sans confirmation, mais les autres services ne le connaissent pas encore sous ce nom.`,
    'Vous n’avez pas de tel compte ? La page du lien en retire alors votre adresse.',
  ],
  unprovedNotification: (mail) => [
    mail.subject,
    mail.text,
    'Vous recevez ce message parce que cette adresse a été indiquée comme nom d’utilisateur d’un compte chez nous. Personne ne l’a encore confirmée. C’est pourquoi ce message ne cite aucun nom. Le panneau de contrôle contient le reste.',
  ],
};
