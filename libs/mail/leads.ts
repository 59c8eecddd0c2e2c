import type { Lead, MailLanguage } from './mail.types';

/** The buttons to pages of the settings. */
export const LEADS: Readonly<
  Record<MailLanguage, Readonly<Record<'logIn' | 'panel' | 'newPassword', Lead>>>
> = {
  nl: {
    logIn: { lead: 'panel', label: 'Inloggen' },
    panel: { lead: 'panel', label: 'Naar het klantenpaneel' },
    newPassword: { lead: 'newPassword', label: 'Nieuw wachtwoord kiezen' },
  },
  en: {
    logIn: { lead: 'panel', label: 'Log in' },
    panel: { lead: 'panel', label: 'Go to the control panel' },
    newPassword: { lead: 'newPassword', label: 'Choose a new password' },
  },
  fr: {
    logIn: { lead: 'panel', label: 'Se connecter' },
    panel: { lead: 'panel', label: 'Ouvrir le panneau de contrôle' },
    newPassword: { lead: 'newPassword', label: 'Choisir un nouveau mot de passe' },
  },
};
