import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Returns a function that runs shared work in the current context. Call it when the work is set up. A request that starts the work later,
 * such as by the timer of a writer, would otherwise pass on its context. Errors would then be logged with the id of that request.
 */
export const runOutsideRequests = (): ReturnType<typeof AsyncLocalStorage.snapshot> => AsyncLocalStorage.snapshot()
