import { declareConstraintFaults } from '@app/core/errors/constraints';

const taken = { field: 'name', message: 'This contact exists already.' };

declareConstraintFaults({
  contacts_unique_for_user: taken,
  contacts_unique_for_organisation: taken,
});
