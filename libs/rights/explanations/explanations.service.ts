import { Injectable } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { ReadOnlyServer } from '@app/platform/database/connection-errors';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { type ApiError, NotFound } from '@app/platform/errors/api-error';
import {
  type AccessRow,
  accessStatementOfUser,
  leadingRecord,
  organisationOf,
} from '@app/security/access/access.queries';
import { decide, evaluateAccess, relationOf } from '@app/security/access/access-evaluation';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { CredentialLookup } from '@app/security/access/credential-lookup';
import { grantedManage } from '@app/security/access/granted-access';
import { presentedCredential } from '@app/security/access/presented-credential';
import { type Privilege, PRIVILEGES } from '@app/security/access/privileges';
import type { GuardedRoute, ServedRoute } from '@app/security/access/route-table';
import { digestOf } from '@app/security/secrets/digest';
import type { ExplanationRequest } from './explain-access.dto';
import {
  GRANT_AGE,
  LINKS_UPWARDS,
  reachOf,
  SUBJECT_BY_DIGEST,
  SUBJECT_BY_USER,
  type SubjectRow,
} from './explanation.queries';
import type {
  ExplainedCredentialResponse,
  ExplainedPrivilegeResponse,
  ExplainedRelationResponse,
  ExplainedRouteResponse,
  ExplainedUserResponse,
  ExplanationResponse,
} from './explanations.shapes';
import { type CredentialFault, reasonText, standingOf } from './reason-text';
import { RouteResolver } from './resolve-route';
import { shownTo } from './shown-explanation';

/** A guarded route with the identifiers of the path. */
interface Target {
  readonly guarded: GuardedRoute;
  readonly identifiers: readonly (number | null)[];
}

/**
 * Explains a response of the guard. The verdict is the guard's own evaluation; the
 * other fields are its input.
 */
@Injectable()
export class ExplanationsService {
  constructor(
    private readonly routes: RouteResolver,
    private readonly queries: DatabaseReads,
    private readonly credentials: CredentialLookup,
    private readonly settings: Settings,
  ) {}

  async explain(caller: Caller, request: ExplanationRequest): Promise<ExplanationResponse> {
    return shownTo(caller, await this.wholeOf(caller, request));
  }

  private async wholeOf(caller: Caller, request: ExplanationRequest): Promise<ExplanationResponse> {
    const subject = await this.subjectOf(caller, request);
    const resolved = this.routes.of(request.method, request.path);
    const route = resolved.served === undefined ? null : explainedRoute(resolved.served);
    const user =
      subject === undefined || subject.userId === null ? null : explainedUser(subject.userId, subject);
    const credential = subject === undefined ? null : explainedCredential(subject);
    if (resolved.guarded === undefined) {
      const verdict = unguardedVerdict(resolved.answer, resolved.served);
      return { ...verdict, route, credential, user, relation: null, privilege: null };
    }
    const { guarded } = resolved;
    await this.assertTargetInReach(caller, resolved);
    const row = await this.rowOf(request, resolved);
    const evaluation = evaluateAccess(
      { route: guarded, method: request.method, clientAddress: () => request.address },
      row,
    );
    return {
      ...verdictOf(evaluation.refusal),
      step: evaluation.step,
      decidedBy: evaluation.decision?.by ?? '',
      because: reasonText(
        evaluation,
        subject === undefined ? [] : standingOf(subject),
        credential?.faults ?? [],
      ),
      route,
      credential,
      user,
      relation: row === undefined ? null : await this.relationOf(row),
      privilege: explainedPrivilege(guarded.privilege),
    };
  }

  /**
   * The user in question. An unknown user and a user out of the caller's reach give the same 404. An admin
   * reaches everybody, so undefined reveals to admins only that the credential is unknown.
   */
  private async subjectOf(
    caller: Caller,
    { userId, hash = '' }: ExplanationRequest,
  ): Promise<SubjectRow | undefined> {
    const { organisationId } = caller;
    const row =
      userId === undefined
        ? await this.queries.row<SubjectRow>(SUBJECT_BY_DIGEST, [
            organisationId,
            digestOf(presentedCredential(hash) ?? ''),
            this.settings.loginIdleTtl,
          ])
        : await this.queries.row<SubjectRow>(SUBJECT_BY_USER, [organisationId, userId]);
    if (row === undefined && userId === undefined && isAdmin(caller)) return undefined;
    if (row === undefined || !isInReach(caller, row))
      throw new NotFound(userId === undefined ? 'Credential' : 'User');
    return row;
  }

  /** Throws 404 if the path names something out of the caller's reach, whether it exists or not. */
  private async assertTargetInReach(caller: Caller, { guarded, identifiers }: Target): Promise<void> {
    const { organisation, records } = guarded.address;
    if (isAdmin(caller) || (!organisation && records.length === 0)) return;
    const [organisationId] = identifiers;
    // An invalid identifier addresses nothing.
    if (organisation && (organisationId === null || organisationId === caller.organisationId)) return;
    const leading = leadingRecord(guarded.address);
    const addressed = organisation ? '$2' : leading && organisationOf(leading, '$2');
    const identifier = identifiers[leading === undefined || organisation ? 0 : records.indexOf(leading)];
    const reach =
      addressed === undefined
        ? undefined
        : await this.queries.row(reachOf(addressed), [
            caller.organisationId,
            identifier,
            caller.userId,
            caller.credential.kind,
            caller.credential.id,
          ]);
    if (reach?.own === true) return;
    if (reach?.beneath === true && caller.reachesBeneath) return;
    // A grant to read only shows an organisation and its users.
    const grant = reach?.grant ?? null;
    if (grant !== null && (grant.access === 'manage' || records.length === 0)) return;
    throw new NotFound('Target');
  }

