import type { OpenAPIObject } from '@nestjs/swagger';
import type { ApiError } from '../errors/api-error';
import { errorBody } from '../http/error.filter';

/** Any request id: every response has another. */
const SOME_REQUEST_ID = '0b9d3c6e-5f0e-4c1c-9d52-5f2f6f0a7c11';

/** The examples of errors: many operations share each, and each stands in the document once. */
export class ErrorExamples {
  readonly components: NonNullable<NonNullable<OpenAPIObject['components']>['examples']> = {};

  /** The reference to the example of an error, which is kept. */
  shared(name: string, error: ApiError): { $ref: string } {
    this.components[name] = { summary: error.message, value: errorBody(error, SOME_REQUEST_ID) };
    return { $ref: `#/components/examples/${name}` };
  }
}
