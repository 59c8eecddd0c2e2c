import { TextField } from '@app/core/wire/fields';
import { creationShape, type RequestShape } from '@app/core/wire/shapes';
import type { PasswordReset, RecoveryWish } from '../recovery.values';

/** Body of `POST /resetting/send_email`. */
export class RecoveryWishRequest {
  @TextField({ max: 254, required: true, example: 'jan@example.nl' })
  username!: string;
}

/** The request shapes of recovery, in the running variant; its answer is that of a user. */
export abstract class RecoveryShapes {
  /** Body of `POST /resetting/{token}`. */
  abstract readonly reset: RequestShape<PasswordReset>;

  readonly wish = creationShape(RecoveryWishRequest, (dto): RecoveryWish => ({ username: dto.username }));
}
