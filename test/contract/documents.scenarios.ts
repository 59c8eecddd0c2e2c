import { createHash } from 'node:crypto';
import type { Scenario } from '../../qa/scenario';
import { invalid, preferences, refused, roleRequired } from './responses';

const documents = '/organisations/{organisationId}/documents';
const ONE = `${documents}/{documentId}`;
const link = { id: '{documentId}', hash: '{documentHash}' } as const;
const guessed = { id: '{documentId}', hash: '0'.repeat(64) } as const;

const PDF = '%PDF-1.7\n% Invoice 2026-001 of QA\n%%EOF\n';
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n<Invoice><ID>2026-001</ID></Invoice>\n';
const asPdf = { 'content-type': 'application/pdf' } as const;
const asXml = { 'content-type': 'application/xml' } as const;

const fileOf = (content: string) => ({
  size: Buffer.byteLength(content),
  sha256: createHash('sha256').update(content).digest('hex'),
});

const DOCUMENT = {
  id: '{documentId}',
  name: 'Invoice 2026-001',
  dtCreated: '<timestamp>',
  dtChanged: '<timestamp>',
  dtSent: '',
  pdf: fileOf(PDF),
  xml: fileOf(XML),
} as const;

/** What billing hands over, who reads it, and where its mails lead. */
export const DOCUMENT_SCENARIOS: readonly Scenario[] = [
  {
    area: 'documents',
    title: 'an invoice reaches the books of a customer',
    needs: ['person', 'mail'],
    personRoles: 'ROLE_FINANCE',
    examples: [
      {
        title: 'asks for the name of a new one',
        operation: `PUT ${ONE}`,
        as: 'admin',
        headers: asPdf,
        body: PDF,
        status: 400,
        response: invalid({ name: ['REQUIRED'] }),
      },
      {
        title: 'takes no name that is a path',
        operation: `PUT ${ONE}`,
        query: 'name=..%2Fetc',
        as: 'admin',
        headers: asPdf,
        body: PDF,
        status: 400,
        response: invalid({ name: ['FORBIDDEN_CHARACTER'] }),
      },
      {
        title: 'looks whether the file is what it says',
        operation: `PUT ${ONE}`,
        query: 'name=Invoice%202026-001',
        as: 'admin',
        headers: asPdf,
        body: XML,
        status: 400,
        response: refused(400),
      },
      {
        title: 'takes no other files',
        operation: `PUT ${ONE}`,
        query: 'name=Invoice%202026-001',
        as: 'admin',
        headers: { 'content-type': 'text/html' },
        body: '<html></html>',
        status: 415,
        response: refused(415),
      },
      {
        title: 'is handed over as PDF',
        operation: `PUT ${ONE}`,
        query: 'name=Invoice%202026-001',
        as: 'admin',
        headers: asPdf,
        body: PDF,
        status: 204,
      },
      { title: 'and as XML', operation: `PUT ${ONE}`, as: 'admin', headers: asXml, body: XML, status: 204 },
      {
        title: 'is nothing that a customer hands over',
        operation: `PUT ${ONE}`,
        as: 'person',
        headers: asPdf,
        body: PDF,
        status: 500,
        response: roleRequired,
      },
      {
        title: 'is listed',
        operation: `GET ${documents}`,
        query: 'filter=invoice&orderBy=dtCreated',
        as: 'person',
        status: 200,
        response: { total: 1, documents: [DOCUMENT] },
      },
      {
        title: 'is read',
        operation: `GET ${ONE}`,
        as: 'person',
        status: 200,
        response: { document: DOCUMENT },
      },
      { title: 'is downloaded', operation: `GET ${ONE}/pdf`, as: 'person', status: 200, file: PDF },
      {
        title: 'is downloaded for a program',
        operation: `GET ${ONE}/xml`,
        as: 'person',
        status: 200,
        file: XML,
      },
      {
        title: 'finds the contact that wants news of group Finance',
        operation: 'GET /organisations/{organisationId}/users/{userId}/contacts',
        as: 'person',
        status: 200,
        response: {
          contacts: [
            {
              id: '<id> as contactId',
              type: 'email',
              name: '{username}',
              preferences: preferences('System', 'Domain', 'App', 'Finance', 'Job', 'Crm', 'Mail'),
            },
          ],
        },
      },
      {
        title: 'is mailed',
        operation: `POST ${ONE}/send`,
        as: 'admin',
        status: 200,
        response: { document: { ...DOCUMENT, dtSent: '<timestamp>' } },
      },
      {
        title: 'opens to whoever has the link',
        operation: 'GET /downloadpdf/{id}/{contactId}/{hash}',
        with: link,
        status: 200,
        file: PDF,
      },
      {
        title: 'opens as XML too',
        only: 'A',
        operation: 'GET /downloadxml/{id}/{contactId}/{hash}',
        with: link,
        status: 200,
        file: XML,
      },
      {
        title: 'opens to nobody who guesses',
        operation: 'GET /downloadpdf/{id}/{contactId}/{hash}',
        with: guessed,
        status: 404,
        response: refused(404),
      },
      {
        title: 'opens to nobody who guesses XML',
        only: 'A',
        operation: 'GET /downloadxml/{id}/{contactId}/{hash}',
        with: guessed,
        status: 404,
        response: refused(404),
      },
      { title: 'is deleted', operation: `DELETE ${ONE}`, as: 'admin', status: 204 },
      {
        title: 'takes its links along',
        operation: 'GET /downloadpdf/{id}/{contactId}/{hash}',
        with: link,
        status: 404,
        response: refused(404),
      },
    ],
  },
];
