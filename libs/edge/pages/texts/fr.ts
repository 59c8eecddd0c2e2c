import type { PageTexts } from './en';

/** The pages in French. */
export const FRENCH_PAGES: PageTexts = {
  errorPrefix: 'Erreur : ',
  checkForm: (count) => (count === 1 ? '1 erreur à corriger' : `${count} erreurs à corriger`),
  buttons: {
    logIn: 'Se connecter',
    newPassword: 'Choisir un nouveau mot de passe',
    newLink: 'Demander un nouveau lien',
    anotherTry: 'Saisir un autre nom',
  },
  labels: {
    username: 'Nom d’utilisateur',
    name: 'Nom',
    organisation: 'Organisation',
    sender: 'Expéditeur',
    inviter: 'Invitation de',
    password: 'Mot de passe',
    newPassword: 'Nouveau mot de passe',
    repeated: 'Le même mot de passe, encore une fois',
    time: 'Date et heure',
    address: 'Adresse IP',
    country: 'Pays',
    system: 'Système',
    browser: 'Navigateur',
  },
  passwordRules: (rules) => [
    `de ${rules.minCharacters} à ${rules.maxCharacters} caractères`,
    ...(rules.needsCapital ? ['au moins une majuscule'] : []),
    ...(rules.needsDigit ? ['au moins un chiffre'] : []),
    ...(rules.needsSpecial ? ['au moins un caractère spécial, comme\u00a0!\u00a0ou\u00a0-'] : []),
    'sans espace, deux-points, guillemet ni apostrophe',
    'ni votre nom d’utilisateur ni sa partie avant le @',
  ],
  faults: {
    REQUIRED: () => 'Saisissez un mot de passe.',
    TOO_SHORT: (rules) =>
      `Le mot de passe est trop court : utilisez au moins ${rules.minCharacters} caractères.`,
    TOO_LONG: (rules) =>
      `Le mot de passe est trop long : utilisez au plus ${rules.maxCharacters} caractères, et moins avec des émojis ou des lettres accentuées.`,
    DIGIT_MISSING: () => 'Le mot de passe doit contenir au moins un chiffre.',
    CAPITAL_MISSING: () => 'Le mot de passe doit contenir au moins une majuscule.',
    SPECIAL_CHARACTER_MISSING: () =>
      'Le mot de passe doit contenir au moins un caractère spécial, comme ! ou -.',
    FORBIDDEN_CHARACTER: () =>
      'Le mot de passe contient une espace, un deux-points, un guillemet ou une apostrophe.',
    USERNAME_AS_PASSWORD: () => 'Le mot de passe est votre nom d’utilisateur, ou sa partie avant le @.',
    NOT_STORABLE: () => 'Le mot de passe contient un caractère qui ne peut pas être utilisé.',
    PRESENT_PASSWORD: () => 'C’est le mot de passe que vous avez déjà. Choisissez-en un autre.',
    MISMATCH: () => 'Les deux mots de passe sont différents.',
    other: () => 'Cette valeur ne peut pas être utilisée.',
  },
  invitation: {
    title: (organisation) => `Invitation à rejoindre ${organisation}`,
    intro: (organisation) =>
      `Vous avez reçu une invitation à rejoindre ${organisation}. Choisissez un mot de passe pour créer votre compte.`,
    submit: 'Créer le compte',
    done: (username) => ({
      title: 'Votre compte est prêt',
      text: `Vous pouvez maintenant vous connecter avec le nom d’utilisateur ${username} et votre mot de passe.`,
    }),
    taken: (username) => ({
      title: 'Vous avez déjà un compte',
      text: `L’adresse e-mail ${username} appartient déjà à un utilisateur. Vous pouvez vous connecter avec cette adresse.`,
    }),
    reserved: (username) => ({
      title: 'Cette invitation ne peut pas être utilisée pour le moment',
      text:
        `L’adresse e-mail ${username} était jusqu’à récemment le nom d’utilisateur d’un compte et ` +
        'lui reste réservée pendant un certain temps. Demandez à la personne qui vous l’a envoyée ' +
        'une invitation pour une autre adresse.',
    }),
    unknown: {
      title: 'Ce lien ne fonctionne pas',
      text:
        'Le lien est inconnu. Un e-mail plus récent l’a peut-être remplacé, ou l’invitation a été ' +
        'retirée. Ouvrez le lien complet du dernier e-mail, ou adressez-vous à la personne qui vous ' +
        'a envoyé l’invitation.',
    },
  },
  ask: {
    title: 'Demander un nouveau mot de passe',
    intro:
      'Saisissez votre nom d’utilisateur ; c’est généralement votre adresse e-mail. Vous recevrez un e-mail avec un lien pour choisir un nouveau mot de passe.',
    missing: 'Saisissez votre nom d’utilisateur, de 254 caractères au plus.',
    submit: 'Envoyer le lien',
    done: {
      title: 'Consultez votre messagerie',
      text:
        'Si ce nom d’utilisateur correspond à un compte, vous allez recevoir un e-mail avec un lien. ' +
        'Pas d’e-mail ? Regardez aussi dans les courriers indésirables et vérifiez que vous avez ' +
        'saisi le bon nom d’utilisateur.',
    },
  },
  password: {
    title: 'Réinitialiser votre mot de passe',
    intro: 'Choisissez un nouveau mot de passe pour votre compte.',
    note: 'Toutes les connexions et tous les appareils de confiance du compte prennent fin. Les clés API restent valables.',
    /** The reset gives the former name back. */
    noteOfFormerName: (username) =>
      'Toutes les connexions et tous les appareils de confiance du compte prennent fin. Votre nom ' +
      `d’utilisateur redevient ${username}. Les clés API, contacts, clés SSH et seconds facteurs ` +
      'ajoutés au compte dans la semaine précédant le changement du nom d’utilisateur ou depuis ' +
      'sont supprimés.',
    submit: 'Enregistrer le mot de passe',
    done: (username) => ({
      title: 'Votre mot de passe a été changé',
      text: `Vous pouvez maintenant vous connecter avec le nom d’utilisateur ${username} et votre nouveau mot de passe.`,
    }),
  },
  /** Verifies a new user name. */
  usernameLink: {
    title: 'Confirmez votre nom d’utilisateur',
    intro: (username: string) =>
      `${username} a été indiqué comme nom d’utilisateur d’un compte. Est-ce votre compte ? ` +
      'Confirmez-le avec le mot de passe que vous utilisez pour vous connecter.',
    password: 'Mot de passe du compte',
    missing: 'Saisissez le mot de passe du compte.',
    wrongPassword: 'Ce n’est pas le mot de passe du compte.',
    submit: 'Confirmer le nom d’utilisateur',
    done: (username: string) => ({
      title: 'Votre nom d’utilisateur est confirmé',
      text: `Vous vous connectez avec ${username}. Les autres services vous connaissent désormais sous ce nom.`,
    }),
  },
  endLogin: {
    title: 'Mettre fin à cette connexion',
    intro: 'Une personne s’est connectée à votre compte. Ce n’était pas vous ? Mettez fin à cette connexion.',
    submit: 'Mettre fin à la connexion',
    done: {
      title: 'La connexion a pris fin',
      text: 'Ce n’était pas vous ? Choisissez immédiatement un nouveau mot de passe : quelqu’un connaît peut-être le vôtre.',
    },
    ended: {
      title: 'Cette connexion a déjà pris fin',
      text: 'Il n’y a plus rien à faire ici. Ce n’était pas vous ? Choisissez immédiatement un nouveau mot de passe : quelqu’un connaît peut-être le vôtre.',
    },
    expired: {
      title: 'Ce lien a expiré',
      text:
        'La connexion est toujours ouverte. Ce n’était pas vous ? Choisissez immédiatement un ' +
        'nouveau mot de passe : cela met fin à toutes vos autres connexions.',
    },
  },
  document: {
    intro: 'Votre document est prêt.',
    download: (kind, size) => `Télécharger le ${kind} (${size})`,
    note: 'Toute personne qui dispose du lien vers cette page peut ouvrir le document.',
  },
  errors: {
    NOT_FOUND: {
      title: 'Ce lien ne fonctionne pas',
      text: 'Le lien est inconnu. Vérifiez que vous avez ouvert le lien entier de l’e-mail.',
    },
    INVITATION_ACCEPTED: {
      title: 'Cette invitation a déjà été utilisée',
      text: 'Le compte existe. Vous pouvez vous connecter avec votre adresse e-mail et votre mot de passe.',
    },
    INVITATION_EXPIRED: {
      title: 'Cette invitation a expiré',
      text: 'Demandez une nouvelle invitation à la personne qui vous a envoyé celle-ci.',
    },
    INVITATION_ENDED: {
      title: 'Cette invitation ne peut pas être utilisée maintenant',
      text: 'Vous venez de créer votre compte ? Vous pouvez vous connecter. Sinon, adressez-vous à la personne qui vous a envoyé l’invitation.',
    },
    INVITATION_ORPHANED: {
      title: 'Cette invitation n’est plus valable',
      text: 'L’organisation qui vous a envoyé l’invitation n’existe plus.',
    },
    INVITATION_MISMATCH: {
      title: 'Cette invitation n’est plus valable',
      text: 'Demandez une nouvelle invitation à la personne qui vous a envoyé celle-ci.',
    },
    LIMIT_REACHED: {
      title: 'Votre compte ne peut pas être créé',
      text: 'L’organisation a atteint le nombre maximal d’utilisateurs. Adressez-vous à la personne qui vous a envoyé l’invitation.',
    },
    REQUEST_EXPIRED: {
      title: 'Ce lien n’est plus valable',
      text:
        'Il a été utilisé, a expiré ou a été remplacé par un plus récent. Vous venez de choisir un ' +
        'nouveau mot de passe ? Vous pouvez vous connecter. Sinon, demandez un nouveau lien.',
    },
    NAME_LINK_ENDED: {
      title: 'Ce lien n’est plus valable',
      text:
        'Il a été utilisé, a expiré, ou le compte porte désormais un autre nom d’utilisateur. ' +
        'Enregistrez à nouveau votre nom d’utilisateur dans le panneau de contrôle pour recevoir un ' +
        'nouveau lien.',
    },
    TOO_MANY_ATTEMPTS: {
      title: 'Trop de tentatives',
      text: 'Trop de pages ont été ouvertes depuis votre réseau.',
    },
    UNAVAILABLE: {
      title: 'Cette page n’est pas disponible actuellement',
      text: 'Rien n’a été modifié. Le lien reste valable.',
    },
    OUTCOME_UNKNOWN: {
      title: 'Le résultat n’est pas certain',
      text: 'Ouvrez encore une fois le lien : la page indique s’il a été utilisé.',
    },
    INTERNAL_ERROR: {
      title: 'Une erreur s’est produite',
      text: 'L’erreur vient de nous. Réessayez plus tard.',
    },
    other: {
      title: 'Le formulaire n’a pas pu être lu',
      text: 'Ouvrez encore une fois le lien de l’e-mail.',
    },
  },
  tryAgain: (wait) => `Réessayez dans ${wait}.`,
  requestId: (id) => `Numéro de cette demande, pour vos questions : ${id}`,
};
