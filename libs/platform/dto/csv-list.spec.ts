import { parseCsvList } from './text-rules';

it.each([
  ['', []],
  [' , ,', []],
  ['ROLE_MAIL', ['ROLE_MAIL']],
  ['ROLE_MAIL, ROLE_APP ,ROLE_MAIL', ['ROLE_MAIL', 'ROLE_APP']],
  [',3,, 1\t,\n2,', ['3', '1', '2']],
  ['mail,Mail', ['mail', 'Mail']],
])('%j gives %j', (text, items) => expect(parseCsvList(text)).toEqual(items));
