import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { declare } from '@app/platform/dto/route-declaration';
import { ApiError, BadRequest } from '@app/platform/errors/api-error';
import { type DocumentKind, MAX_FILE_BYTES } from './document.types';
import { KIND_OF_TYPE, TYPE_OF_KIND } from './document-files';

/** Bytes of a piece of a file. Files are stored and sent in pieces. */
const PIECE_BYTES = 262_144;

/** A file that arrived completely. */
export interface ReceivedFile {
  /** Each piece has {@link PIECE_BYTES}, the last one may be shorter. An empty body has no pieces. */
  readonly pieces: readonly Buffer[];
  readonly size: number;
  /** SHA-256 as hex. */
  readonly sha256: string;
}

/** A file in the body of a request that has not been read yet. */
export class IncomingFile {
  constructor(
    /** The media type of the file. */
    readonly type: string,
    readonly kind: DocumentKind,
    private readonly request: Request,
  ) {}

  /** Reads the body into memory. The caller limits concurrent reads. */
  async read(): Promise<ReceivedFile> {
    const pieces: Buffer[] = [];
    const digest = createHash('sha256');
    let open = Buffer.alloc(0);
    let free = 0;
    let size = 0;
    try {
      // Destroying the request would destroy the connection, so that no response could be sent.
      for await (const part of this.request.iterator({ destroyOnReturn: false })) {
        let rest = part as Buffer;
        size += rest.length;
        if (size > MAX_FILE_BYTES) throw fileTooLarge();
        digest.update(rest);
        while (rest.length > 0) {
          if (free === 0) {
            open = Buffer.allocUnsafe(PIECE_BYTES);
            free = PIECE_BYTES;
            pieces.push(open);
          }
          const taken = rest.copy(open, PIECE_BYTES - free);
          free -= taken;
          rest = rest.subarray(taken);
        }
      }
    } catch (error) {
      // Reads and drops the rest, because many clients read the response only after
      // they have sent everything.
      this.request.resume();
      throw error instanceof ApiError ? error : new BadRequest('The request was aborted', 'ABORTED');
    }
    if (free > 0) pieces[pieces.length - 1] = open.subarray(0, PIECE_BYTES - free);
    return { pieces, size, sha256: digest.digest('hex') };
  }
}

/** 413: the file exceeds the limit. */
const fileTooLarge = (): ApiError =>
  new ApiError(413, 'BODY_TOO_LARGE', `The body is larger than ${Math.floor(MAX_FILE_BYTES / 2 ** 20)} MB`);

/** 415: the body is neither of the types. */
const fileTypeNotTaken = (): ApiError =>
  new ApiError(
    415,
    'CONTENT_TYPE_NOT_TAKEN',
    `The body should be ${Object.values(TYPE_OF_KIND).join(' or ')}`,
  );

const TYPES = [...KIND_OF_TYPE.keys()];

const TheFile = createParamDecorator((_: unknown, context: ExecutionContext): IncomingFile => {
  const request = context.switchToHttp().getRequest<Request>();
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const kind = KIND_OF_TYPE.get(type);
  if (kind === undefined || encoding.toLowerCase() !== 'identity') throw fileTypeNotTaken();
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BYTES) throw fileTooLarge();
  return new IncomingFile(type, kind, request);
});

/** Passes the body as the file of a document. The JSON parser ignores the types of files. */
export const FileBody = (): ParameterDecorator => (prototype, handlerName, index) => {
  declare(prototype, handlerName, {
    file: { types: TYPES, notTaken: fileTypeNotTaken(), tooLarge: fileTooLarge() },
  });
  TheFile()(prototype, handlerName, index);
};
