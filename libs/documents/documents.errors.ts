import { BadRequest, ValidationFailed } from '@app/core/errors/api-error';
import { limitReached, type ConstraintErrors } from '@app/core/errors/constraint-errors';
import { fault } from '@app/core/errors/fault';
import { DOCUMENTS_OF_ORGANISATION } from './documents.limits';

const TOO_MANY = `An organisation has at most ${DOCUMENTS_OF_ORGANISATION} documents.`;

export const DOCUMENT_CONSTRAINT_ERRORS: ConstraintErrors = {
  documents_limit_of_organisation: limitReached(TOO_MANY),
};

/** The same for the interface description. */
export const tooManyDocuments = (): BadRequest => new BadRequest(TOO_MANY, 'LIMIT_REACHED');

/** 400: the file is not what its type says. */
export class ContentMismatch extends BadRequest {
  constructor(type: string) {
    super(`The body does not begin as ${type} does`, 'CONTENT_MISMATCH');
  }
}

/** 400: no path of this variant leads to what there is of the document. */
export class NothingToSend extends BadRequest {
  constructor() {
    super('The document has no PDF, which alone links lead to here', 'NOTHING_TO_SEND');
  }
}

/** 400: another organisation has a document of that identifier. */
export const documentIdTaken = (): ValidationFailed =>
  ValidationFailed.on(
    'documentId',
    fault('ALREADY_TAKEN', 'Another organisation has a document with this identifier.'),
  );
