/** A text in each language. */
export type Phrase = readonly [dutch: string, english: string, french: string];

/** Headings of the events that the service itself records, by class and type. */
export const HEADINGS: Readonly<Record<string, Phrase>> = {
  'Invitation.new': ['Nieuwe uitnodiging', 'New invitation', 'Nouvelle invitation'],
  'Invitation.changed': [
    'Uitnodiging gaat naar een ander adres',
    'Invitation goes to another address',
    'Invitation envoyée à une autre adresse',
  ],
  'User.new': ['Nieuwe gebruiker', 'New user', 'Nouvel utilisateur'],
  'SshKey.new': ['Nieuwe SSH-sleutel', 'New SSH key', 'Nouvelle clé SSH'],
  'SshKey.changed': ['SSH-sleutel vervangen', 'SSH key replaced', 'Clé SSH remplacée'],
  'ApiKey.new': ['Nieuwe API-sleutel', 'New API key', 'Nouvelle clé API'],
  'ApiKey.rotated': ['API-sleutel vervangen', 'API key rotated', 'Clé API remplacée'],
  'ApiKey.changed': [
    'API-sleutel werkt vanaf meer adressen',
    'API key works from more addresses',
    'Clé API utilisable depuis davantage d’adresses',
  ],
  'ApiKey.ends_in_30_days': [
    'API-sleutel verloopt binnen 30 dagen',
    'API key ends within 30 days',
    'Clé API expirant dans les 30 jours',
  ],
  'ApiKey.ends_in_7_days': [
    'API-sleutel verloopt binnen 7 dagen',
    'API key ends within 7 days',
    'Clé API expirant dans les 7 jours',
  ],
  'ServiceKey.new': ['Nieuwe servicesleutel', 'New service key', 'Nouvelle clé de service'],
  'ServiceKey.rotated': ['Servicesleutel vervangen', 'Service key rotated', 'Clé de service remplacée'],
  'ServiceKey.changed': [
    'Servicesleutel mag meer dan voorheen',
    'Service key may do more than before',
    'Clé de service aux droits étendus',
  ],
  'ServiceKey.ends_in_30_days': [
    'Servicesleutel verloopt binnen 30 dagen',
    'Service key ends within 30 days',
    'Clé de service expirant dans les 30 jours',
  ],
  'ServiceKey.ends_in_7_days': [
    'Servicesleutel verloopt binnen 7 dagen',
    'Service key ends within 7 days',
    'Clé de service expirant dans les 7 jours',
  ],
  'Webhook.new': ['Nieuwe webhook', 'New webhook', 'Nouveau webhook'],
  'Webhook.rotated': [
    'Geheim van webhook vervangen',
    'Secret of webhook rotated',
    'Secret du webhook remplacé',
  ],
  'Webhook.changed': [
    'Webhook heeft een andere ontvanger, of meldt meer dan voorheen',
    'Webhook has another receiver, or tells more than before',
    'Webhook au destinataire modifié, ou qui signale davantage',
  ],
  'Webhook.switched_off': [
    'Webhook uitgeschakeld: de ontvanger antwoordt niet',
    'Webhook switched off: its receiver does not answer',
    'Webhook désactivé : son destinataire ne répond pas',
  ],
  'User.password_changed': ['Wachtwoord gewijzigd', 'Password changed', 'Mot de passe modifié'],
  'User.support_login': [
    'Klantenservice kijkt mee in een account',
    'Support staff look into an account',
    'Le service d’assistance consulte un compte',
  ],
  'User.support_login_write': [
    'Klantenservice werkt in een account',
    'Support staff work in an account',
    'Le service d’assistance intervient sur un compte',
  ],
  'User.2fa_disabled': [
    'Aanmelden in twee stappen uitgeschakeld',
    'Two-factor login switched off',
    'Connexion à deux facteurs désactivée',
  ],
  'User.2fa_enabled': [
    'Aanmelden in twee stappen ingeschakeld',
    'Two-factor login switched on',
    'Connexion à deux facteurs activée',
  ],
  'User.2fa_lost': [
    'Laatste tweede factor verwijderd door een link of een nieuw wachtwoord: de enige beheerder stelt na drie dagen een nieuwe in',
    'Last second factor removed by a link or a new password: the only manager sets up another after three days',
    'Dernier second facteur supprimé par un lien ou un nouveau mot de passe : le seul gestionnaire en configure un autre après trois jours',
  ],
  'User.codes_guessed': [
    'Iemand kent het wachtwoord: vandaag tien verkeerde codes na het juiste wachtwoord',
    'Somebody knows the password: ten wrong codes today after the right password',
    'Quelqu’un connaît le mot de passe : dix codes erronés aujourd’hui après le bon mot de passe',
  ],
  'User.recovery_codes_made': [
    'Nieuwe herstelcodes gemaakt',
    'New recovery codes made',
    'Nouveaux codes de récupération',
  ],
  'User.recovery_code_used': ['Herstelcode gebruikt', 'Recovery code used', 'Code de récupération utilisé'],
  'Passkey.new': ['Nieuwe passkey', 'New passkey', 'Nouvelle clé d’accès'],
  'Passkey.removed': ['Passkey verwijderd', 'Passkey removed', 'Clé d’accès supprimée'],
  'Passkey.removal_begun': [
    'Passkey wordt over drie dagen verwijderd',
    'Passkey will be removed in three days',
    'Clé d’accès supprimée dans trois jours',
  ],
  'Passkey.removal_undone': [
    'Passkey blijft: verwijdering ongedaan gemaakt',
    'Passkey stays: its removal was undone',
    'Clé d’accès conservée : suppression annulée',
  ],
  'Passkey.removed_by_reset': [
    'Passkey verwijderd door het nieuwe wachtwoord: hij was nog geen week oud',
    'Passkey removed by the new password: it was less than a week old',
    'Clé d’accès supprimée avec le nouveau mot de passe : elle datait de moins d’une semaine',
  ],
  'Passkey.counter_back': [
    'Aanmelden met passkey geweigerd: er is mogelijk een kopie in gebruik',
    'Login with passkey refused: a copy may be in use',
    'Connexion par clé d’accès refusée : une copie est peut-être utilisée',
  ],
  'User.name_changed': ['Gebruikersnaam gewijzigd', 'User name changed', "Nom d'utilisateur modifié"],
  'User.name_denied': [
    'Gebruikersnaam geldt niet meer: de eigenaar van het adres kent het account niet',
    'User name no longer counts: the owner of the address does not know the account',
    'Nom d’utilisateur annulé : le titulaire de l’adresse ne connaît pas le compte',
  ],
  'User.name_returned': [
    'Gebruikersnaam teruggezet: wie hem wijzigde, deed dat met een gestolen account',
    'User name put back: it was changed with a stolen account',
    'Nom d’utilisateur rétabli : il avait été modifié avec un compte volé',
  ],
  'User.takeover_ended': [
    'Gebruikersnaam hersteld: wat het account sinds de wijziging maakte, is beëindigd',
    'User name restored: what the account made since the change has ended',
    'Nom d’utilisateur rétabli : ce que le compte a créé depuis le changement a été supprimé',
  ],
  'Organisation.takeover_ended': [
    'Wat hier met een gestolen account is gemaakt, is beëindigd',
    'What was made here with a stolen account has ended',
    'Ce qui a été créé ici avec un compte volé a été supprimé',
  ],
  'User.name_taken': [
    'Gebruikersnaam geldt niet meer: de eigenaar van het adres heeft er een eigen account mee',
    'User name no longer counts: the owner of the address has an account of its own by it',
    'Nom d’utilisateur annulé : le titulaire de l’adresse a désormais son propre compte',
  ],
  'User.told_name_taken': [
    'Vorige gebruikersnaam is nu van een ander account: andere diensten kennen deze gebruiker pas weer na de bevestiging van de nieuwe',
    'Former user name belongs to another account now: other services know this user by name again once the new one is confirmed',
    'L’ancien nom d’utilisateur appartient désormais à un autre compte : les autres services reconnaîtront ce nom après confirmation du nouveau',
  ],
  'Contact.new': ['Nieuw contact', 'New contact', 'Nouveau contact'],
  'Contact.changed': ['Contact gewijzigd', 'Contact changed', 'Contact modifié'],
  'Contact.removed': ['Contact verwijderd', 'Contact removed', 'Contact supprimé'],
  'Contact.security_news_on': [
    'Contact ontvangt voortaan beveiligingsberichten',
    'Contact gets security news from now on',
    'Contact recevant désormais les messages de sécurité',
  ],
  'Contact.security_news_off': [
    'Contact ontvangt geen beveiligingsberichten meer',
    'Contact gets no more security news',
    'Contact ne recevant plus les messages de sécurité',
  ],
  'User.demoted': [
    'Gebruiker is geen beheerder meer en ontvangt geen beveiligingsberichten van de organisatie meer',
    'User is no longer a manager, and gets no more security news of the organisation',
    'Utilisateur qui n’est plus gestionnaire et ne reçoit plus les messages de sécurité de l’organisation',
  ],
  'User.disabled': [
    'Gebruiker geblokkeerd: ontvangt geen beveiligingsberichten van de organisatie meer',
    'User disabled: gets no more security news of the organisation',
    'Utilisateur bloqué : il ne reçoit plus les messages de sécurité de l’organisation',
  ],
  'User.deleted': [
    'Gebruiker verwijderd: ontvangt geen beveiligingsberichten van de organisatie meer',
    'User deleted: gets no more security news of the organisation',
    'Utilisateur supprimé : il ne reçoit plus les messages de sécurité de l’organisation',
  ],
  'Organisation.disabled': [
    'Organisatie geblokkeerd: aanmelden is niet mogelijk',
    'Organisation suspended: nobody can log in',
    'Organisation suspendue : aucune connexion n’est possible',
  ],
  'Organisation.enabled': [
    'Blokkering van organisatie opgeheven: aanmelden is weer mogelijk',
    'Organisation no longer suspended: logging in works again',
    'Suspension de l’organisation levée : la connexion est de nouveau possible',
  ],
  'Grant.given_begun': [
    'Een andere organisatie beheert deze organisatie',
    'Another organisation manages this one',
    'Une autre organisation gère celle-ci',
  ],
  'Grant.given_changed': [
    'Beheer door een andere organisatie gewijzigd',
    'Management by another organisation changed',
    'Gestion par une autre organisation modifiée',
  ],
  'Grant.given_ended': [
    'Beheer door een andere organisatie beëindigd',
    'Management by another organisation ended',
    'Gestion par une autre organisation terminée',
  ],
  'Grant.given_ends_in_7_days': [
    'Beheer door een andere organisatie eindigt binnen 7 dagen',
    'Management by another organisation ends within 7 days',
    'La gestion par une autre organisation prend fin dans les 7 jours',
  ],
  'Grant.reading_begun': [
    'Een andere organisatie leest deze organisatie, toegang gegeven met een sleutel',
    'Another organisation reads this one: access given with a key',
    'Une autre organisation lit celle-ci : accès donné avec une clé',
  ],
  'Grant.reading_changed': [
    'Leestoegang van een andere organisatie verlengd met een sleutel',
    'Reading by another organisation prolonged with a key',
    'Accès en lecture d’une autre organisation prolongé avec une clé',
  ],
  'Grant.received_begun': [
    'Uw organisatie beheert een andere organisatie',
    'Your organisation manages another one',
    'Votre organisation en gère une autre',
  ],
  'Grant.received_changed': [
    'Beheer van een andere organisatie gewijzigd',
    'Management of another organisation changed',
    'Gestion d’une autre organisation modifiée',
  ],
  'Grant.received_ended': [
    'Beheer van een andere organisatie beëindigd',
    'Management of another organisation ended',
    'Gestion d’une autre organisation terminée',
  ],
  'Grant.received_ends_in_7_days': [
    'Beheer van een andere organisatie eindigt binnen 7 dagen',
    'Management of another organisation ends within 7 days',
    'La gestion d’une autre organisation prend fin dans les 7 jours',
  ],
  'Document.sent': ['Nieuw document', 'New document', 'Nouveau document'],
};
