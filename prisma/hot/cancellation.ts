import { AsyncLocalStorage } from 'node:async_hooks'

/** Whether a request was cancelled, for example because its client disconnected. */
export type IsCancelled = () => boolean

/** Rejects the statements of a cancelled request. */
export class CancelledError extends Error {
  constructor() {
    super('the request was cancelled')
    this.name = 'CancelledError'
  }
}

/** The request of the statements that Prisma's query builder sends, if they can be cancelled. */
export const cancellableRequest = new AsyncLocalStorage<IsCancelled>()
