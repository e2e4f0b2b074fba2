import { texts } from './generated/texts.ts'

// The operations that GraphiQL offers: the documents in dashboards/, which tests run with the clients of applications.

const day = 86_400_000

/** Returns variables for the documents that have some, in whole days from this time, in UTC. */
export function variablesAt(now: Date) {
  const inDays = (days: number) => new Date(Math.floor(now.getTime() / day + days) * day).toISOString()
  return {
    'audit-timeline': { since: inDays(-30) },
    'invoices-by-month': { since: inDays(-365).slice(0, 10) },
    'token-inventory': { expiresBefore: inDays(30), unusedSince: inDays(-90) },
  } satisfies Partial<Record<keyof typeof texts, object>>
}

/** Returns links to the examples. The title is the first line of the document up to the colon. */
export function examplesAt(now: Date): { title: string; href: string }[] {
  const variables: Record<string, object> = variablesAt(now)
  return Object.entries(texts).map(([name, query]) => {
    const parameters = new URLSearchParams({ query, ...(variables[name] && { variables: JSON.stringify(variables[name], null, 2) }) })
    return { title: /^# ([^:]+):/.exec(query)?.[1] ?? name, href: `?${parameters.toString()}` }
  })
}
