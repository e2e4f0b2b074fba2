import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { counters, gauges, histograms } from '../../src/metrics/declarations.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import { graphql } from '../support/http/graphql.ts'
import { authorize, createClient, createPerson, exchangeCode } from '../support/oauth/oauth.ts'
import { reservePort } from '../support/processes/port.ts'
import { usePair } from '../support/processes/service-pair.ts'
import { alertExpressions, alertNames, dashboardExpressions, namesIn } from '../support/metrics/promql.ts'
import { parseMetrics } from '../support/metrics/prometheus-text.ts'
import type { Sample } from '../support/metrics/prometheus-text.ts'
import { isFull } from '../support/service/full.ts'
import { waitFor } from '../support/service/wait.ts'
import { insertDelivery } from '../support/webhooks/delivery-row.ts'

const { port, release } = reservePort()
release()
// Two workers in the full suite, so that their metrics are added.
const service = usePair({ METRICS_PORT: String(port), WEB_CONCURRENCY: isFull ? '2' : '1' }, { processes: 1 })
const metricsUrl = `http://127.0.0.1:${port}/metrics`
let text: string
let samples: Sample[]
let slug: string

const declarations = [...Object.values(histograms), ...Object.values(counters), ...Object.values(gauges)]
const valueOf = (name: string, labels: Record<string, string>) =>
  samples.find((sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value))?.value

beforeAll(async () => {
  const { team, token } = await createOwnedTeam(service.database)
  slug = team.slug
  // The service cannot decrypt its secret: deliveries fail.
  await insertDelivery(service.database.pool, team.id, new Date())
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const path = `${service.url}/api/v1/teams/${slug}`
  for (let count = 0; count < 5; count++) await (await fetch(path, { headers })).arrayBuffer()
  await fetch(`${service.url}/api/v1/teams`)
  await fetch(`${service.url}/api/v1/teams/unknown-team`, { headers })
  await fetch(`${service.url}/${slug}/no/such/page`)
  await fetch(`${service.url}/sign-in`)
  await graphql(service, token, `query Named { team(slug: "${slug}") { name } }`)
  await graphql(service, token, `mutation { updateTeam(input: { team: "${slug}", name: "New" }) { team { slug } } }`)
  await graphql(service, token, '{ team(slug: "unknown-team") { name } }')
  await graphql(service, null, '{ viewer { kind } }')
  for (const state of ['draft', 'submitted', 'listed', 'rejected'] as const)
    await createClient(service.database, { ownerTeamId: team.id, state })
  await createClient(service.database, { ownerTeamId: team.id, proposedChanges: { name: 'New' } })
  const client = await createClient(service.database)
  const person = await createPerson(service.database)
  await exchangeCode(service, client, await authorize(service, client, person))
  await fetch(`${service.url}/api/oauth/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'authorization_code' }) })
  const body = JSON.stringify({ email: 'invited@example.com', role: 'member' })
  await fetch(`${path}/invitations`, { method: 'POST', headers, body })
  await waitFor(async () => {
    text = await (await fetch(metricsUrl)).text()
    samples = parseMetrics(text)
    const countOf = ({ name }: { name: string }, result: string) => valueOf(name, { result }) ?? 0
    const hasWebhook = valueOf(gauges.webhooks.name, { state: 'failing' }) === 1
    return hasWebhook && countOf(counters.mails, 'sent') > 0 && countOf(counters.webhookDeliveries, 'failed') > 0
  })
})

describe('the metrics of a service after requests to all of its interfaces', () => {
  test.each(declarations)('contain $name with its labels', ({ name, help, labels }) => {
    expect(text).toContain(`# HELP ${name} ${help}\n`)
    const found = samples.filter((sample) => sample.name === name || sample.name === `${name}_count`)
    expect(found.length).toBeGreaterThan(0)
    for (const sample of found) expect(Object.keys(sample.labels).toSorted()).toEqual([...labels].toSorted())
  })

  test('count requests by route template and GraphQL operation type', () => {
    const countOf = (labels: Record<string, string>) => valueOf(`${histograms.requests.name}_count`, labels)
    expect(countOf({ method: 'GET', route: '/api/v1/teams/{teamSlug}', operation: 'none', status: '200' })).toBe(5)
    expect(countOf({ route: '/api/v1/teams', status: '401' })).toBe(1)
    expect(countOf({ method: 'POST', route: '/graphql', operation: 'mutation', status: '200' })).toBe(1)
    expect(countOf({ method: 'POST', route: '/graphql', operation: 'query', status: '200' })).toBe(2)
    expect(countOf({ route: '/api/oauth/token', status: '200' })).toBe(1)
    expect(countOf({ route: '/sign-in', status: '200' })).toBeGreaterThan(0)
    expect(countOf({ route: 'none', status: '404' })).toBe(1)
  })

  test('contain no value that a client sent', () => {
    for (const secret of [slug, 'unknown-team', 'Named', 'invited@example.com']) expect(text).not.toContain(secret)
  })

  test('count refusals, sign-ins and tokens', () => {
    expect(valueOf(counters.refusals.name, { api: 'rest', code: 'unauthenticated' })).toBe(1)
    expect(valueOf(counters.refusals.name, { api: 'rest', code: 'team_forbidden' })).toBe(1)
    expect(valueOf(counters.refusals.name, { api: 'graphql', code: 'team_forbidden' })).toBe(1)
    expect(valueOf(counters.refusals.name, { api: 'graphql', code: 'unauthenticated' })).toBe(1)
    expect(valueOf(counters.refusals.name, { api: 'oauth', code: 'invalid_request' })).toBe(1)
    expect(valueOf(counters.signIns.name, { method: 'password', result: 'succeeded' })).toBe(1)
    expect(valueOf(counters.tokens.name, { grant_type: 'authorization_code' })).toBe(1)
  })

  test('count the clients that wait for a review', () => {
    expect(valueOf(gauges.waitingClients.name, {})).toBe(2)
  })

  test('count deliveries to webhooks, and webhooks by state', () => {
    expect(valueOf(counters.webhookDeliveries.name, { result: 'delivered' })).toBe(0)
    expect(['enabled', 'failing', 'disabled'].map((state) => valueOf(gauges.webhooks.name, { state }))).toEqual([0, 1, 0])
    expect(valueOf(gauges.webhookLag.name, {})).toBe(0)
  })

  test('describe the database, the keys and the process', () => {
    expect(valueOf(gauges.ready.name, {})).toBe(1)
    expect(valueOf(gauges.poolSize.name, {})).toBe(isFull ? 20 : 10)
    expect(valueOf(gauges.keyAge.name, { algorithm: 'ES256' })).toBeGreaterThanOrEqual(0)
    expect(valueOf(`${histograms.statements.name}_count`, {})).toBeGreaterThan(10)
    expect(valueOf('nodejs_eventloop_lag_p99_seconds', {})).toBeGreaterThan(0)
    expect(valueOf('process_resident_memory_bytes', {})).toBeGreaterThan(50_000_000)
  })
})

