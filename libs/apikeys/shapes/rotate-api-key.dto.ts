import { IntegerField } from '@app/core/wire/field.decorators';
import { createShape, type EveryField } from '@app/core/wire/shapes';
import type { ApiKeyRotation } from '../api-key.types';
import { MAX_OLD_KEY_HOURS } from '../apikeys.limits';
import { ExpiresField } from './expires.decorator';

/** A day: time to hand the new key to whatever uses the old one. */
const USUAL_OLD_KEY_HOURS = 24;

/** Body of `POST …/rotate`. */
class RotateApiKeyDto {
  @IntegerField({
    min: 0,
    max: MAX_OLD_KEY_HOURS,
    default: USUAL_OLD_KEY_HOURS,
    description: 'Hours that the old key lives on, no longer than it would have; it ends at once with 0',
  })
  oldKeyHours?: number;

  @ExpiresField(
    'When the new key ends, in Unix seconds; absent: after as long a life as the old one was given',
  )
  expires?: number;
}

export const rotateApiKeyShape = createShape(RotateApiKeyDto, (dto): EveryField<ApiKeyRotation> => ({
  oldKeyHours: dto.oldKeyHours ?? USUAL_OLD_KEY_HOURS,
  expiresAt: dto.expires,
}));
