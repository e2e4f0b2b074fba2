import { createServer } from 'node:http'

// Loaded with `node --import` before a service starts. It measures the processor time that the main thread spends between two turns of the
// event loop, in which it serves nothing else. Another process that needs the processor does not change this time.

const thousandth = 1000
const processorMilliseconds = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / thousandth
}

let longest = 0
let last = processorMilliseconds()

function endTurn(): void {
  const now = processorMilliseconds()
  longest = Math.max(longest, now - last)
  last = now
}

// A timer of a millisecond is run in each turn that follows one of at least a millisecond.
const measure = () =>
  void setTimeout(() => {
    endTurn()
    measure()
  }, 1).unref()
measure()

/** Responds with the longest turn since the last request. */
createServer((_, response) => {
  endTurn()
  response.end(String(longest))
  longest = 0
})
  .listen(Number(process.env.MEASURE_PORT), '127.0.0.1')
  .unref()
