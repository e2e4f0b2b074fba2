import type { HttpProblemStatus } from './problem.ts'

/** A refusal below the operation: HTTP's own, with a status code and, where it helps, words of its own. */
export class HttpError extends Error {
  readonly status: HttpProblemStatus

  constructor(status: HttpProblemStatus, message = '') {
    super(message)
    this.name = 'HttpError'
    this.status = status
  }
}
