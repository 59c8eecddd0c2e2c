import { coerceDigits, coerceText } from '@app/platform/dto/coercion';
import { field } from '@app/platform/dto/field.decorators';
import type { StepUpProof } from './step-up-proof';

/** Digits of a code of an authenticator. */
export const TOTP_DIGITS = 6;

export const STEP_UP_PASSWORD = 'With STEP_UP: the present password of the user who asks';
export const STEP_UP_CODE =
  'With STEP_UP: the code of the authenticator of the user who asks, or a recovery code, where two-factor login is on. Blanks and hyphens do not count';

/** A field that accepts anything, because it is ignored where no proof is required. */
const proofField = (
  description: string,
  coerce: (value: unknown) => unknown,
  documentation: object,
): PropertyDecorator =>
  field(
    { nullable: true, description },
    { emptyIsAbsent: true, coerce, documentation: { type: 'string', ...documentation } },
  );

export const StepUpPasswordField = (description = STEP_UP_PASSWORD): PropertyDecorator =>
  proofField(description, coerceText, { format: 'password', maxLength: 4096 });

export const StepUpCodeField = (description = STEP_UP_CODE): PropertyDecorator =>
  proofField(description, coerceDigits(TOTP_DIGITS), { maxLength: 32, example: '123456' });

/** The step-up proof of a body. */
export const stepUpProof = (dto: { password?: unknown; '6digitCode'?: unknown }): StepUpProof => ({
  password: textOf(dto.password),
  code: textOf(dto['6digitCode']),
});

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
