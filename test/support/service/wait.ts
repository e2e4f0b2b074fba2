import { setTimeout as delay } from 'node:timers/promises'

/** Polls until `condition` returns a truthy value, and returns that value. Throws after the time limit, which `travel` does not move. */
export async function waitFor<T>(condition: () => T | Promise<T>, seconds = 60): Promise<NonNullable<T>> {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    const result = await condition()
    if (result) return result
    if (performance.now() > deadline) throw new Error(`The condition was not met within ${seconds} s: ${condition.toString()}`)
    await delay(5)
  }
}
