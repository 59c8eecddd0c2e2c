import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError, BadRequest } from '../errors/api-error';

export const FILE_BODY_METADATA = 'wire:file-body';

/** Bytes of a piece of a file: what is stored and sent at once. */
export const PIECE_BYTES = 262_144;

/** What a route takes as its body instead of JSON. */
export interface FileBodyRule {
  /** Media types, in lower case. */
  readonly types: readonly string[];
  readonly maxBytes: number;
}

/** A file that has arrived whole. */
export interface ReceivedFile {
  /** Of {@link PIECE_BYTES} each, the last of what is left; none of an empty body. */
  readonly pieces: readonly Buffer[];
  readonly size: number;
  /** SHA-256 as hex. */
  readonly sha256: string;
}

/** A file that is the body of a request; nothing of it has been read yet. */
export class IncomingFile {
  constructor(
    /** Its media type, one of those that the route takes. */
    readonly type: string,
    private readonly request: Request,
    private readonly maxBytes: number,
  ) {}

  /** Reads the body into memory: the caller bounds how many are read at once. */
  async read(): Promise<ReceivedFile> {
    const pieces: Buffer[] = [];
    const digest = createHash('sha256');
    let open = Buffer.alloc(0);
    let free = 0;
    let size = 0;
    try {
      // Destroying the request would take the connection along, and the answer with it.
      for await (const part of this.request.iterator({ destroyOnReturn: false })) {
        let rest = part as Buffer;
        size += rest.length;
        if (size > this.maxBytes) throw new FileTooLarge(this.maxBytes);
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
      // The rest is taken and forgotten: to whoever sends it first and listens then, there would be no answer.
      this.request.resume();
      throw error instanceof ApiError ? error : new BadRequest('The request was aborted', 'ABORTED');
    }
    if (free > 0) pieces[pieces.length - 1] = open.subarray(0, PIECE_BYTES - free);
    return { pieces, size, sha256: digest.digest('hex') };
  }
}

/** 413: the file has more bytes than the route takes. */
class FileTooLarge extends ApiError {
  constructor(maxBytes: number) {
    super(413, 'BODY_TOO_LARGE', `The body is larger than ${megabytes(maxBytes)} MB`);
  }
}

/** 415: the route takes other types of files. */
class FileTypeNotTaken extends ApiError {
  constructor(types: readonly string[]) {
    super(415, 'CONTENT_TYPE_NOT_TAKEN', `The body should be ${types.join(' or ')}`);
  }
}

/** What a file is refused for before it is looked into, for the interface description. */
export const fileRefusals = ({ types, maxBytes }: FileBodyRule): readonly [ApiError, ApiError] => [
  new FileTooLarge(maxBytes),
  new FileTypeNotTaken(types),
];

export const megabytes = (bytes: number): number => Math.floor(bytes / 2 ** 20);

const TheFile = createParamDecorator(
  ({ types, maxBytes }: FileBodyRule, context: ExecutionContext): IncomingFile => {
    const request = context.switchToHttp().getRequest<Request>();
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (!types.includes(type) || encoding.toLowerCase() !== 'identity') throw new FileTypeNotTaken(types);
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new FileTooLarge(maxBytes);
    return new IncomingFile(type, request, maxBytes);
  },
);

/** The body as a file of one of the given types. What reads JSON bodies leaves it alone, since it is declared as none. */
export const FileBody =
  (rule: FileBodyRule): ParameterDecorator =>
  (prototype, handlerName, index) => {
    const handler = (prototype as Record<string | symbol, object>)[handlerName ?? ''];
    if (handler !== undefined) Reflect.defineMetadata(FILE_BODY_METADATA, rule, handler);
    TheFile(rule)(prototype, handlerName, index);
  };
