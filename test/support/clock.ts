import { afterEach } from 'vitest'

// oidc-provider, jose and the clients of the tests read the clock of the process itself: to move it moves them all, the
// service of the test with them, which adds its own offset to it.

const RealDate = Date
let offset = 0

class MovedDate extends RealDate {
  constructor(...values: [] | [string | number | Date]) {
    if (values.length === 0) super(RealDate.now() + offset)
    else super(...values)
  }
  static override now() {
    return RealDate.now() + offset
  }
  static override [Symbol.hasInstance](value: unknown) {
    return value instanceof RealDate
  }
}

/** Moves the clock of this process on, until the end of the test. */
export function travel(milliseconds: number): void {
  offset += milliseconds
  globalThis.Date = MovedDate as unknown as DateConstructor
}

afterEach(() => {
  offset = 0
  globalThis.Date = RealDate
})
