/**
 * Whether this is the full suite, `npm run test:full`. Otherwise killed processes, races and random requests have fewer
 * repetitions, pages are tested in fewer themes and sizes, and tests that start several processes for a detail are left out:
 * `test.runIf(isFull)`.
 */
export const isFull = process.env.TEST_FULL === '1'

/** Returns a number of repetitions: `short` in `npm test`, `full` in the full suite. */
export const repetitions = ({ short, full }: { short: number; full: number }) => (isFull ? full : short)

/** Returns the fast-check parameters of a property test. FUZZ_REQUESTS and FUZZ_SEED override the defaults. */
export function fuzzing(defaults: { short: number; full: number }): { numRuns: number; seed?: number } {
  const { FUZZ_REQUESTS: runs, FUZZ_SEED: seed } = process.env
  return { numRuns: Number(runs ?? repetitions(defaults)), ...(seed !== undefined && { seed: Number(seed) }) }
}
