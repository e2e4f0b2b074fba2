/**
 * Resolves with the first of these signals after the call. Call it before start-up, so that a signal during start-up stops the parts that
 * have started. A second signal ends the process at once; the database survives that.
 */
export function stopSignal(...signals: NodeJS.Signals[]): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (isStopping) process.exit(1)
      isStopping = true
      resolve(signal)
    }
    for (const signal of signals) process.on(signal, onSignal)
  })
}
