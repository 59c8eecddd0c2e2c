import type { DecidedBy, Evaluation } from '@app/security/access/access-evaluation';

/** Why the user can have no valid credential. */
export type Standing = 'USER_DISABLED' | 'ORGANISATION_SUSPENDED';

/** Why this credential is not valid. */
export type CredentialFault = 'EXPIRED' | 'UNUSED_TOO_LONG' | 'SUPPORT_ENDED';

/** The reasons that end all credentials of a subject. The access query checks the same reasons. */
export const standingOf = (subject: {
  readonly enabled: boolean;
  readonly suspended: boolean;
}): Standing[] => [
  ...(subject.enabled ? [] : ['USER_DISABLED' as const]),
  ...(subject.suspended ? ['ORGANISATION_SUSPENDED' as const] : []),
];

const STANDINGS: Readonly<Record<Standing, string>> = {
  USER_DISABLED: 'The user is disabled: none of its credentials counts.',
  ORGANISATION_SUSPENDED:
    'The organisation of the user is suspended, or one above it with all beneath: no credential of its users counts.',
};

const FAULTS: Readonly<Record<CredentialFault, string>> = {
  EXPIRED: 'The credential has expired.',
  UNUSED_TOO_LONG: 'The login ended because it was not used for too long.',
  SUPPORT_ENDED:
    'The support login ended: its organisation, its user or its staff member does not allow it any more.',
};

/** The part of the privilege table that the verdict comes from. */
const DECIDED_BY: Readonly<Record<DecidedBy, string>> = {
  support: 'A support login may not do the operation, whatever its user may do.',
  operations: 'The service key does not have the operation.',
  apiKey: 'An API key or a service key may not do the operation, whoever it belongs to.',
  serviceKeys:
    'Only a service key of the operator that names the operation itself may do it, and nobody with another credential.',
  self: 'The user is the addressed one: the column of the user itself counts.',
  admin: 'The user holds ROLE_ADMIN: the column of admins counts.',
  adminAddressed: 'The addressed user holds ROLE_ADMIN, and a CUSTADMIN never acts on one.',
  custadminOwn: 'The user holds ROLE_CUSTADMIN in its own organisation: the column of those counts.',
  custadminBeneath:
    'The user holds ROLE_CUSTADMIN, and the organisation lies beneath its own: the column of those counts.',
  finance: 'The user holds ROLE_FINANCE in its own organisation: the column of those counts.',
  member: 'The user holds neither ROLE_ADMIN nor ROLE_CUSTADMIN: the column of other users counts.',
  granted: 'The organisation granted access to that of the user: the column of grants counts.',
  grantedManage: 'The user manages the organisation by a grant: the column of grants to manage counts.',
  grantCoverage: 'The user manages the organisation by a grant, and no grant covers the operation.',
  grantSecondFactor:
    'The user manages the organisation by a grant, and the organisation demands a second factor, which the credential has not passed.',
  noRelation: 'Neither a role, nor a link of the tree, nor a grant leads the user to the organisation.',
};

/** Explains the verdict of the guard in one or two sentences. */
export function reasonText(
  { step, refusal, decision, grantId }: Evaluation,
  standing: readonly Standing[],
  credentialFaults: readonly CredentialFault[],
): string {
  if (step === 'privilege' && decision !== undefined)
    return `${DECIDED_BY[decision.by]}${grantId === undefined ? '' : ` It is grant ${grantId}.`}`;
  if (step === 'address') return 'The whitelist of the API key lacks the address.';
  if (step === 'method') {
    const what = refusal?.reason === 'SUPPORT_READ_ONLY' ? 'support login' : 'API key';
    return `The ${what} only reads: it allows only GET and HEAD.`;
  }
  if (step === 'target')
    return `${refusal?.message ?? 'Something'}: the path names what does not exist there.`;
  const texts = [
    ...standing.map((fault) => STANDINGS[fault]),
    ...credentialFaults.map((fault) => FAULTS[fault]),
  ];
  return texts.length > 0 ? texts.join(' ') : 'The credential is unknown: it never was, or has ended.';
}
