import { createHash } from 'node:crypto';
import { contactRecord, documentRecord, invalid, preferences, refused, roleRequired } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

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

const FILES = { pdf: fileOf(PDF), xml: fileOf(XML) };

/** What billing hands over, who reads it, and where its mails lead. */
export const DOCUMENT_SCENARIOS: readonly Scenario[] = [
  scenario(
    'documents',
    'an invoice reaches the books of a customer',
    { needs: ['person', 'mail'], personRoles: 'ROLE_FINANCE' },
    [
      example(
        'asks for the name of a new one',
        ['admin', `PUT ${ONE}`, PDF],
        [400, invalid({ name: ['REQUIRED'] })],
        { headers: asPdf },
      ),
      example(
        'takes no name that is a path',
        ['admin', `PUT ${ONE}`, PDF],
        [400, invalid({ name: ['FORBIDDEN_CHARACTER'] })],
        { query: 'name=..%2Fetc', headers: asPdf },
      ),
      example('looks whether the file is what it says', ['admin', `PUT ${ONE}`, XML], [400, refused(400)], {
        query: 'name=Invoice%202026-001',
        headers: asPdf,
      }),
      example('takes no other files', ['admin', `PUT ${ONE}`, '<html></html>'], [415, refused(415)], {
        query: 'name=Invoice%202026-001',
        headers: { 'content-type': 'text/html' },
      }),
      example('is handed over as PDF', ['admin', `PUT ${ONE}`, PDF], [204], {
        query: 'name=Invoice%202026-001',
        headers: asPdf,
      }),
      example('and as XML', ['admin', `PUT ${ONE}`, XML], [204], { headers: asXml }),
      example('is nothing that a customer hands over', ['person', `PUT ${ONE}`, PDF], [500, roleRequired], {
        headers: asPdf,
      }),
      example(
        'is listed',
        ['person', `GET ${documents}`],
        [200, { total: 1, documents: [documentRecord(FILES)] }],
        {
          query: 'filter=invoice&orderBy=dtCreated',
        },
      ),
      example('is read', ['person', `GET ${ONE}`], [200, { document: documentRecord(FILES) }]),
      example('is downloaded', ['person', `GET ${ONE}/pdf`], [200], { file: PDF }),
      example('is downloaded for a program', ['person', `GET ${ONE}/xml`], [200], { file: XML }),
      example(
        'finds the contact that wants news of group Finance',
        ['person', 'GET /organisations/{organisationId}/users/{userId}/contacts'],
        [
          200,
          {
            contacts: [
              contactRecord({
                id: '<id> as contactId',
                name: '{username}',
                preferences: preferences('System', 'Domain', 'App', 'Finance', 'Job', 'Crm', 'Mail'),
              }),
            ],
          },
        ],
      ),
      example(
        'is mailed',
        ['admin', `POST ${ONE}/send`],
        [200, { document: documentRecord({ ...FILES, dtSent: '<timestamp>' }) }],
      ),
      example(
        'opens to whoever has the link',
        ['nobody', 'GET /downloadpdf/{id}/{contactId}/{hash}'],
        [200],
        { with: link, file: PDF },
      ),
      example('opens as XML too', ['nobody', 'GET /downloadxml/{id}/{contactId}/{hash}'], [200], {
        only: 'A',
        with: link,
        file: XML,
      }),
      example(
        'opens to nobody who guesses',
        ['nobody', 'GET /downloadpdf/{id}/{contactId}/{hash}'],
        [404, refused(404)],
        { with: guessed },
      ),
      example(
        'opens to nobody who guesses XML',
        ['nobody', 'GET /downloadxml/{id}/{contactId}/{hash}'],
        [404, refused(404)],
        { only: 'A', with: guessed },
      ),
      example('is deleted', ['admin', `DELETE ${ONE}`], [204]),
      example(
        'takes its links along',
        ['nobody', 'GET /downloadpdf/{id}/{contactId}/{hash}'],
        [404, refused(404)],
        { with: link },
      ),
    ],
  ),
];
