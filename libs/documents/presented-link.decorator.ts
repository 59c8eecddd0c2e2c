import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { pathIdentifier } from '@app/core/access/request-address';
import { NotFound } from '@app/core/errors/api-error';
import { digestOf } from '@app/core/secrets/digest';
import type { PresentedLink } from './documents.service';

const HASH = /^[0-9a-f]{64}$/;

/** Why the downloads take no credential in a header. */
export const BY_HASH_IN_PATH = 'the hash in the path stands for the credential';

/** The link that a path with `:id`, `:contactId` and `:hash` is; what can be none is no document. */
export const TheLink = createParamDecorator((_: unknown, context: ExecutionContext): PresentedLink => {
  const { params } = context.switchToHttp().getRequest<Request<Record<string, string>>>();
  const [documentId, contactId] = [pathIdentifier(params['id']), pathIdentifier(params['contactId'])];
  const hash = params['hash'] ?? '';
  if (documentId === null || contactId === null || !HASH.test(hash)) throw new NotFound('Document');
  return { documentId, contactId, digest: digestOf(hash) };
});
