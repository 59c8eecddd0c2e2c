import { Injectable } from '@nestjs/common';
import { lazily } from '@app/platform/process/lazily';
import { ENTITY_KINDS, type EntityKind } from '@app/records/entities/entity.types';
import { reasonText } from '@app/rights/explanations/reason-text';
import { evaluateAccess, relationOf } from '@app/security/access/access-evaluation';
import { type GuardedRoute, RouteTable } from '@app/security/access/route-table';
import type { EvaluatedRow } from './authzen.queries';
import { type AuthzenDecision, type ResourceType } from './authzen.types';
import { decideOnRecord, isByGrant, RECORD_ACTIONS, type RecordAction } from './register-rights';

/** An action on resources of one type. */
export interface Action {
  readonly name: string;
  judge(row: EvaluatedRow): AuthzenDecision;
}

type ActionsOfType = ReadonlyMap<string, Action>;

/** The parameters of a path that names one such record. The method is checked separately. */
const PARAMETERS = {
  organisation: ['organisationId'],
  user: ['organisationId', 'userId'],
  team: ['organisationId', 'teamId'],
} as const;

/** The actions of the running variant. */
@Injectable()
export class ActionTable {
  /** The route table is complete only after the start. */
  private readonly actions = lazily(() => this.allActions());

  constructor(private readonly routes: RouteTable) {}

  /** The actions on a type, by name. */
  of(type: ResourceType): ActionsOfType {
    return this.actions().get(type) ?? new Map<string, Action>();
  }

  private allActions(): ReadonlyMap<ResourceType, ActionsOfType> {
    const onRoutes = Object.entries(PARAMETERS).map(
      ([type, parameters]) => [type as ResourceType, this.operationsOn(parameters)] as const,
    );
    const onRecords = ENTITY_KINDS.map((kind) => {
      const actions = RECORD_ACTIONS.map((name) => ({
        name,
        judge: (row: EvaluatedRow) => judgeRecord(name, kind, row),
      }));
      return [kind, byName(actions)] as const;
    });
    return new Map<ResourceType, ActionsOfType>([...onRoutes, ...onRecords]);
  }

  /** The operations of routes whose path names exactly these records. */
  private operationsOn(parameters: readonly string[]): ActionsOfType {
    const actions = this.routes.routes.flatMap(({ path, guarded: route }): Action[] => {
      const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      if (route === undefined || String(named) !== String(parameters)) return [];
      const { operation } = route;
      return [{ name: operation, judge: (row) => judgeOperation(route, row) }];
    });
    return byName(actions);
  }
}

const byName = (actions: readonly Action[]): ActionsOfType =>
  new Map(actions.map((action) => [action.name, action]));

/**
 * The guard's own decision. A fresh login or service key may use every method, and
 * whitelists are ignored here.
 */
function judgeOperation(route: GuardedRoute, row: EvaluatedRow): AuthzenDecision {
  const evaluation = evaluateAccess({ route, method: 'GET', clientAddress: () => undefined }, row);
  return {
    isAllowed: evaluation.refusal === undefined,
    reason: evaluation.refusal?.reason ?? 'ALLOWED',
    because: reasonText(evaluation, [], []),
  };
}

const UNRELATED = { own: false, beneath: false, granted: false } as const;

const NOT_FOR_KEYS: AuthzenDecision = {
  isAllowed: false,
  reason: 'OPERATION_NOT_GRANTED',
  because: 'A service key may do only its operations, and the register has none.',
};

function judgeRecord(action: RecordAction, kind: EntityKind, row: EvaluatedRow): AuthzenDecision {
  if (row.user_id === null) return NOT_FOR_KEYS;
  const { held, owner_suspended: ownerSuspended } = row;
  const relation = { ...(relationOf(row) ?? UNRELATED), held, ownerSuspended };
  const decision = { reason: 'ALLOWED' as const, ...decideOnRecord(action, kind, row, relation) };
  const { used_grant: grant } = row;
  if (grant === undefined || grant === null || !isByGrant(decision)) return decision;
  return { ...decision, because: `${decision.because} It is grant ${grant.id}.` };
}
