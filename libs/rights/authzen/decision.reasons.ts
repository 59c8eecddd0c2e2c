import type { AnswerReason } from '@app/platform/errors/reasons';

/** Reasons of AuthZEN decisions, besides the guard's reasons. */
export const DECISION_REASONS = {
  ALLOWED: 'The subject may do it',
  MALFORMED: 'The question of a batch lacks a part, or a part has another type',
  OWNER_SUSPENDED:
    'The organisation that owns the record is suspended, and the subject gets access from no organisation above it',
  UNKNOWN_ACTION: 'Resources of this type have no such action in this variant',
  UNKNOWN_RESOURCE: 'No resource of this type has this id, or there is no such type',
  UNKNOWN_SUBJECT: 'No subject of this type has this id, or there is no such type',
};

/** The reason of a decision. */
export type DecisionReason = keyof typeof DECISION_REASONS | AnswerReason;
