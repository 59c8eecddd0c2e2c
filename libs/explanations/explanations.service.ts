import { Injectable } from '@nestjs/common';
import { evaluateAccess, relationOf } from '@app/access/access-evaluation';
import { accessStatementOfUser, type AccessRow } from '@app/access/access.queries';
import { CredentialLookup } from '@app/access/credential-lookup';
import { presentedCredential } from '@app/core/access/presented-credential';
import type { GuardedRoute } from '@app/access/route-access';
import { isAdmin, type Caller } from '@app/core/access/caller';
import { decide } from '@app/core/access/decide';
import { PRIVILEGES } from '@app/core/access/privileges';
import type { ServedRoute } from '@app/core/access/route-table';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { ReadOnlyServer } from '@app/core/database/connection-errors';
import { NotFound, type ApiError } from '@app/core/errors/api-error';
import { digestOf } from '@app/core/secrets/digest';
import { Settings } from '@app/core/settings/settings';
import { becauseOf } from './because';
import {
  GRANT,
  LINKS_UPWARDS,
  REACH,
  SUBJECT_BY_DIGEST,
  SUBJECT_BY_USER,
  type SubjectRow,
} from './explanation.queries';
import type {
  ExplainedCredential,
  ExplainedRelation,
  ExplainedRoute,
  ExplainedUser,
  Explanation,
  ExplanationRequest,
} from './explanation.types';
import { credentialFaultsOf, standingOf } from './standing';
import { ToldRoutes } from './told-route';

/** A guarded route with what the path says. */
interface Target {
  readonly guarded: GuardedRoute;
  readonly identifiers: readonly (number | null)[];
}

/** Says what the guard would answer a request, and why. The verdict is the guard's own evaluation; the rest is what made it. */
@Injectable()
export class ExplanationsService {
  constructor(
    private readonly routes: ToldRoutes,
    private readonly queries: PreparedQueries,
    private readonly credentials: CredentialLookup,
    private readonly settings: Settings,
  ) {}

  async explain(caller: Caller, request: ExplanationRequest): Promise<Explanation> {
    const subject = await this.subjectOf(caller, request);
    const told = this.routes.of(request.method, request.path);
    const { served } = told;
    const known = { route: served && explainedRoute(served), user: subject && userOf(subject) };
    const credential = subject && credentialOf(subject);
    if (told.guarded === undefined) {
      return {
        ...answered(told.answer, served),
        ...known,
        credential,
        relation: undefined,
        privilege: undefined,
      };
    }
    await this.assertTargetInReach(caller, told);
    const row = await this.rowOf(request, told);
    const evaluation = evaluateAccess(
      {
        route: told.guarded,
        method: request.method,
        identifiers: told.identifiers,
        clientAddress: () => request.address,
      },
      row,
    );
    return {
      ...verdictOf(evaluation.refusal),
      step: evaluation.step,
      decidedBy: evaluation.decision?.by ?? '',
      because: becauseOf(evaluation, known.user, credential),
      ...known,
      credential,
      relation: row && (await this.relationOf(row)),
      privilege: told.guarded.privilege,
    };
  }

  /**
   * Whom the question is about. 404 for who is unknown or out of the asker's reach alike. An admin, who reaches
   * everybody, is told that a credential is unknown: undefined.
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

  /** 404 where the path leads out of the reach of who asks, whether what it names exists or not. */
  private async assertTargetInReach(caller: Caller, { guarded, identifiers }: Target): Promise<void> {
    const { organisation, records } = guarded.address;
    if (isAdmin(caller) || (!organisation && records.length === 0)) return;
    const [organisationId] = identifiers;
    // What is no identifier names nothing to anybody.
    if (organisation && (organisationId === null || organisationId === caller.organisationId)) return;
    const reach = organisation
      ? await this.queries.row<{ beneath: boolean; granted: boolean }>(REACH, [
          caller.organisationId,
          organisationId,
        ])
      : undefined;
    // A grant shows an organisation and its users, nothing else of it.
    if (reach?.beneath === true || (reach?.granted === true && records.length === 0)) return;
    throw new NotFound('Target');
  }

