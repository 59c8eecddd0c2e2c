import { declareConstraintFaults } from '@app/core/errors/constraints';

declareConstraintFaults({
  ssh_keys_key_unique: { field: 'content', message: 'This key is already in use.' },
});
