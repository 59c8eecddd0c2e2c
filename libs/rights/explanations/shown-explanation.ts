import { isGranted } from '@app/security/access/access-evaluation';
import type { Caller } from '@app/security/access/caller';
import type { Operation } from '@app/security/access/privileges';
import type {
  ExplainedCredentialResponse,
  ExplainedUserResponse,
  ExplanationResponse,
} from './explanations.shapes';

/** What shows a credential of each kind. */
const READS: Readonly<Record<string, Operation>> = {
  login: 'logins.list',
  support_login: 'logins.list',
  api_key: 'apikeys.read',
  service_key: 'servicekeys.read',
};

/** In the place of the reason, which tells of roles and of the state of the user. */
const NOT_READ = 'The service key that asks may not read users, so it is told the verdict and no reason.';

/**
 * The explanation as far as its reader may know it. A service key learns no more of a user, and
 * of a credential, than its operations let it read elsewhere: the identifier and the verdict
 * always (rule rights 49, rule rights 50).
 */
export function shownTo(caller: Caller, explanation: ExplanationResponse): ExplanationResponse {
  const { user, credential } = explanation;
  const seesUser = user === null || isGranted('users.read', caller.operations);
  const seesCredential = credential === null || maySee(caller, credential);
  return {
    ...explanation,
    ...(!seesUser && { decidedBy: '', because: NOT_READ, user: nothingBut(user), relation: null }),
    ...(!seesCredential && { credential: closed(credential) }),
  };
}

function maySee({ operations, credential: own }: Caller, { kind, id }: ExplainedCredentialResponse): boolean {
  const read = READS[kind];
  return (own.kind === kind && own.id === id) || (read !== undefined && isGranted(read, operations));
}

const nothingBut = ({ id }: ExplainedUserResponse): ExplainedUserResponse => ({
  id,
  username: '',
  organisationId: 0,
  roles: [],
  standing: [],
  status2fa: '',
  required2fa: false,
});

const closed = ({ kind, id }: ExplainedCredentialResponse): ExplainedCredentialResponse => ({
  kind,
  id,
  name: '',
  faults: [],
  dtExpires: '',
  dtLastUsed: '',
  readOnly: false,
  whitelist: [],
});
