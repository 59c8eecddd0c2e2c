import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { ConstraintErrors } from './api-error';

/** The constraint errors of all domains. */
export class DeclaredConstraintErrors {
  readonly all: ConstraintErrors = {};

  add(errors: ConstraintErrors): void {
    Object.assign(this.all, errors);
  }
}

@Global()
@Module({ providers: [DeclaredConstraintErrors], exports: [DeclaredConstraintErrors] })
export class ConstraintErrorsModule {
  /** Declares the constraint errors of a domain. The module that owns the tables imports it. */
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
