// Plays a scene under load and judges it by that load.
import { figuresOfLoad } from '../figures.mjs';
import { Answers, Load } from '../load.mjs';
import { verify } from '../verify.mjs';

/** The ports of the proxy, as targets. */
export const throughProxy = ({ front }) =>
  Object.entries(front.ports).map(([variant, port]) => ({ name: `proxy-${variant}`, port }));

/** Runs work under load; returns its figures. */
export async function underLoad(stage, { targets, writers, readers, ...options }, act) {
  const answers = new Answers();
  const load = new Load({ targets, writers, readers, answers });
  load.start();
  try {
    await act(load);
  } finally {
    await load.stop();
  }
  await stage.nodesReady();
  const { ask, mail } = { ...stage, ...options };
  const found = await verify({
    ledger: load.ledger,
    mail,
    ask,
    target: options.target ?? stage.nodes[0],
    ...options,
  });
  return { answers, found, figures: figuresOfLoad([found], answers, options) };
}
