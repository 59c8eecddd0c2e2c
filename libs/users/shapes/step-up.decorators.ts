import { coerceText } from '@app/core/wire/coercion';
import { Check, field } from '@app/core/wire/field.decorators';
import type { StepUpProof } from '../user.types';

/** Fields that count where `STEP_UP` is on alone: elsewhere they are ignored, whatever is in them. */
const proofField = (description: string, documentation: object): PropertyDecorator =>
  field(
    { nullable: true, description },
    true,
    coerceText,
    { type: String, ...documentation },
    // A DTO without any check is none to class-validator.
    Check('proof', () => undefined),
  );

export const StepUpPasswordField = (): PropertyDecorator =>
  proofField('With STEP_UP: the present password, for a change of the own account', {
    format: 'password',
    maxLength: 4096,
  });

export const StepUpCodeField = (): PropertyDecorator =>
  proofField(
    'With STEP_UP: the code of the authenticator, or a recovery code, where two-factor login is on',
    {
      maxLength: 32,
      example: '123456',
    },
  );

/** What a body proves its sender with. */
export const stepUpProof = (dto: { password?: unknown; '6digitCode'?: unknown }): StepUpProof => ({
  password: textOf(dto.password),
  code: textOf(dto['6digitCode']),
});

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
