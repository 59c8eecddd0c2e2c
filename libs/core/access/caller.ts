import type { Role } from './roles';

/** The credential that a request carries. */
export interface PresentedCredential {
  readonly kind: 'login' | 'api_key';
  readonly id: number;
}

/** The user whose credential a request carries, as of this very request. */
export interface Caller {
  readonly credential: PresentedCredential;
  readonly userId: number;
  readonly organisationId: number;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly roles: readonly Role[];
  /** Whether another organisation granted access to the caller's: lists then take the longer way. */
  readonly hasGrants: boolean;
}

export const isAdmin = (caller: Pick<Caller, 'roles'>): boolean => caller.roles.includes('ROLE_ADMIN');

export const isCustadmin = (caller: Pick<Caller, 'roles'>): boolean =>
  caller.roles.includes('ROLE_CUSTADMIN');
