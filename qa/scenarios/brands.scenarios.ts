import { brandRecord, invalid, refused, roleRequired } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const brand = '/organisations/{organisationId}/brand';

const WHOLE = {
  name: 'Kantoor {unique}',
  supportUrl: 'help@kantoor.example',
  panelUrl: 'https://panel.kantoor.example',
  colour: '#7a1f5c',
};

/** In whose name the people of an organisation get mails and pages. */
export const BRAND_SCENARIOS: readonly Scenario[] = [
  scenario('brands', 'the operator gives an organisation a brand', { needs: ['person'] }, [
    example('has none at first', ['admin', `GET ${brand}`], [404, refused(404)]),
    example(
      'needs a name',
      ['admin', `PUT ${brand}`, { colour: '#7a1f5c' }],
      [400, invalid({ name: ['REQUIRED'] })],
    ),
    example(
      'looks at what it is told',
      [
        'admin',
        `PUT ${brand}`,
        { name: ' ', supportUrl: 'help', panelUrl: 'https://panel.example/?a', colour: '#ffff00' },
      ],
      [
        400,
        invalid({
          name: ['REQUIRED'],
          supportUrl: ['INVALID'],
          panelUrl: ['INVALID'],
          colour: ['CONTRAST_TOO_LOW'],
        }),
      ],
    ),
    example('is made', ['admin', `PUT ${brand}`, { ...WHOLE, colour: '#7A1F5C' }], [204]),
    example('is read by a user', ['person', `GET ${brand}`], [200, { brand: brandRecord(WHOLE) }]),
    example('knows yes and no', ['person', `GET ${brand}`], [400, invalid({ nearest: ['NOT_A_CHOICE'] })], {
      query: 'nearest=maybe',
    }),
    example(
      'is changed by what is named',
      ['admin', `PUT ${brand}`, { supportUrl: null, colour: '' }],
      [204],
    ),
    example(
      'keeps the rest',
      ['admin', `GET ${brand}`],
      [200, { brand: brandRecord({ ...WHOLE, supportUrl: '', colour: '' }) }],
    ),
    example('is not for customers to write', ['person', `PUT ${brand}`, WHOLE], [500, roleRequired]),
    example('is not for customers to take away', ['person', `DELETE ${brand}`], [500, roleRequired]),
    example('is taken away', ['admin', `DELETE ${brand}`], [204]),
    example('is gone', ['admin', `DELETE ${brand}`], [404, refused(404)]),
  ]),
];
