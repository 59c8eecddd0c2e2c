import type { CredentialKind } from '../context/request-context';
import type { Caller } from './caller';

/** SQL condition: the grant has not ended. */
export const isInForce = (grant: string): string =>
  `(${grant}.expires_at IS NULL OR ${grant}.expires_at > now())`;

/** SQL for a user of an organisation, and for the kind and id of what the user presents. */
export interface GrantUser {
  readonly id: string;
  readonly organisation: string;
  readonly credential: string;
  readonly credentialId: string;
}

/** SQL condition: the user uses the grant of the organisation, by the rule that the guard asks too. */
export const usesGrantOf = (
  grantor: string,
  { id, organisation, credential, credentialId }: GrantUser,
): string =>
  `used_grant(${id}, ${organisation}, ${grantor}, ${credential}, ${credentialId}) @> '{"lacksSecondFactor": false}'`;

/** SQL for the organisations whose grants the user uses, by the same rule: once for a whole list. */
export const usedGrantors = ({ id, organisation, credential, credentialId }: GrantUser): string =>
  `SELECT used.grantor FROM used_grants(${id}, ${organisation}, ${credential}, ${credentialId}) used
    WHERE NOT used.lacks_second_factor`;

/** The values of the user, of the kind and of the id of the credential; null for who uses no grants. */
export const grantUserValues = ({
  usesGrants,
  userId,
  credential: { kind, id },
}: Pick<Caller, 'usesGrants' | 'userId' | 'credential'>):
  readonly [number, CredentialKind, number] | readonly [null, null, null] =>
  usesGrants && userId !== null ? [userId, kind, id] : [null, null, null];
