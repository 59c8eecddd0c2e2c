import { join } from 'node:path';

/** The entities of all domains: commands use the services' functions, whichever entity these write. */
export const ENTITY_FILES = join(__dirname, '../../libs/**/*.entity.{ts,js}');