  /** What the guard's own statement finds. */
  private async rowOf(
    { userId, hash = '' }: ExplanationRequest,
    { guarded: { statement, address }, identifiers }: Target,
  ): Promise<AccessRow | undefined> {
    const row =
      userId === undefined
        ? await this.credentials.rowOf(presentedCredential(hash) ?? '', { statement, identifiers })
        : await this.queries.row<AccessRow>(accessStatementOfUser(address), [
            userId,
            this.settings.loginIdleTtl,
            ...identifiers,
          ]);
    if (row?.on_standby === true) throw new ReadOnlyServer();
    return row;
  }

  private async relationOf(row: AccessRow): Promise<ExplainedRelation | undefined> {
    const relation = relationOf(row);
    const addressed = row.addressed_organisation_id;
    if (relation === undefined || addressed === null) return undefined;
    const ends = [row.organisation_id, addressed];
    return {
      ...relation,
      organisationId: addressed,
      links: relation.beneath && !relation.own ? await this.queries.rows(LINKS_UPWARDS, ends) : [],
      grant: relation.granted ? await this.queries.row(GRANT, ends) : undefined,
    };
  }
}

/** Whoever may see what is personal to a user may have it explained. */
function isInReach(caller: Caller, { userId: id, roles, organisationId, beneath }: SubjectRow): boolean {
  const relation = { own: organisationId === caller.organisationId, beneath, granted: false };
  const user = { id, roles: roles as Caller['roles'] };
  return decide(PRIVILEGES['logins.list'], caller, relation, user).verdict === 'allow';
}

const explainedRoute = ({ method, path, operation, publicBecause }: ServedRoute): ExplainedRoute => ({
  method,
  path: path.replaceAll(/:(\w+)/g, '{$1}'),
  operation: operation ?? '',
  publicBecause: publicBecause ?? '',
});

const userOf = (row: SubjectRow): ExplainedUser => ({
  id: row.userId,
  username: row.username,
  organisationId: row.organisationId,
  roles: row.roles,
  standing: standingOf(row),
  secondFactor: row.secondFactor,
  secondFactorDemanded: row.secondFactorDemanded,
});

const credentialOf = (row: SubjectRow): ExplainedCredential | undefined =>
  row.kind === null
    ? undefined
    : {
        kind: row.kind,
        id: row.credentialId,
        name: row.name,
        faults: credentialFaultsOf(row),
        expiresAt: row.expiresAt,
        lastUsedAt: row.lastUsedAt,
        readOnly: row.readOnly,
        whitelist: row.whitelist,
      };

type Answer = Pick<Explanation, 'verdict' | 'status' | 'reason' | 'message'>;

/** As the issue of words has it: `allow`, `role`, or the status of the refusal. */
function verdictOf(refusal: ApiError | undefined): Answer {
  if (refusal === undefined) return { verdict: 'allow', status: null, reason: '', message: '' };
  const { status, reason, message } = refusal;
  return { verdict: reason === 'ROLE_REQUIRED' ? 'role' : String(status), status, reason, message };
}

/** What nobody is asked a credential for. */
function answered(
  refusal: ApiError | undefined,
  served: ServedRoute | undefined,
): Omit<Explanation, 'route' | 'user' | 'credential' | 'relation' | 'privilege'> {
  const answer = { ...verdictOf(refusal), decidedBy: '' as const };
  if (served === undefined) {
    const because =
      refusal?.status === 405 ? 'The path is served by other methods.' : 'The variant has no such path.';
    return { ...answer, step: 'path', because };
  }
  const because =
    refusal === undefined
      ? 'The route asks nobody for a credential; what it is given decides.'
      : 'The path belongs to an area of the panel that is not here yet.';
  return { ...answer, step: 'route', because };
}
