import { fault, type Fault } from '@app/core/errors/fault';
import { parseCsvList } from '@app/core/text/csv-list';
import { TextField } from '@app/core/wire/field.decorators';
import { CONTACT_GROUPS, isContactGroup } from '../contact.types';

/** The groups that a contact is told about, as one comma-separated text. */
export const GroupsField = (): PropertyDecorator =>
  TextField({
    max: 1000,
    description: `Comma-separated groups of notifications that go to the contact, of ${CONTACT_GROUPS.join(', ')}; empty for none`,
    example: 'System,Finance',
    check: validateGroups,
  });

function validateGroups(text: string): readonly Fault[] {
  const unknown = parseCsvList(text).filter((group) => !isContactGroup(group));
  return unknown.map((group) => fault('DOES_NOT_EXIST', `Unknown group: ${group}.`));
}
