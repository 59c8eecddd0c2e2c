import 'reflect-metadata';
import './variants/variants.module';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getMetadataStorage, type MetadataStorage, ValidationTypes } from 'class-validator';
import type { ConstraintErrors } from '@app/platform/errors/api-error';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import { reasonsDocument } from '../../tools/docs/reasons.cjs';
import { ANSWER_REASONS, FIELD_ERROR_REASONS } from './reasons';

const LIBS = resolve(__dirname, '..');

const sources = readdirSync(LIBS, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /(?<!\.spec)\.ts$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));

const texts = sources.map((file) => readFileSync(file, 'utf8'));

/** Words that only one variant uses; unused after its removal. */
const SAID_BY_ONE: PerVariant<readonly string[]> = {
  A: [],
  B: ['ADMIN_PASSWORD_KEPT', 'AREA_NOT_HERE'],
};

const saidByNobody = Object.entries(SAID_BY_ONE).flatMap(([variant, words]) =>
  VARIANTS.some((name) => name === variant) ? [] : words,
);

type Check = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

/** Every check of every field of every request, of both variants. */
function checksOfAllRequests(): Check[] {
  const storage = getMetadataStorage() as unknown as { validationMetadatas: Map<object, Check[]> };
  return [...storage.validationMetadatas.values()].flat();
}

/** A check whose errors depend on the value gets their words from the code that makes them. */
const hasWord = (context: { reason?: string; faultsOf?: unknown } | undefined): boolean =>
  Object.hasOwn(FIELD_ERROR_REASONS, context?.reason ?? '') || typeof context?.faultsOf === 'function';

/** Tables without the blanks and dashes that prettier lines them up with. */
const bare = (text: string): string => text.replaceAll(/[ \t]+/g, ' ').replaceAll(/-{3,}/g, '---');

/** What each file of constraint errors exports. */
function declaredConstraintErrors(): [name: string, error: ConstraintErrors[string]][] {
  return sources
    .filter((file) => readFileSync(file, 'utf8').includes('_CONSTRAINT_ERRORS: ConstraintErrors'))
    .flatMap((file) => Object.entries(jest.requireActual<Record<string, unknown>>(file)))
    .filter(([name]) => name.endsWith('_CONSTRAINT_ERRORS'))
    .flatMap(([, errors]) => Object.entries(errors as ConstraintErrors));
}

describe('the word of a fault', () => {
  it('stands beside the text of every check of every field', () => {
    const checks = checksOfAllRequests();
    const without = checks
      .filter(({ type, context }) => type !== ValidationTypes.CONDITIONAL_VALIDATION && !hasWord(context))
      .map(({ target, propertyName, name }) => `${String(target)} ${propertyName}: ${String(name)}`);
    expect(without).toEqual([]);
    expect(checks.length).toBeGreaterThan(100);
  });

  it('stands beside the text of every violated constraint', () => {
    const errors = declaredConstraintErrors();
    const without = errors.filter(
      ([, { field, reason }]) =>
        !Object.hasOwn(field === undefined ? ANSWER_REASONS : FIELD_ERROR_REASONS, reason),
    );
    expect(without).toEqual([]);
    expect(errors.length).toBeGreaterThan(30);
  });

  it('stands in docs/reasons.md (npm run docs)', () => {
    const page = readFileSync(resolve(LIBS, '../docs/reasons.md'), 'utf8');
    expect(bare(page)).toBe(bare(reasonsDocument({ ANSWER_REASONS, FIELD_ERROR_REASONS })));
  });

  it.each(Object.keys({ ...ANSWER_REASONS, ...FIELD_ERROR_REASONS }))('%s is said somewhere', (word) => {
    expect(texts.some((text) => text.includes(`'${word}'`))).toBe(!saidByNobody.includes(word));
  });
});
