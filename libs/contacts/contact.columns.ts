import { columnsOf } from '@app/core/paging/column-table';
import type { ContactDetails } from './contact.types';

/** A contact. */
export const CONTACT_COLUMNS = columnsOf<ContactDetails>('contacts c')({
  id: { read: 'c.id', order: true },
  type: { read: 'c.type', order: true },
  name: { read: 'c.name', order: true },
  groups: { read: 'c.groups', order: false },
});
