import { coerceText } from '@app/core/wire/coercion';
import { field } from '@app/core/wire/field.decorators';
import type { StepUpProof } from '../user.types';

export const STEP_UP_PASSWORD = 'With STEP_UP: the present password, for a change of the own account';
export const STEP_UP_CODE =
  'With STEP_UP: the code of the authenticator, or a recovery code, where two-factor login is on';

/** Fields that count where `STEP_UP` is on alone: elsewhere they are ignored, whatever is in them. */
const proofField = (description: string, documentation: object): PropertyDecorator =>
  field({ nullable: true, description }, true, coerceText, { type: String, ...documentation });

export const StepUpPasswordField = (): PropertyDecorator =>
  proofField(STEP_UP_PASSWORD, {
    format: 'password',
    maxLength: 4096,
  });

export const StepUpCodeField = (): PropertyDecorator =>
  proofField(STEP_UP_CODE, {
    maxLength: 32,
    example: '123456',
  });

/** What a body proves its sender with. */
export const stepUpProof = (dto: { password?: unknown; '6digitCode'?: unknown }): StepUpProof => ({
  password: textOf(dto.password),
  code: textOf(dto['6digitCode']),
});

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
