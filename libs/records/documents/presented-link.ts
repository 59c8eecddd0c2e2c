import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '@app/platform/errors/api-error';
import { pathIdentifier } from '@app/security/access/path-identifier';
import { digestOf, isSecret } from '@app/security/secrets/digest';
import type { PresentedLink } from './documents.service';

/** The link in a path with `:id`, `:contactId` and `:hash`. Throws 404 for an impossible one. */
export const PresentedDocumentLink = createParamDecorator(
  (_: unknown, context: ExecutionContext): PresentedLink => {
    const { params } = context.switchToHttp().getRequest<Request<Record<string, string>>>();
    const documentId = pathIdentifier(params['id']);
    const contactId = pathIdentifier(params['contactId']);
    const hash = params['hash'] ?? '';
    if (documentId === null || contactId === null || !isSecret(hash)) throw new NotFound('Document');
    return { documentId, contactId, digest: digestOf(hash) };
  },
);
