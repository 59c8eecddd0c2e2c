import type { OrderOf } from '@app/core/paging/column-table';
import type { INVITATION_COLUMNS } from './invitation.columns';
import type { Role } from '@app/core/access/roles';
import type { PasswordRules } from '@app/core/passwords/password-rules';
import type { Language } from '@app/users/languages';

/** Where an invitation stands, by the database's clock. */
export type InvitationState = 'open' | 'accepted' | 'expired';

/** An invitation as responses show it. */
export interface InvitationDetails {
  readonly id: number;
  readonly organisationId: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
  readonly state: InvitationState;
}

/** What lists of invitations can be ordered by. */
export type InvitationOrder = OrderOf<typeof INVITATION_COLUMNS>;

/** Body of `POST` and `PUT …/invitations`; on PUT, undefined stays as it is. */
export interface InvitationInput {
  email: string;
  firstName: string;
  lastName: string;
  language?: Language;
  /** Names of roles, not yet checked. */
  autoRoles?: string[];
  /** Ids of teams as text, not yet checked; Variant A only. */
  autoTeams?: string[];
}

/** Body of `POST /registerInvitation/{token}`. */
export interface Registration {
  email: string;
  organisationId: number;
  invitationId: number;
  password: string;
}

/** An invitation that somebody wants to register with. */
export interface InvitationToAccept {
  readonly id: number;
  readonly organisationId: number;
  readonly organisationName: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly tokenDigest: Buffer;
  /** `withdrawn`: deleted while it was open; `orphaned`: its organisation is deleted; `suspended`: that lets nobody in. */
  readonly state: InvitationState | 'withdrawn' | 'orphaned' | 'suspended';
}

/** What whoever registers has to be shown before. */
export interface RegistrationForm {
  readonly invitation: InvitationToAccept;
  readonly passwordRules: PasswordRules;
}

/** What an accepted invitation says of the user to be. */
export interface AcceptedInvitation {
  readonly inviterId: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
  readonly autoRoles: readonly Role[];
  readonly autoTeams: readonly number[];
}
