import { setTimeout as delay } from 'node:timers/promises'

/** Polls until `condition` answers something true and answers it; throws after the deadline, in seconds. */
export async function waitFor<T>(condition: () => T | Promise<T>, seconds = 20): Promise<NonNullable<T>> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const found = await condition()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${condition.toString()}`)
    await delay(5)
  }
}
