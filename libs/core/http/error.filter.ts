import {
  Catch,
  HttpException,
  Inject,
  Injectable,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { APP_LOGGER } from '../logging/logger';
import { RouteTable } from '../access/route-table';
import { TooBusy } from '../concurrency/concurrency-limiter';
import { SecretsKeyring } from '../secrets/encryption';
import { subjectOf, traceSubject } from './request-log';
import { isRefusal, type Refusal } from '../refusals/refusal';
import { Refusals } from '../refusals/refusals';
import { ClientAddresses } from '../access/client-addresses';
import { presentedCredential } from '../access/presented-credential';
import { digestOf } from '../secrets/digest';
import { ApiError, NotFound, TemporarilyUnavailable } from '../errors/api-error';
import { DeclaredConstraintErrors } from '../errors/constraint-errors.module';
import type { AnswerReason, FaultReason } from '../errors/reasons';
import { apiErrorOfDatabaseError, isPoolerUntold } from '../errors/sqlstate';

/** The error body of every answer, in both variants; `errors` and `reasons` only for validation failures. */
interface ErrorBody {
  code: number;
  message: string;
  reason: AnswerReason;
  requestId: string;
  errors?: { children: Record<string, { errors: readonly string[] }> };
  reasons?: Record<string, readonly FaultReason[]>;
}

const NAME_PURPOSE = 'log user-name';

/** Turns whatever a request threw into the one error body; what nobody meant to answer becomes a logged 500. */
@Injectable()
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private isPoolerTold = false;

  constructor(
    private readonly routes: RouteTable,
    private readonly constraintErrors: DeclaredConstraintErrors,
    private readonly keyring: SecretsKeyring,
    private readonly addresses: ClientAddresses,
    private readonly refusals: Refusals,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const answer = this.apiErrorOf(error, request);
    response.locals['reason'] = answer.reason;
    this.noteRefusal(answer, request, response, this.traceName(request, response));
    if (answer.reason === 'INTERNAL_ERROR') {
      this.logger.error({ err: error, requestId: request.id }, 'request failed unexpectedly');
    } else if (answer.status === 503) {
      this.logger.warn({ err: error, requestId: request.id }, 'request could not be served');
    }
    if (response.headersSent) {
      // Part of a streamed answer is already out: cutting the connection is the only honest signal left.
      response.destroy();
      return;
    }
    writeErrorResponse(answer, request, response);
  }

  private adviseOnPooler(error: unknown): void {
    if (this.isPoolerTold || !isPoolerUntold(error)) return;
    this.isPoolerTold = true;
    this.logger.error(
      'prepared statements are lost between transactions: a pooler in transaction mode stands before the database, set DATABASE_POOLER=transaction and DATABASE_DIRECT_URL',
    );
  }

  /** Who guesses has no credential: the name that a body gives is traced, by a digest that tells nobody the name. */
  private traceName(request: Request, response: Response): Refusal['name'] {
    const name = (request.body as { username?: unknown } | undefined)?.username;
    if (typeof name !== 'string') return undefined;
    const text = name.trim().toLowerCase();
    const digest = this.keyring.hmac(NAME_PURPOSE, text).toString('hex').slice(0, 32);
    traceSubject(response, { nameDigest: digest });
    return { text, digest };
  }

  private noteRefusal(answer: ApiError, request: Request, response: Response, name: Refusal['name']): void {
    const { userId, credentialKind } = subjectOf(response);
    const credential = presentedCredential(request.headers.authorization);
    const refusal: Refusal = {
      reason: answer.reason,
      address: this.addresses.of(request),
      userId,
      credentialKind,
      name,
      ...(answer.reason === 'UNAUTHORISED' &&
        credential !== undefined && { credentialDigest: digestOf(credential) }),
    };
    if (isRefusal(answer.status, refusal)) this.refusals.note(refusal);
  }

  private apiErrorOf(error: unknown, request: Request): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof HttpException) return this.apiErrorOfHttpException(error, request);
    this.adviseOnPooler(error);
    if (error instanceof TooBusy) return new TemporarilyUnavailable(error.retryAfterSeconds);
    if (error instanceof URIError) return new NotFound('Resource');
    return (
      apiErrorOfDatabaseError(error, this.constraintErrors.all) ??
      new ApiError(500, 'INTERNAL_ERROR', 'Internal error')
    );
  }

  /** Nest throws by itself for paths that no handler serves, and wraps what express refuses. */
  private apiErrorOfHttpException(error: HttpException, request: Request): ApiError {
    const status = error.getStatus();
    if (status === 404) {
      // Nest's own handler for unknown paths is mounted at the prefix, which express takes out of `path`.
      const allowed = this.routes.methodsOf(`${request.baseUrl}${request.path}`);
      if (allowed.length === 0) return new NotFound('Resource');
      return methodNotAllowed(allowed);
    }
    // Express refuses a path with broken percent-encoding: such a path names nothing.
    if (error.message.startsWith('Failed to decode param')) return new NotFound('Resource');
    if (status < 500) return new ApiError(status, 'BAD_REQUEST', error.message);
    return new ApiError(500, 'INTERNAL_ERROR', 'Internal error');
  }
}

/** Writes the error body; for what answers before Nest does, too. */
export function writeErrorResponse(answer: ApiError, request: Request, response: Response): void {
  response.locals['reason'] = answer.reason;
  response
    .status(answer.status)
    .set(answer.headers)
    .json(errorBody(answer, String(request.id)));
}

/** A known path with another method. */
export const methodNotAllowed = (allowed: readonly string[]): ApiError =>
  new ApiError(405, 'METHOD_NOT_ALLOWED', 'Method not allowed', { headers: { Allow: allowed.join(', ') } });

/** What a response says of an error. */
export function errorBody(answer: ApiError, requestId: string): ErrorBody {
  const body: ErrorBody = {
    code: answer.status,
    message: answer.message,
    reason: answer.reason,
    requestId,
  };
  if (answer.fields !== undefined) {
    const fields = Object.entries(answer.fields);
    body.errors = {
      children: Object.fromEntries(
        fields.map(([field, faults]) => [field, { errors: faults.map(({ message }) => message) }]),
      ),
    };
    body.reasons = Object.fromEntries(
      fields.map(([field, faults]) => [field, faults.map(({ reason }) => reason)]),
    );
  }
  return body;
}
