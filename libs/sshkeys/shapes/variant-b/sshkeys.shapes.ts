import { sshKeyListShape } from '../same-in-both';
import { SshKeysShapes } from '../sshkeys.shapes';

/** SSH keys in Variant B. */
export class SshKeysShapesB extends SshKeysShapes {
  readonly list = sshKeyListShape({ tag: false });
}
