import type { HttpProblemStatus } from './problem.ts'

/** An error of HTTP itself, before an operation runs, with a status code and an optional message. */
export class HttpError extends Error {
  readonly status: HttpProblemStatus

  constructor(status: HttpProblemStatus, message = '') {
    super(message)
    this.name = 'HttpError'
    this.status = status
  }
}
