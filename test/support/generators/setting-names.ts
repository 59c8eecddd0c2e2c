import { FORMER_NAMES, readSettings } from '../../../config/env';

/** The names of all settings that the service reads, without those of release 1.0.0. */
export function settingNames(): Set<string> {
  const names = new Set<string>();
  readSettings(new Proxy({}, { get: (_, name) => void names.add(String(name)) }));
  for (const former of Object.keys(FORMER_NAMES)) names.delete(former);
  return names;
}
