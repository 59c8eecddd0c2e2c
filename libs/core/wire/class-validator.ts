import { createRequire } from 'node:module';

type Whole = typeof import('class-validator');

const load = createRequire(__filename);
const loaded = <Name extends keyof Whole>(file: string): Pick<Whole, Name> =>
  load(`class-validator/cjs/${file}`) as Pick<Whole, Name>;

/**
 * The parts of class-validator that are used, from their own files. Its index loads over a hundred checks with two
 * libraries that they need, 320 files in all: a tenth of all that is loaded at the start.
 */
export const { ValidateBy } = loaded<'ValidateBy'>('decorator/common/ValidateBy');
export const { IsIn } = loaded<'IsIn'>('decorator/common/IsIn');
export const { Max } = loaded<'Max'>('decorator/number/Max');
export const { Min } = loaded<'Min'>('decorator/number/Min');
export const { MaxLength } = loaded<'MaxLength'>('decorator/string/MaxLength');
export const { IsBoolean } = loaded<'IsBoolean'>('decorator/typechecker/IsBoolean');
export const { IsInt } = loaded<'IsInt'>('decorator/typechecker/IsInt');
export const { IsString } = loaded<'IsString'>('decorator/typechecker/IsString');
const { Validator } = loaded<'Validator'>('validation/Validator');

/** Says what is wrong with an object, by the decorators of its class. */
export const validator = new Validator();
