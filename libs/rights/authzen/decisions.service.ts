import { Injectable } from '@nestjs/common';
import { ReadOnlyServer } from '@app/platform/database/connection-errors';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { Paginator } from '@app/platform/lists/paginator';
import { reasonText, standingOf } from '@app/rights/explanations/reason-text';
import type { Caller } from '@app/security/access/caller';
import { unknownCredential } from '@app/security/access/credential-refusals';
import { pathIdentifier } from '@app/security/access/path-identifier';
import { type Action, ActionTable } from './action-table';
import {
  type EvaluatedRow,
  JUDGED_ONCE,
  JUDGED_TOGETHER,
  type JudgedRow,
  SUBJECT_STATES,
  type SubjectState,
} from './authzen.queries';
import {
  type AuthzenDecision,
  isResourceType,
  isSubjectType,
  type MalformedQuestion,
  type Named,
  type Question,
  type ResourceType,
  type Semantic,
  type SubjectType,
} from './authzen.types';
import type { DecisionReason } from './decision.reasons';

/** A subject with a valid type and id. */
interface Subject {
  readonly type: SubjectType;
  readonly id: number;
}

interface Pair {
  readonly subject: Subject;
  readonly resource: { readonly type: ResourceType; readonly id: number };
}

/** A question for the database. */
interface OpenQuestion extends Pair {
  readonly action: Action;
}

/** Decides whether subjects may do something, with the guard's own rules. */
@Injectable()
export class DecisionsService {
  constructor(
    private readonly actions: ActionTable,
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
  ) {}

  async one(question: Question): Promise<AuthzenDecision> {
    const [decision] = await this.decide([question], (pairs) =>
      this.queries.rows(JUDGED_ONCE, valuesOf(pairs)),
    );
    return decision as AuthzenDecision;
  }

  /**
   * Returns the decisions up to the one that stops the batch. A batch needs a permit like a list, because it
   * holds a connection for some milliseconds.
   */
  async many(
    caller: Caller,
    questions: readonly (Question | MalformedQuestion)[],
    semantic: Semantic,
  ): Promise<AuthzenDecision[]> {
    const decisions = await this.decide(questions, (pairs) =>
      this.paginator.withListPermit(caller.client, () => this.queries.rows(JUDGED_TOGETHER, valuesOf(pairs))),
    );
    const last = decisions.findIndex(({ isAllowed }) => stops(semantic, isAllowed));
    return last < 0 ? decisions : decisions.slice(0, last + 1);
  }

  /**
   * @param read reads the guard's row of each pair; there is none for a subject without a valid credential
   */
  private async decide(
    questions: readonly (Question | MalformedQuestion)[],
    read: (pairs: readonly Pair[]) => Promise<JudgedRow[]>,
  ): Promise<AuthzenDecision[]> {
    const opened = questions.map((question) => this.open(question));
    const pairs = new Map<string, Pair>();
    for (const question of opened) if ('action' in question) pairs.set(keyOf(question), question);
    const rows = new Map<string, EvaluatedRow>();
    if (pairs.size > 0) {
      const keys = [...pairs.keys()];
      for (const row of await read([...pairs.values()])) {
        if (row.on_standby) throw new ReadOnlyServer();
        rows.set(keys[row.position - 1] as string, row);
      }
    }
    const states = await this.statesOf([...pairs].filter(([key]) => !rows.has(key)).map(([, pair]) => pair));
    return opened.map((question) => {
      if (!('action' in question)) return question;
      const row = rows.get(keyOf(question));
      if (row !== undefined) return decisionOn(question, row);
      const { type, id } = question.subject;
      return decisionWithoutCredential(states.find((state) => state.type === type && state.id === id));
    });
  }

  /** The question for the database, or a decision if the database is not needed. */
  private open(question: Question | MalformedQuestion): OpenQuestion | AuthzenDecision {
    if ('fault' in question) return denied('MALFORMED', question.fault);
    const subject = subjectOf(question.subject);
    if (subject === undefined) return UNKNOWN_SUBJECT;
    const { type } = question.resource;
    const id = pathIdentifier(question.resource.id);
    if (!isResourceType(type) || id === null) return UNKNOWN_RESOURCE;
    const action = this.actions.of(type).get(question.action);
    if (action === undefined) return UNKNOWN_ACTION;
    return { subject, action, resource: { type, id } };
  }

  private async statesOf(pairs: readonly Pair[]): Promise<SubjectState[]> {
    if (pairs.length === 0) return [];
    const ids = (type: SubjectType): number[] =>
      pairs.flatMap(({ subject }) => (subject.type === type ? [subject.id] : []));
    return this.queries.rows(SUBJECT_STATES, [ids('user'), ids('service_key')]);
  }
}

const stops = (semantic: Semantic, isAllowed: boolean): boolean =>
  semantic === (isAllowed ? 'permit_on_first_permit' : 'deny_on_first_deny');

function subjectOf({ type, id: text }: Named): Subject | undefined {
  const id = pathIdentifier(text);
  return isSubjectType(type) && id !== null ? { type, id } : undefined;
}

const valuesOf = (pairs: readonly Pair[]): unknown[] => [
  pairs.map(({ subject }) => (subject.type === 'user' ? subject.id : null)),
  pairs.map(({ subject }) => (subject.type === 'service_key' ? subject.id : null)),
  pairs.map(({ resource }) => resource.type),
  pairs.map(({ resource }) => resource.id),
];

const keyOf = ({ subject, resource }: Pair): string =>
  `${subject.type} ${subject.id} ${resource.type} ${resource.id}`;

const denied = (reason: DecisionReason, because: string): AuthzenDecision => ({
  isAllowed: false,
  reason,
  because,
});

const UNKNOWN_SUBJECT = denied('UNKNOWN_SUBJECT', 'No subject of this type has this id.');
const UNKNOWN_RESOURCE = denied('UNKNOWN_RESOURCE', 'No resource of this type has this id.');
const UNKNOWN_ACTION = denied('UNKNOWN_ACTION', 'Resources of this type have no such action.');

/** Whether the resource exists. */
const isThere = (row: EvaluatedRow, type: ResourceType): boolean =>
  (type === 'user' ? row.addressed_user_id : row.addressed_organisation_id) !== null;

const decisionOn = ({ action, resource }: OpenQuestion, row: EvaluatedRow): AuthzenDecision =>
  isThere(row, resource.type) ? action.judge(row) : UNKNOWN_RESOURCE;

/** The refusal of the guard, with the reason why the subject has no valid credential. */
function decisionWithoutCredential(state: SubjectState | undefined): AuthzenDecision {
  if (state === undefined) return UNKNOWN_SUBJECT;
  const refusal = unknownCredential();
  return {
    isAllowed: false,
    reason: refusal.reason,
    because: reasonText({ step: 'credential', refusal }, standingOf(state), state.expired ? ['EXPIRED'] : []),
  };
}
