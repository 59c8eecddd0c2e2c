import { operationIdOf } from './operation-ids';

it.each([
  ['ContactsController', 'create', 'contactsCreate'],
  ['OrganisationsControllerA', 'listBeneath', 'organisationsListBeneath'],
  ['PdfDownloadController', 'download', 'pdfDownload'],
  ['PasskeyLoginController', 'login', 'passkeyLogin'],
  ['PasskeyLoginController', 'options', 'passkeyLoginOptions'],
  ['IntrospectionController', 'introspect', 'introspect'],
  ['RegistrationController', 'registerWithoutToken', 'registerWithoutToken'],
  ['Tokens2faController', 'list', 'tokens2faList'],
])('names %s.%s %s', (controller, method, name) => {
  expect(operationIdOf(controller, method)).toBe(name);
});
