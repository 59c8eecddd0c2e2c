import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { accessState } from '@app/security/context/access-state';

/** The owner of contacts or keys: a user, or the organisation itself. */
export interface RecordOwner {
  readonly organisationId: number;
  /** Null for the organisation itself. */
  readonly userId: number | null;
}

/** The user of the path, or the organisation if the path has no user. */
export const PathOwner = createParamDecorator((_: unknown, context: ExecutionContext): RecordOwner => {
  const { organisationId, userId = null } = accessState(context.switchToHttp().getResponse<Response>())
    .pathIds as Record<keyof RecordOwner, number>;
  return { organisationId, userId };
});
