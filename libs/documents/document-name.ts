import { fault, type FoundFaults } from '@app/core/errors/fault';
import type { DocumentKind } from './document.types';

/** Characters that end or hide a part of a file name somewhere, those that turn the writing direction among them. */
const NOT_IN_A_NAME = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}/\\:*?"<>|]/u;

/** What is wrong with the name of a document, under which it is saved as a file. */
export function validateName(name: string): FoundFaults {
  if (!NOT_IN_A_NAME.test(name) && !name.startsWith('.') && name !== '') return undefined;
  return fault(
    'FORBIDDEN_CHARACTER',
    'A name should not begin with a dot, nor hold control characters or one of / \\ : * ? " < > |.',
  );
}

/** The name of a file of a document: with the extension of its kind, once. */
export const fileNameOf = (name: string, kind: DocumentKind): string =>
  `${name.replace(/\.(pdf|xml)$/i, '')}.${kind}`;
