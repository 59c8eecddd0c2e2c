import { ENTITY_KINDS } from '@app/records/entities/entity.types';
import type { DecisionReason } from './decision.reasons';

/** The types of subjects. */
const SUBJECT_TYPES = ['user', 'service_key'] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** The types of resources: three of the account API, and the kinds of the register. */
const RESOURCE_TYPES = ['organisation', 'user', 'team', ...ENTITY_KINDS] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

export const isSubjectType = (text: string): text is SubjectType =>
  (SUBJECT_TYPES as readonly string[]).includes(text);
export const isResourceType = (text: string): text is ResourceType =>
  (RESOURCE_TYPES as readonly string[]).includes(text);

/** A subject or resource, as a client names it. */
export interface Named {
  readonly type: string;
  readonly id: string;
}

/** A question: may the subject do the action to the resource? */
export interface Question {
  readonly subject: Named;
  /** Name of the action. */
  readonly action: string;
  readonly resource: Named;
}

/** An element of a batch that is not a question, with what is wrong. */
export interface MalformedQuestion {
  readonly fault: string;
}

export interface AuthzenDecision {
  readonly isAllowed: boolean;
  readonly reason: DecisionReason;
  readonly because: string;
}

/** When a batch stops. */
export const SEMANTICS = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const;
export type Semantic = (typeof SEMANTICS)[number];

/** Maximum questions of a batch. */
export const MAX_QUESTIONS = 100;

/** A list of questions, or a single one. */
export type Evaluations =
  | { readonly single: Question }
  | { readonly questions: readonly (Question | MalformedQuestion)[]; readonly semantic: Semantic };
