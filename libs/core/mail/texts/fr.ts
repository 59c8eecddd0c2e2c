import type { MailTexts } from './mail-text';

/** The mails in French. */
export const FRENCH: MailTexts = {
  reset: {
    subject: 'Réinitialiser votre mot de passe',
    paragraphs: [
      'Bonjour {{firstName}},',
      'La réinitialisation de votre mot de passe a été demandée. Choisissez un nouveau mot de passe avec ce lien :',
      { link: 'link' },
      'Le lien est valable {{linkMinutes}} minutes et ne fonctionne qu’une fois.',
      'Un code de confirmation vous est demandé ? Le voici : {{code}}. Il est valable {{codeMinutes}} minutes et ne fonctionne qu’une fois. Ne le communiquez à personne.',
      'Vous n’avez rien demandé ? Vous n’avez rien à faire : votre mot de passe ne change pas.',
    ],
  },
  invitation: {
    subject: 'Invitation à rejoindre {{organisation}}',
    paragraphs: [
      'Bonjour {{firstName}},',
      'Vous êtes invité à devenir utilisateur de {{organisation}}. Créez votre compte avec ce lien :',
      { link: 'link' },
      { sinceNewerBuild: 'Le lien est valable jusqu’au {{endDate}} et ne fonctionne qu’une fois.' },
      { sinceNewerBuild: 'L’invitation vient de {{inviter}}.' },
      'Vous n’attendez pas d’invitation ? Ignorez simplement cet e-mail.',
    ],
  },
  usernameChanged: {
    subject: 'Votre nom d’utilisateur a changé',
    paragraphs: [
      'Bonjour {{firstName}},',
      'Le nom d’utilisateur de votre compte a changé. Vous ne pouvez plus vous connecter avec {{username}}.',
      'Ce changement a eu lieu à votre insu ? Contactez-nous immédiatement.',
    ],
  },
  ownNameChanged: {
    subject: 'Votre nom d’utilisateur a changé',
    paragraphs: [
      'Bonjour {{firstName}},',
      'Le nom d’utilisateur de votre compte a été changé par une personne connectée à votre compte. Vous ne pouvez plus vous connecter avec {{username}}.',
      'Ce n’était pas vous ? Reprenez alors votre compte avec ce lien, qui définit un nouveau mot de passe et rétablit l’ancien nom d’utilisateur :',
      { link: 'link' },
      'Le lien est valable {{linkHours}} heures et ne fonctionne qu’une fois, même si votre mot de passe a été changé entre-temps. Il met fin à toutes les connexions, clés API et appareils de confiance, et supprime les contacts, les clés SSH et la connexion à deux facteurs ajoutés depuis.',
      'C’était vous ? Alors vous n’avez rien à faire.',
    ],
  },
  notification: {
    subject: '{{subject}}',
    paragraphs: [
      '{{text}}',
      'Vous recevez ce message en tant que contact de {{organisation}}. Vos contacts indiquent quels messages vous recevez.',
    ],
  },
  linkedNotification: {
    subject: '{{subject}}',
    paragraphs: [
      '{{text}}',
      { link: 'links' },
      'Toute personne qui dispose d’un tel lien peut ouvrir le document. Il est valable un an, tant que cette adresse est un contact de {{organisation}}.',
      'Vous recevez ce message en tant que contact de {{organisation}}. Vos contacts indiquent quels messages vous recevez.',
    ],
  },
  ownNotification: {
    subject: '{{subject}}',
    paragraphs: [
      '{{text}}',
      "Vous recevez ce message parce que cette adresse est le nom d'utilisateur de votre compte chez {{organisation}}.",
    ],
  },
};
