import type { AnswerReason, FieldErrorReason } from '@app/platform/errors/reasons';
import type { PasswordRules } from '@app/security/passwords/password-rules';

/** A heading and the text beneath it. */
export interface Message {
  readonly title: string;
  readonly text: string;
}

/** Error text of a field by reason. `other` is for reasons without their own text. */
export type FaultTexts = Partial<Record<FieldErrorReason, (rules: PasswordRules) => string>> & {
  readonly other: () => string;
};

/** Errors that do not belong to a field. `other` is for reasons without their own text. */
export type ErrorTexts = Partial<Record<AnswerReason, Message>> & { readonly other: Message };
