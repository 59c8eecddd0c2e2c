import type { ApiPropertyOptions } from '@nestjs/swagger';

/** A declared field of a request or a response, as the interface description shows it. */
interface DescribedField {
  readonly prototype: object;
  readonly name: string | symbol;
  readonly options: ApiPropertyOptions;
}

/**
 * Every declared field, in the order of declaration. They become `@ApiProperty` when the interface is described: a command
 * that reads rows by a shape does not load Swagger.
 */
const fields: DescribedField[] = [];

export const describedFields = (): readonly DescribedField[] => fields;

export const Documented =
  (options: ApiPropertyOptions): PropertyDecorator =>
  (prototype, name) =>
    void fields.push({ prototype, name, options });
