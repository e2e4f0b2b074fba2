/**
 * Resolves with the first SIGINT or SIGTERM, from the moment it is called: a signal during start is not lost, it
 * stops what has started by then. A second one ends the process where it stands; the database survives that.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (isStopping) process.exit(1)
      isStopping = true
      resolve(signal)
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  })
}
