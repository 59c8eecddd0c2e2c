// Runs on any Node that knows ES modules, so that an old one gets this message instead of a syntax error.
// Nest is published as ES modules only; requiring those needs Node 20.19 or 22.12 (Node's release notes).
export function assertNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isFit = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;
  if (isFit) return;
  console.error('This needs Node 20.19, 22.12 or newer; here is ' + process.version + '.');
  process.exit(1);
}
