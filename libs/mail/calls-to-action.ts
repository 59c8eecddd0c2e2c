import type { CallToAction, MailLanguage } from './mail.types';

/** The buttons to pages of the settings. */
export const CALLS_TO_ACTION: Readonly<
  Record<MailLanguage, Readonly<Record<'logIn' | 'panel' | 'newPassword', CallToAction>>>
> = {
  nl: {
    logIn: { callToAction: 'panel', label: 'Inloggen' },
    panel: { callToAction: 'panel', label: 'Naar het klantenpaneel' },
    newPassword: { callToAction: 'newPassword', label: 'Nieuw wachtwoord kiezen' },
  },
  en: {
    logIn: { callToAction: 'panel', label: 'Log in' },
    panel: { callToAction: 'panel', label: 'Go to the control panel' },
    newPassword: { callToAction: 'newPassword', label: 'Choose a new password' },
  },
  fr: {
    logIn: { callToAction: 'panel', label: 'Se connecter' },
    panel: { callToAction: 'panel', label: 'Ouvrir le panneau de contrôle' },
    newPassword: { callToAction: 'newPassword', label: 'Choisir un nouveau mot de passe' },
  },
};
