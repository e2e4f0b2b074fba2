import fc from 'fast-check'
import { afterAll, afterEach } from 'vitest'
import { returnToPresent } from './clock.ts'
import { failOnSecretsInLogs } from './secrets/secrets-in-logs.ts'

// vitest runs this before every test file. The files of a worker share their modules, so a hook that a module registers
// while it is loaded would apply to the first file only.
afterEach(returnToPresent)
// No log line of a service may contain a secret of its requests (test/logs/secrets.test.ts).
afterAll(failOnSecretsInLogs)

// A property that fails reports its seed and its values at once, so that there is time to run the test again: shrinking the
// values can take longer than the time limit of a test. FUZZ_SEED shrinks them. A machine that is too slow for all runs
// executes fewer, unless FUZZ_REQUESTS says how many.
const { FUZZ_REQUESTS, FUZZ_SEED } = process.env
fc.configureGlobal({ endOnFailure: FUZZ_SEED === undefined, ...(FUZZ_REQUESTS === undefined && { interruptAfterTimeLimit: 60_000 }) })
