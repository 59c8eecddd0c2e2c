import { orderBy } from '@app/core/wire/order-by';
import { TOKEN2FA_COLUMNS } from '../token2fa.columns';
import { listShape, responseShape } from '@app/core/wire/shapes';
import type { Token2fa, Token2faOrder } from '../token2fa.types';
import {
  Token2faResponse,
  SingleToken2faResponse,
  Token2faListResponse,
  toToken2faResponse,
} from './token2fa.response';

/** The response shapes of trusted devices, which only Variant A has. */
export class Tokens2faShapes {
  /** Response of everything that gives one trusted device. */
  readonly single = responseShape(SingleToken2faResponse, (token: Token2fa) => ({
    token2fa: toToken2faResponse(token),
  }));
  /** Response of the list. */
  readonly list = listShape<Token2fa, Token2faListResponse, Token2faOrder>(
    Token2faListResponse,
    {
      orderBy: orderBy(TOKEN2FA_COLUMNS, Token2faResponse, {
        dtCreated: 'createdAt',
        dtExpires: 'expiresAt',
      }),
      search: {},
    },
    (page) => ({ total: page.total ?? 0, tokens2fa: page.items.map(toToken2faResponse) }),
  );
}