  /** Runs the guard's own statement. */
  private async rowOf(
    { userId, hash = '' }: ExplanationRequest,
    { guarded: { statements, address }, identifiers }: Target,
  ): Promise<AccessRow | undefined> {
    const row =
      userId === undefined
        ? await this.credentials.rowOf(presentedCredential(hash) ?? '', { statements, identifiers })
        : await this.queries.row<AccessRow>(accessStatementOfUser(address), [
            userId,
            this.settings.loginIdleTtl,
            ...identifiers,
          ]);
    if (row?.on_standby === true) throw new ReadOnlyServer();
    return row;
  }

  private async relationOf(row: AccessRow): Promise<ExplainedRelationResponse | null> {
    const relation = relationOf(row);
    const organisationId = row.addressed_organisation_id;
    if (relation === undefined || typeof organisationId !== 'number') return null;
    const { own, beneath, granted } = relation;
    const ends = [row.organisation_id, organisationId];
    const links = beneath && !own ? await this.queries.rows(LINKS_UPWARDS, ends) : [];
    const used = row.used_grant ?? null;
    const grant = used === null ? undefined : await this.queries.row(GRANT_AGE, [used.id]);
    return {
      organisationId,
      own,
      beneath,
      links,
      granted: granted !== false,
      grant:
        used === null || grant === undefined
          ? null
          : { id: used.id, access: used.access, dtCreated: String(grant.createdAt) },
    };
  }
}

/** A caller who may see the logins of a user, or a service key, may ask about that user or key. */
function isInReach(caller: Caller, { userId: id, roles, organisationId, beneath }: SubjectRow): boolean {
  const relation = {
    own: organisationId === caller.organisationId,
    beneath: beneath && caller.reachesBeneath,
    granted: false as const,
  };
  const user = id === null ? undefined : { id, roles: roles as Caller['roles'] };
  const privilege = PRIVILEGES[user === undefined ? 'servicekeys.read' : 'logins.list'];
  return decide(privilege, caller, relation, user).verdict === 'allow';
}

const explainedRoute = ({ method, path, operation, publicBecause }: ServedRoute): ExplainedRouteResponse => ({
  method,
  path: path.replaceAll(/:(\w+)/g, '{$1}'),
  operation: operation ?? '',
  publicBecause: publicBecause ?? '',
});

const explainedUser = (id: number, row: SubjectRow): ExplainedUserResponse => ({
  id,
  username: row.username,
  organisationId: row.organisationId,
  roles: [...row.roles],
  standing: standingOf(row),
  status2fa: row.secondFactor,
  required2fa: row.secondFactorDemanded,
});

const credentialFaultsOf = ({ expired, unusedTooLong, unsupported }: SubjectRow): CredentialFault[] => [
  ...(expired ? ['EXPIRED' as const] : []),
  ...(unusedTooLong ? ['UNUSED_TOO_LONG' as const] : []),
  ...(unsupported ? ['SUPPORT_ENDED' as const] : []),
];

const explainedCredential = (row: SubjectRow): ExplainedCredentialResponse | null =>
  row.kind === null
    ? null
    : {
        kind: row.kind,
        id: row.credentialId,
        name: row.name,
        faults: credentialFaultsOf(row),
        dtExpires: String(row.expiresAt),
        dtLastUsed: row.lastUsedAt === null ? '' : String(row.lastUsedAt),
        readOnly: row.readOnly,
        whitelist: [...row.whitelist],
      };

const explainedPrivilege = (privilege: Privilege): ExplainedPrivilegeResponse => ({
  admin: privilege.admin,
  custadminOwn: privilege.custadminOwn,
  custadminBeneath: privilege.custadminBeneath,
  finance: privilege.finance ?? '',
  member: privilege.member,
  granted: privilege.granted,
  grantedManage: grantedManageOf(privilege),
  self: privilege.self ?? '',
  apiKey: privilege.apiKey ?? '',
});

function grantedManageOf(privilege: Privilege): string {
  const verdict = grantedManage(privilege);
  return verdict === 'uncovered' ? 'deny' : verdict;
}

type Verdict = Pick<ExplanationResponse, 'verdict' | 'status' | 'reason' | 'message'>;

/** `allow`, `role`, or the status of the refusal. */
function verdictOf(refusal: ApiError | undefined): Verdict {
  if (refusal === undefined) return { verdict: 'allow', status: null, reason: '', message: '' };
  const { status, reason, message } = refusal;
  return { verdict: reason === 'ROLE_REQUIRED' ? 'role' : String(status), status, reason, message };
}

/** The verdict for a request that needs no credential: an unknown path or a public route. */
function unguardedVerdict(
  refusal: ApiError | undefined,
  served: ServedRoute | undefined,
): Verdict & Pick<ExplanationResponse, 'step' | 'decidedBy' | 'because'> {
  const verdict = verdictOf(refusal);
  if (served === undefined) {
    const because =
      refusal?.status === 405 ? 'The path is served by other methods.' : 'The variant has no such path.';
    return { ...verdict, step: 'path', decidedBy: '', because };
  }
  const because =
    refusal === undefined
      ? 'The route asks nobody for a credential; what it is given decides.'
      : 'The path belongs to an area of the panel that is not part of this service.';
  return { ...verdict, step: 'route', decidedBy: '', because };
}
