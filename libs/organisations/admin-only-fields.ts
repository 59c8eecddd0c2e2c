import { Injectable } from '@nestjs/common';
import { SettingError } from '@app/core/settings/setting-error';
import { Settings } from '@app/core/settings/settings';
import { writableFieldsNamed } from './organisation-field-rights';
import type { WritableField } from './organisation.types';

/** The fields of `ADMIN_ONLY_FIELDS`. A name is one of either variant: processes of both may share their settings. */
@Injectable()
export class AdminOnlyFields {
  readonly fields: ReadonlySet<WritableField>;

  constructor({ adminOnlyFields }: Settings) {
    const unknown = adminOnlyFields.filter((name) => writableFieldsNamed(name).length === 0);
    if (unknown.length > 0) {
      throw new SettingError(
        'ADMIN_ONLY_FIELDS',
        `names no field that a request sets on an organisation: ${unknown.join(', ')}`,
      );
    }
    this.fields = new Set(adminOnlyFields.flatMap(writableFieldsNamed));
  }
}
