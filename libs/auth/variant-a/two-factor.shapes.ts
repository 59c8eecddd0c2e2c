import { responseShape } from '@app/core/wire/shapes';
import { activateTwoFactorShape } from './activate-two-factor.dto';
import { disableTwoFactorShape } from './disable-two-factor.dto';
import { passwordLoginShape } from './password-login.dto';
import {
  MadeRecoveryCodesResponse,
  RecoveryCodesResponse,
  toMadeRecoveryCodesResponse,
  toRecoveryCodesResponse,
} from './recovery-codes.response';
import { CancelActivationResponse, TwoFactorSecretResponse } from './two-factor.response';

/** The request and response shapes of setting two-factor login up. */
export class TwoFactorShapes {
  readonly passwordLogin = passwordLoginShape;
  readonly activate = activateTwoFactorShape;
  readonly disable = disableTwoFactorShape;
  readonly secret = responseShape(TwoFactorSecretResponse, (secret: string) => ({ success: true, secret }));
  readonly recoveryCodeCount = responseShape(RecoveryCodesResponse, toRecoveryCodesResponse);
  readonly madeRecoveryCodes = responseShape(MadeRecoveryCodesResponse, toMadeRecoveryCodesResponse);
  readonly cancelled = responseShape(CancelActivationResponse, (_: void) => ({ success: true }));
}
