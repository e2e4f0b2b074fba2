// oidc-provider, jose and the test clients read the clock of the process, so `travel` moves it for all of them. The service
// under test adds the offset of its own clock.

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

/** Moves the clock of this process forward until the end of the test. */
export function travel(milliseconds: number): void {
  offset += milliseconds
  // Only a cast can replace a constructor that is also callable: no test calls Date() without `new`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  globalThis.Date = MovedDate as unknown as DateConstructor
}

/** Resets the clock of this process to the real time. Runs after every test. */
export function returnToPresent(): void {
  offset = 0
  globalThis.Date = RealDate
}
