import { createHash } from 'node:crypto';
import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  StreamableFile,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiError, BadRequest } from '../errors/api-error';
import { Readable } from 'node:stream';
import { declare, declares, type FileBodyRule } from './route-declaration';

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
    /** The media type of the file, which the route accepts. */
    readonly type: string,
    private readonly request: Request,
    private readonly maxBytes: number,
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
      // Reads and drops the rest, because many clients read the response only after they have sent everything.
      this.request.resume();
      throw error instanceof ApiError ? error : new BadRequest('The request was aborted', 'ABORTED');
    }
    if (free > 0) pieces[pieces.length - 1] = open.subarray(0, PIECE_BYTES - free);
    return { pieces, size, sha256: digest.digest('hex') };
  }
}

/** 413: the file exceeds the limit of the route. */
class FileTooLarge extends ApiError {
  constructor(maxBytes: number) {
    super(413, 'BODY_TOO_LARGE', `The body is larger than ${megabytes(maxBytes)} MB`);
  }
}

/** 415: the route does not accept this type. */
class FileTypeNotTaken extends ApiError {
  constructor(types: readonly string[]) {
    super(415, 'CONTENT_TYPE_NOT_TAKEN', `The body should be ${types.join(' or ')}`);
  }
}

/** Errors of a file before its content is read, for the OpenAPI document. */
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

/** Passes the body as a file of one of the given types. The JSON parser ignores those types. */
export const FileBody =
  (rule: FileBodyRule): ParameterDecorator =>
  (prototype, handlerName, index) => {
    declare(prototype, handlerName, { fileBody: rule });
    TheFile(rule)(prototype, handlerName, index);
  };

/** Pieces of a file in memory at once: one being sent, one waiting, one being read. */
const PIECES_IN_MEMORY = 3;

/** A stored file that a client downloads. */
export interface FileToSend {
  /** File name with extension, in the user's spelling. */
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly first: Buffer;
  /** A later piece; undefined if it was deleted. */
  piece(position: number): Promise<Buffer | undefined>;
}

/** Declares a file response of the given type: the handler returns a {@link FileToSend}. */
export const RespondsWithFile = (type: string) =>
  applyDecorators(HttpCode(200), declares({ fileResponse: type, status: 200 }));

/** The type of responses of {@link RespondsWithText}. */
export const PLAIN_TEXT = 'text/plain';

/** A text response. If a handler returned the iterable itself, Nest would stream it without its type. */
export interface TextToSend {
  /** The first piece has been read already. */
  readonly pieces: AsyncIterable<string>;
  /** Called at the end, even if no piece was read. */
  readonly close?: () => Promise<void>;
}

/** Declares a response of plain text: the handler returns a {@link TextToSend}. */
export const RespondsWithText = () => applyDecorators(HttpCode(200), declares({ isText: true, status: 200 }));

/** Streams a text. An error on the way ends the connection, so that half a text does not look complete. */
export function textResponse({ pieces, close }: TextToSend, response: Response): StreamableFile {
  const stream = Readable.from(pieces, { objectMode: false });
  if (close !== undefined) stream.once('close', () => void close());
  const streamed = new StreamableFile(stream, { type: `${PLAIN_TEXT}; charset=utf-8` });
  return streamed.setErrorHandler(() => response.destroy());
}

/** Memory that a file needs while it is sent. */
export const bytesInMemory = ({ size }: FileToSend): number => Math.min(size, PIECES_IN_MEMORY * PIECE_BYTES);

/** Streams a file as an attachment, so that no browser shows it as a page. */
export function fileResponse(file: FileToSend, response: Response): StreamableFile {
  const { name, type, size } = file;
  const pieces = Readable.from(piecesOf(file), { objectMode: false, highWaterMark: 1 });
  const streamed = new StreamableFile(pieces, { type, length: size, disposition: attachment(name) });
  // A normal end would make an incomplete file look complete.
  return streamed.setErrorHandler(() => response.destroy());
}

async function* piecesOf(file: FileToSend): AsyncGenerator<Buffer> {
  yield file.first;
  let sent = file.first.length;
  for (let position = 1; sent < file.size; position++) {
    const bytes = await file.piece(position);
    if (bytes === undefined) throw new Error('The file was deleted while it was sent');
    sent += bytes.length;
    yield bytes;
  }
}

/** RFC 6266: an ASCII name for every client, and the exact name for clients with RFC 8187. */
export function attachment(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.() -]/g, '_');
  const exact = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${exact}`}`;
}
