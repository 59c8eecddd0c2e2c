import { Global, Injectable, Module, type DynamicModule } from '@nestjs/common';
import type { ConstraintErrors } from './constraint-errors';

/** The constraint errors of all domains of the application. A constraint that none declares is no client's doing. */
@Injectable()
export class DeclaredConstraintErrors {
  readonly all: ConstraintErrors = {};

  add(errors: ConstraintErrors): void {
    Object.assign(this.all, errors);
  }
}

/** Global for the modules of `forFeature`, and for the error filter. */
@Global()
@Module({ providers: [DeclaredConstraintErrors], exports: [DeclaredConstraintErrors] })
export class ConstraintErrorsModule {
  /** Declares the constraint errors of a domain; imported by the module that also owns the tables. */
  static forFeature(errors: ConstraintErrors): DynamicModule {
    return {
      module: ConstraintErrorsFeature,
      providers: [
        {
          provide: 'CONSTRAINT_ERRORS',
          inject: [DeclaredConstraintErrors],
          useFactory: (declared: DeclaredConstraintErrors) => declared.add(errors),
        },
      ],
    };
  }
}

@Module({})
class ConstraintErrorsFeature {}