test('only /metrics responds on the port of the metrics', async () => {
  for (const [url, method, status] of [
    [metricsUrl, 'HEAD', 200],
    [metricsUrl, 'POST', 405],
    [`http://127.0.0.1:${port}/api/v1/teams`, 'GET', 404],
  ] as const)
    expect((await fetch(url, { method })).status).toBe(status)
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
})

test('a service without METRICS_PORT does not load prom-client', () => {
  const textOf = (file: string) => readFileSync(path.join('dist', file), 'utf8')
  const importedBy = (file: string, found = new Set<string>()): Set<string> => {
    if (found.has(file)) return found
    found.add(file)
    for (const [, imported = ''] of textOf(file).matchAll(/(?:import|from)\s*"\.\/([\w-]+\.js)"/g)) importedBy(imported, found)
    return found
  }
  const files = readdirSync('dist').filter((file) => /^(?:main|start-.*|serve-.*|worker-.*|primary-.*)\.js$/.test(file))
  expect(files).toHaveLength(5)
  const loaded = new Set(files.flatMap((file) => Array.from(importedBy(file))))
  expect([...loaded].filter((file) => textOf(file).includes('AggregatorRegistry'))).toEqual([])
  expect(readdirSync('dist').some((file) => file.endsWith('.js') && textOf(file).includes('AggregatorRegistry'))).toBe(true)
})

describe('the dashboard and the alert rules', () => {
  const names = new Set([...namesIn(dashboardExpressions()), ...namesIn(alertExpressions())])

  test('name only metrics that the service has', () => {
    expect(names.size).toBeGreaterThan(10)
    // Prometheus adds `up` itself.
    const known = new Set([...samples.map(({ name }) => name), 'up'])
    expect([...names].filter((name) => !known.has(name))).toEqual([])
  })

  test('use every metric of the service', () => {
    const unused = declarations.filter(({ name }) => ![name, `${name}_count`, `${name}_bucket`].some((each) => names.has(each)))
    expect(unused).toEqual([])
  })
})

test('docs/operations/monitor.md lists every metric and every alert', () => {
  const page = readFileSync('docs/operations/monitor.md', 'utf8')
  const rowsOf = (type: string, all: Readonly<Record<string, (typeof declarations)[number]>>) =>
    Object.values(all).map(
      ({ name, labels, help }) => `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |\n`,
    )
  const rows = [...rowsOf('histogram', histograms), ...rowsOf('counter', counters), ...rowsOf('gauge', gauges)].join('')
  expect(page).toContain(rows)
  const documented = Array.from(page.matchAll(/^\| `(TeamAccount\w+)` \|/gm), ([, name]) => name)
  expect(documented).toEqual(alertNames())
})
