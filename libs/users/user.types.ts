import type { OrderOf } from '@app/core/paging/column-table';
import type { USER_COLUMNS } from './user.columns';
import type { Role } from '@app/core/access/roles';
import type { Reseller } from '@app/organisations/organisation.types';
import type { Language } from './languages';
import type { SecondFactor } from './user.entity';

/** A user in the list of an organisation's users. */
export interface UserItem {
  readonly id: number;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly roles: readonly Role[];
}

/** A team that a user is a member of. */
export interface TeamOfUser {
  readonly id: number;
  readonly name: string;
  readonly autoAddSshkey: boolean;
}

/** The organisation of a user, as responses about the user show it. */
export interface OrganisationOfUser {
  readonly id: number;
  readonly name: string;
  readonly street: string;
  readonly houseNumber: string;
  readonly zip: string;
  readonly city: string;
  readonly countryCode: string | null;
  readonly reseller: Reseller | null;
  readonly organisationType: number;
  readonly updateEntitiesOnly: boolean;
  readonly prePaymentRequired: boolean;
  readonly externalInfoRequired: number;
  readonly agencyMode: number;
}

/** A user with everything that any response shows. */
export interface UserDetails extends UserItem {
  readonly language: Language;
  readonly enabled: boolean;
  readonly secondFactor: SecondFactor;
  readonly organisation: OrganisationOfUser;
  readonly teams: readonly TeamOfUser[];
}

/** What lists of users can be ordered by. */
export type UserOrder = OrderOf<typeof USER_COLUMNS>;

/** What `PATCH …/users/{userId}` changes; undefined stays as it is. */
export interface UserChanges {
  username: string;
  firstName: string;
  lastName: string;
  roles?: string[];
  language?: Language;
  websiteOrderInformation?: string | null;
  /** Asked of users who change their own name. */
  proof: StepUpProof;
}

/** With `STEP_UP`: what a user proves itself with beside its login. */
export interface StepUpProof {
  readonly password: string | undefined;
  /** The six digits of the authenticator, where the user has one. */
  readonly code: string | undefined;
}

/** Body of `…/actions`. */
export interface UserAction {
  type: 'enable' | 'disable';
}

/** Body of `…/changepassword`. */
export interface PasswordChange {
  oldPassword: string;
  newPassword: string;
}
