import { responseShape } from '@app/core/wire/shapes';
import { secondFactorRefusals } from '@app/users/credentials.errors';
import { AuthShapes } from '../auth.shapes';
import { loginShape } from './login.dto';
import { LoginResponse, toLoginResponse } from './login.response';

export class VariantAuthShapes extends AuthShapes {
  readonly login = loginShape;
  readonly loggedIn = responseShape(LoginResponse, toLoginResponse);
  readonly secondFactorRefusals = secondFactorRefusals(
    'SECOND_FACTOR_REQUESTED',
    'SECOND_FACTOR_REQUIRED',
    'CODE_INVALID',
    'DEVICE_TOKEN_INVALID',
  );
}
