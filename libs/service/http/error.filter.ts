import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Inject,
  Injectable,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { TooBusy } from '@app/platform/concurrency/concurrency-limiter';
import { ApiError, NotFound, TemporarilyUnavailable } from '@app/platform/errors/api-error';
import { DeclaredConstraintErrors } from '@app/platform/errors/constraint-errors';
import { isDriverMessage } from '@app/platform/errors/driver-messages';
import { apiErrorOfDatabaseError, isPoolerMisconfigured } from '@app/platform/errors/sqlstate';
import { writeErrorResponse } from '@app/platform/http/error-response';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { RouteTable } from '@app/security/access/route-table';
import { type AccessState, accessState } from '@app/security/context/access-state';
import { SecretsKeyring } from '@app/security/secrets/encryption';

const NAME_PURPOSE = 'log user-name';

/** Turns every error of a request into the error body. Unexpected errors become a 500 and are logged. */
@Injectable()
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private hasWarnedOfPooler = false;

  constructor(
    private readonly constraintErrors: DeclaredConstraintErrors,
    private readonly keyring: SecretsKeyring,
    private readonly routes: RouteTable,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const { idempotentRequest } = accessState(response);
    if (idempotentRequest === undefined) {
      this.respond(error, request, response);
      return;
    }
    void idempotentRequest
      .fail(error, this.apiErrorOf(error).status)
      .catch((fault: unknown) => fault)
      .then((left) => left !== undefined && this.respond(left, request, response));
  }

  private respond(error: unknown, request: Request, response: Response): void {
    const answer = this.apiErrorOf(error);
    const state = accessState(response);
    state.reason = answer.reason;
    this.traceName(request, state);
    if (answer.reason === 'INTERNAL_ERROR') {
      this.logger.error({ err: error, requestId: state.id }, 'request failed unexpectedly');
    } else if (answer.status === 503) {
      const why = isOwnRefusal(error) ? { because: error.message } : { err: error };
      this.logger.warn({ requestId: state.id, ...why }, 'request could not be served');
    }
    if (response.headersSent) {
      // A part of the response is sent, so only the end of the connection can show the failure to the client.
      response.destroy();
      return;
    }
    // RFC 9110, section 15.5.2. A login needs a password or a code, and no HTTP scheme carries these.
    if (
      answer.status === 401 &&
      state.match !== undefined &&
      this.routes.of(state.match.route.handler).asksForCredential
    ) {
      response.setHeader('WWW-Authenticate', 'Bearer');
    }
    if (state.readyErrorPage === undefined) writeErrorResponse(answer, response);
    else void state.readyErrorPage(answer).then(() => writeErrorResponse(answer, response));
  }

  private adviseOnPooler(error: unknown): void {
    if (this.hasWarnedOfPooler || !isPoolerMisconfigured(error)) return;
    this.hasWarnedOfPooler = true;
    this.logger.error(
      'prepared statements are lost between transactions: DATABASE_URL leads to a pooler in transaction mode, set DATABASE_DIRECT_URL to PostgreSQL itself',
    );
  }

  /** For failed logins, logs a keyed hash of the attempted user name. */
  private traceName(request: Request, state: AccessState): void {
    const name = (request.body as { username?: unknown } | undefined)?.username;
    if (typeof name !== 'string') return;
    const text = name.trim().toLowerCase();
    state.nameDigest = this.keyring.hmac(NAME_PURPOSE, text).toString('hex').slice(0, 32);
  }

  private apiErrorOf(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof HttpException) return apiErrorOfHttpException(error);
    this.adviseOnPooler(error);
    if (error instanceof TooBusy) return new TemporarilyUnavailable(error.retryAfterSeconds);
    if (error instanceof URIError) return new NotFound('Resource');
    return (
      apiErrorOfDatabaseError(error, this.constraintErrors.all) ??
      new ApiError(500, 'INTERNAL_ERROR', 'Internal error')
    );
  }
}

/** An intended 503: its message says everything, and a flood of them needs no stacks. */
const isOwnRefusal = (error: unknown): error is Error =>
  error instanceof TooBusy || (error instanceof ApiError && error.cause === undefined);

/** Nest wraps the errors of Express. */
function apiErrorOfHttpException(error: HttpException): ApiError {
  const status = error.getStatus();
  // Express refuses a path with invalid percent-encoding. It is an unknown path.
  if (status === 404 || isDriverMessage(error.message, 'undecodablePath')) return new NotFound('Resource');
  if (status < 500) return new ApiError(status, 'BAD_REQUEST', error.message);
  return new ApiError(500, 'INTERNAL_ERROR', 'Internal error');
}
