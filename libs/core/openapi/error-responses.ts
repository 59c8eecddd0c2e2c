import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ANSWER_REASONS, FAULT_REASONS } from '../errors/reasons';

/** The texts of one failing field. */
class FieldErrorsResponse {
  @ApiProperty({
    type: [String],
    description: 'What is wrong with the field, one English sentence a fault',
    example: ['This value should not be blank.'],
  })
  errors!: string[];
}

/** The failing fields of a request. */
class ValidationErrorsResponse {
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/FieldErrorsResponse' },
    description: 'The failing fields alone, by the name that they have in the request',
  })
  children!: Record<string, FieldErrorsResponse>;
}

/** The body of every response that is not a success. */
export class ErrorResponse {
  @ApiProperty({ type: 'integer', description: 'The HTTP status', example: 400 })
  code!: number;

  @ApiProperty({
    description: 'What happened, in English; fixed where the response lists it as an example',
    example: 'Validation Failed',
  })
  message!: string;

  @ApiProperty({
    description: 'A stable word for programs; docs/reasons.md says what each means',
    enum: Object.keys(ANSWER_REASONS),
    example: 'VALIDATION_FAILED',
  })
  reason!: string;

  @ApiProperty({
    description: 'The id of this request, as in the X-Request-Id header and in the log of the service',
    example: '0b9d3c6e-5f0e-4c1c-9d52-5f2f6f0a7c11',
  })
  requestId!: string;

  @ApiPropertyOptional({
    type: ValidationErrorsResponse,
    description: 'Only where fields of the request are to blame',
  })
  errors?: ValidationErrorsResponse;

  @ApiPropertyOptional({
    type: 'object',
    description:
      'Only for validation failures: of each failing field the stable word of each text, in their order',
    additionalProperties: { type: 'array', items: { type: 'string', enum: Object.keys(FAULT_REASONS) } },
    example: { name: ['REQUIRED'] },
  })
  reasons?: Record<string, string[]>;
}

export const ERROR_MODELS = [FieldErrorsResponse, ValidationErrorsResponse, ErrorResponse];
