/** Returns true if a request was cancelled, for example because its client disconnected. */
export type IsCancelled = () => boolean

/** The error of the statements of a cancelled request. */
export class CancelledError extends Error {
  constructor() {
    super('the request was cancelled')
    this.name = 'CancelledError'
  }
}
