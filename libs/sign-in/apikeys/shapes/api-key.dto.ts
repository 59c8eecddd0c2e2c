import type { FieldDescription } from '@app/platform/dto/described-fields';
import { BooleanField, TextField } from '@app/platform/dto/field.decorators';
import { createShape, type EveryField, updateShape } from '@app/platform/dto/shapes';
import { NAME_RULES } from '@app/platform/dto/text-rules';
import { StepUpCodeField, StepUpPasswordField, stepUpProof } from '@app/security/passwords/step-up-fields';
import type { Proven } from '@app/security/passwords/step-up-proof';
import { canonicalWhitelist, ExpiresField, KEY, WhitelistField } from '@app/sign-in/keys/key.dto';
import type { ApiKeyInput, NewApiKey } from '../api-key.types';

/** Describes the fields of an API key, in requests and responses. */
export const API_KEY = {
  id: { type: 'integer', description: 'Identifier of the API key', example: 8 },
  name: { description: 'What the key is called, for people', example: 'Deployment' },
  whitelist: KEY.whitelist,
} as const satisfies Readonly<Record<string, FieldDescription>>;

/** Body of POST. */
class CreateApiKeyDto {
  @TextField({ max: 255, required: true, rules: NAME_RULES, ...API_KEY.name }) name!: string;
  @WhitelistField() whitelist!: string[];
  @ExpiresField('When the key ends, in Unix seconds; absent: after the longest time') expires?: number;

  @BooleanField({ default: false, description: 'The key allows only GET and HEAD, for as long as it exists' })
  readOnly?: boolean;

  @StepUpPasswordField() password?: unknown;
  @StepUpCodeField() '6digitCode'?: unknown;
}

export const createApiKeyShape = createShape(CreateApiKeyDto, (dto): EveryField<NewApiKey & Proven> => ({
  name: dto.name,
  whitelist: canonicalWhitelist(dto.whitelist),
  expiresAt: dto.expires,
  readOnly: dto.readOnly ?? false,
  proof: stepUpProof(dto),
}));

/** Body of PUT. */
class UpdateApiKeyDto {
  @TextField({ max: 255, required: true, ...API_KEY.name }) name!: string;
  @WhitelistField() whitelist!: string[];

  @StepUpPasswordField() password?: unknown;
  @StepUpCodeField() '6digitCode'?: unknown;
}

export const updateApiKeyShape = updateShape(UpdateApiKeyDto, (dto): ApiKeyInput & Proven => ({
  name: dto.name,
  whitelist: canonicalWhitelist(dto.whitelist),
  proof: stepUpProof(dto),
}));
