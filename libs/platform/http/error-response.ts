import type { Response } from 'express';
import { requestState } from '../context/request-state';
import type { ApiError } from '../errors/api-error';
import type { AnswerReason, FieldErrorReason } from '../errors/reasons';

/** The error body of both variants; only validation errors have `errors` and `reasons`. */
interface ErrorBody {
  code: number;
  message: string;
  reason: AnswerReason;
  requestId: string;
  errors?: { children: Record<string, { errors: readonly string[] }> };
  reasons?: Record<string, readonly FieldErrorReason[]>;
}

/** Sends an error response and stores its reason for the log line. */
export function writeErrorResponse(error: ApiError, response: Response): void {
  const state = requestState(response);
  state.reason = error.reason;
  response.status(error.status).set(error.headers);
  if (state.errorPage === undefined) response.json(errorBody(error, state.id));
  else response.type('html').send(state.errorPage(error));
}

export function errorBody(error: ApiError, requestId: string): ErrorBody {
  const { status: code, message, reason } = error;
  const body: ErrorBody = { code, message, reason, requestId };
  if (error.fields !== undefined) {
    const fields = Object.entries(error.fields);
    body.errors = {
      children: Object.fromEntries(
        fields.map(([field, faults]) => [field, { errors: faults.map((fault) => fault.message) }]),
      ),
    };
    body.reasons = Object.fromEntries(
      fields.map(([field, faults]) => [field, faults.map((fault) => fault.reason)]),
    );
  }
  return body;
}
