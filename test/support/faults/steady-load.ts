import { Agent, request } from 'node:http'

/** Requests that several clients send one after the other, each on a connection that it keeps as long as the server does. */
export interface SteadyLoad {
  /** Status codes and errors, with how often each occurred. */
  outcomes: Map<string, number>
  count(): number
  /** Ends the load after the requests in progress. */
  stop(): Promise<void>
}

export function startLoad(url: string, clients: number, headers: Record<string, string> = {}): SteadyLoad {
  const outcomes = new Map<string, number>()
  const stopping = new AbortController()
  let count = 0
  const send = (agent: Agent) =>
    new Promise<string>((resolve) => {
      const sent = request(url, { agent, headers }, (response) => {
        response.on('error', (error) => resolve(error.message))
        response.on('end', () => resolve(String(response.statusCode)))
        response.resume()
      })
      sent.on('error', (error) => resolve(error.message))
      sent.end()
    })
  const work = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!stopping.signal.aborted) {
      const outcome = await send(agent)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      count++
    }
    agent.destroy()
  }
  const working = Promise.all(Array.from({ length: clients }, work))
  return {
    outcomes,
    count: () => count,
    async stop() {
      stopping.abort()
      await working
    },
  }
}
