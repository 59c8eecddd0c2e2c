import type { RequestShape } from '@app/core/wire/shapes';
import type { PasswordReset } from '../recovery.types';
import { requestRecoveryShape } from './shared/request-recovery.dto';

/** The request shapes of recovery, in the running variant; the response is that of a user. */
export abstract class RecoveryShapes {
  /** Body of `POST /resetting/send_email`. */
  readonly request = requestRecoveryShape;
  /** Body of `POST /resetting/{token}`. */
  abstract readonly reset: RequestShape<PasswordReset>;
}
