import type { Deployment } from '../../qa/deployment';
import { CannotBegin } from '../../qa/session';
import { type PerVariant, type Variant, VARIANTS } from '../../qa/variants';

/** A path that one variant alone serves; without a credential it answers 401. */
const OWN_PATHS: PerVariant<string> = {
  A: '/organisations/1/users/1/apikeys',
  B: '/organisations/1/acls',
};

const UNAUTHENTICATED = 401;

/** Ends the run where the deployment is of another variant: examples would tell hundreds of faults. */
export async function checkVariant(deployment: Deployment, variant: Variant): Promise<void> {
  const serves = async (one: Variant) => {
    const { status } = await deployment.send({ method: 'GET', path: OWN_PATHS[one] });
    return status === UNAUTHENTICATED;
  };
  try {
    if (await serves(variant)) return;
    for (const other of VARIANTS.filter((one) => one !== variant)) {
      if (await serves(other))
        throw new CannotBegin(`This is a service of Variant ${other}: --variant ${other}.`);
    }
  } catch (error) {
    // What cannot be reached is told by the login that follows.
    if (error instanceof CannotBegin) throw error;
  }
}
