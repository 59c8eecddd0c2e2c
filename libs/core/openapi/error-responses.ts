import { ApiProperty, ApiPropertyOptional, getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import type { Operation } from '../access/privileges';
import { ANSWER_REASONS, FAULT_REASONS } from '../errors/reasons';
import type { ServedRoute } from '../access/route-table';

type Responses = NonNullable<OpenAPIObject['paths'][string]['get']>['responses'];

/** The body of every response that is not a success. */
export class ErrorResponse {
  @ApiProperty({ type: 'integer', description: 'The HTTP status', example: 400 })
  code!: number;

  @ApiProperty({ example: 'Validation Failed' })
  message!: string;

  @ApiProperty({
    description: 'A stable word for programs; docs/reasons.md says what each means',
    enum: Object.keys(ANSWER_REASONS),
    example: 'VALIDATION_FAILED',
  })
  reason!: string;

  @ApiProperty({ description: 'Also in the X-Request-Id header and in the log' })
  requestId!: string;

  @ApiPropertyOptional({
    type: 'object',
    description: 'Only for validation failures: the failing fields',
    properties: {
      children: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { errors: { type: 'array', items: { type: 'string' } } },
        },
      },
    },
    additionalProperties: false,
  })
  errors?: { children: Record<string, { errors: string[] }> };

  @ApiPropertyOptional({
    type: 'object',
    description:
      'Only for validation failures: of each failing field the stable word of each text, in their order',
    additionalProperties: { type: 'array', items: { type: 'string', enum: Object.keys(FAULT_REASONS) } },
    example: { name: ['REQUIRED'] },
  })
  reasons?: Record<string, string[]>;
}

/** Operations with a credential that are tried only so often. */
const COUNTED: ReadonlySet<Operation> = new Set<Operation>(['users.changePassword', 'recoveryCodes.create']);

/** The responses other than success that a route can give, by what it declares and whether it reads a body. */
export function errorResponses(
  route: Pick<ServedRoute, 'operation' | 'path'>,
  takesBody: boolean,
): Responses {
  const refusals: [status: string, description: string][] = [['400', 'The request is refused; see `errors`']];
  if (route.operation !== undefined) {
    refusals.push(['401', 'The credential is missing, unknown, expired or revoked']);
    refusals.push(['403', 'The caller has no access to what is addressed']);
    refusals.push(['500', 'The caller lacks the role for the operation']);
  } else {
    refusals.push(['401', 'Bad credentials']);
  }
  if (route.operation === undefined || COUNTED.has(route.operation)) {
    refusals.push(['429', 'Too many attempts; see Retry-After']);
  }
  if (takesBody) {
    refusals.push(['413', 'The body is larger than 100 kB']);
    refusals.push(['415', 'The body is no JSON']);
  }
  if (route.path.includes(':') || route.operation === undefined) {
    refusals.push(['404', 'What is addressed does not exist']);
  }
  refusals.push(['503', 'Temporarily unavailable; see Retry-After']);
  return Object.fromEntries(
    refusals.map(([status, description]) => [
      status,
      { description, content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorResponse) } } } },
    ]),
  );
}
