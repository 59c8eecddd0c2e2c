import type { ContactGroup } from '@app/people/contacts/contact.types';
import type { Role } from '@app/security/access/roles';
import type { AnswerLanguage } from './response-language';

/** Descriptions of reference data in one language. */
interface ReferenceTexts {
  readonly roles: Readonly<Record<Role, string>>;
  readonly groups: Readonly<Record<ContactGroup, string>>;
  /** By identifier. The English descriptions come from the table. */
  readonly organisationTypes: Readonly<Record<number, string>>;
}

export const REFERENCE_TEXTS: Readonly<Record<AnswerLanguage, ReferenceTexts>> = {
  en: {
    roles: {
      ROLE_ADMIN: 'Manages everything; only for people of the operator',
      ROLE_CUSTADMIN: 'Manages its organisation and all beneath it',
      ROLE_FINANCE: 'Invoices and payments',
      ROLE_SYSTEM: 'Systems',
      ROLE_DOMAIN: 'Domains',
      ROLE_MAIL: 'Mail',
      ROLE_APP: 'Apps',
    },
    groups: {
      System: 'Logins, keys and systems',
      Domain: 'Domains',
      App: 'Apps',
      Finance: 'Invoices and payments',
      Job: 'Jobs under way',
      Crm: 'People and relations',
      Mail: 'Mail',
    },
    organisationTypes: {},
  },
  nl: {
    roles: {
      ROLE_ADMIN: 'Beheert alles; alleen voor mensen van de aanbieder',
      ROLE_CUSTADMIN: 'Beheert de eigen organisatie en alles daaronder',
      ROLE_FINANCE: 'Facturen en betalingen',
      ROLE_SYSTEM: 'Systemen',
      ROLE_DOMAIN: 'Domeinen',
      ROLE_MAIL: 'E-mail',
      ROLE_APP: 'Apps',
    },
    groups: {
      System: 'Aanmeldingen, sleutels en systemen',
      Domain: 'Domeinen',
      App: 'Apps',
      Finance: 'Facturen en betalingen',
      Job: 'Lopende taken',
      Crm: 'Mensen en relaties',
      Mail: 'E-mail',
    },
    organisationTypes: { 1: 'Klant', 2: 'Wederverkoper', 3: 'Aanbieder' },
  },
  fr: {
    roles: {
      ROLE_ADMIN: 'Gère tout ; réservé aux personnes de l’opérateur',
      ROLE_CUSTADMIN: 'Gère sa propre organisation et tout ce qui en dépend',
      ROLE_FINANCE: 'Factures et paiements',
      ROLE_SYSTEM: 'Systèmes',
      ROLE_DOMAIN: 'Domaines',
      ROLE_MAIL: 'E-mail',
      ROLE_APP: 'Applications',
    },
    groups: {
      System: 'Connexions, clés et systèmes',
      Domain: 'Domaines',
      App: 'Applications',
      Finance: 'Factures et paiements',
      Job: 'Tâches en cours',
      Crm: 'Personnes et relations',
      Mail: 'E-mail',
    },
    organisationTypes: { 1: 'Client', 2: 'Revendeur', 3: 'Opérateur' },
  },
};
