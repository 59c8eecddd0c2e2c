import type { EntityManager } from 'typeorm';

/** Something that is stored twice, or must hold over several rows, and how it is put right. */
export interface Check {
  readonly name: string;
  /** What it finds, for a person: in one line, and what there is to do where nothing repairs it. */
  readonly finds: string;
  /** A cheap question: where it gives no row, nothing can be wrong and `wrong` is not asked. */
  readonly suspect?: string;
  /** One row for each thing that is wrong, with its name in the column `example`. */
  readonly wrong: string;
  /** Statements that put all of it right, in one transaction. */
  readonly repair?: readonly string[];
  /** What is wrong may be from before the rule, and stays: worth knowing, no reason to worry. */
  readonly mayStay?: boolean;
}

/** Checks that follow from what the database itself says about its schema. */
export type CheckReader = (manager: EntityManager) => Promise<Check[]>;
