import { TextField } from '@app/core/wire/field.decorators';
import { createShape } from '@app/core/wire/shapes';
import type { RecoveryRequestInput } from '../../recovery.types';
import { LOGIN } from '@app/auth/shapes/shared/login.properties';

/** Body of `POST /resetting/send_email`. */
class RequestRecoveryDto {
  @TextField({ trim: true, max: 254, required: true, example: 'jan@example.nl', ...LOGIN.username })
  username!: string;
}

export const requestRecoveryShape = createShape(RequestRecoveryDto, (dto): RecoveryRequestInput => ({
  username: dto.username,
}));
