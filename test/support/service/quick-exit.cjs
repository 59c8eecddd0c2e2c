// A worker of jest that has no tests left ends at once (npm test gives this to jest). Node would free the
// memory of all modules first, which takes longer than the half second that jest waits on a busy machine:
// jest would kill the worker and warn of a leak.
if (process.send !== undefined) process.once('exit', () => process.exit());
