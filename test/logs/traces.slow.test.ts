import path from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { readVersion } from '../../src/config/version.ts'
import { openClient } from '../../prisma/connection/database.ts'
import { openTracer } from '../../src/tracing/open-tracer.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import type { OwnedTeam } from '../support/data/team.ts'
import { request } from '../support/http/request.ts'
import { startMailingService } from '../support/mail/mailing-service.ts'
import { startMailServer } from '../support/mail/smtp.ts'
import { useOtlpReceiver } from '../support/processes/otlp-receiver.ts'
import { startMain } from '../support/processes/service-process.ts'
import { useDatabase } from '../support/service/database.ts'
import { isFull } from '../support/service/full.ts'
import { useService } from '../support/service/service.ts'
import { secretKey, silent } from '../support/service/test-settings.ts'
import { waitFor } from '../support/service/wait.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

// Writes the modules of OpenTelemetry that a process loads to its standard error.
const showModules = `import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) { if (/open-?telemetry/.test(url)) console.error('loaded ' + url); return next(url, context) } })`

describe('a service', () => {
  const { poolConfig, url: databaseUrl } = useDatabase()
  const collector = useOtlpReceiver()
  const settings = {
    DATA_DIR: path.join(inject('runFolder'), `traces-${process.pid}`),
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKey,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(showModules)}`,
  }
  let owned: OwnedTeam
  beforeAll(async () => {
    const database = openClient(poolConfig)
    owned = await createOwnedTeam(database)
    await database.close()
  })

  /** Starts the service, sends an invitation, and stops it, which exports the remaining spans. */
  async function invite(variables: Record<string, string>) {
    const service = startMain({ ...settings, ...variables })
    const body = { email: 'grace@example.test', role: 'member' }
    const { team, token } = owned
    const options = { token, body, headers: { traceparent } }
    const { status } = await request({ url: await service.origin }, 'POST', `/api/v1/teams/${team.slug}/invitations`, options)
    expect(status).toBe(204)
    await waitFor(() => variables['OTEL_TRACES_EXPORTER'] !== 'otlp' || collector.spans.some(({ name }) => name === 'process mail'))
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)
    return service.output()
  }

  test('sends the tree of HTTP request, GraphQL operation, SQL statements and mail to the collector, in the trace of the client', async () => {
    const { stderr } = await invite({
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_SERVICE_NAME: 'accounts',
    })
    expect(stderr).toContain('loaded ')
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'accounts', 'service.version': await readVersion() })
    const spans = collector.spans.filter((span) => span.traceId === traceId)
    const route = '/api/v1/teams/{teamSlug}/invitations'
    const http = spans.find(({ kind }) => kind === 2)
    expect(http).toMatchObject({
      parentSpanId: 'b7ad6b7169203331',
      name: `POST ${route}`,
      attributes: { 'http.route': route, 'url.path': route, 'http.request.method': 'POST', 'http.response.status_code': 204 },
    })
    const graphql = spans.find(({ name }) => name === 'GraphQL mutation')
    expect(graphql).toMatchObject({ parentSpanId: http?.spanId, attributes: { 'graphql.operation.type': 'mutation' } })
    const mail = spans.find(({ name }) => name === 'process mail')
    expect(mail).toMatchObject({ parentSpanId: http?.spanId, kind: 5, isError: false, attributes: { 'mail.kind': 'invitation' } })
    const statementsBelow = (parent: typeof http) =>
      spans.filter(({ parentSpanId, attributes }) => parentSpanId === parent?.spanId && attributes['db.system.name'] === 'postgresql')
    expect(statementsBelow(http).map(({ name }) => name)).toContain('personal_token_by_hash_of_team')
    expect(statementsBelow(graphql).map(({ name }) => name)).toEqual(expect.arrayContaining(['BEGIN', 'COMMIT']))
    expect(statementsBelow(mail)).not.toEqual([])
    const text = JSON.stringify(collector.spans)
    for (const secret of [owned.token, secretKey, 'grace@example.test', owned.team.slug]) expect(text).not.toContain(secret)
    const lines = stderr.split('\n').filter((line) => line.includes('request completed'))
    expect(lines.map((line) => JSON.parse(line).traceId)).toContain(traceId)
  })

  test.runIf(isFull)('loads no module of OpenTelemetry if no variable turns traces on', async () => {
    const { stderr } = await invite({ OTEL_SERVICE_NAME: 'accounts' })
    expect(stderr).not.toContain('loaded ')
  })
})

describe('without a tracer', () => {
  const service = useService()

  test.each([
    [traceparent, traceId],
    [`cc-${traceId}-b7ad6b7169203331-01-later`, traceId],
    [`ff-${traceId}-b7ad6b7169203331-01`, undefined],
    [`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, undefined],
    [`00-${traceId}-${'0'.repeat(16)}-01`, undefined],
    ['00-hostile', undefined],
  ])('the log line of a request with traceparent %s has the trace id %s', async (sent, expected) => {
    const requestId = crypto.randomUUID()
    await fetch(`${service.url}/sign-in`, { headers: { traceparent: sent, 'X-Request-Id': requestId } })
    const line = await waitFor(() => service.requests.find((each) => each.requestId === requestId))
    expect(Object.entries(line).find(([name]) => name === 'traceId')?.[1]).toBe(expected)
  })

  test('a mail keeps the trace of its request', async () => {
    const server = await startMailServer()
    const mailing = await startMailingService({ smtpUrl: server.url })
    const { team, token } = await createOwnedTeam(mailing.database)
    const options = { token, headers: { traceparent }, body: { email: 'grace@example.test', role: 'member' } }
    await request(mailing, 'POST', `/api/v1/teams/${team.slug}/invitations`, options)
    await waitFor(() => server.mails.length > 0)
    const { rows } = await mailing.database.pool.query(`SELECT data->>'traceparent' AS traceparent FROM pgboss.job WHERE name = 'mail'`)
    expect(rows).toEqual([{ traceparent }])
  })
})

test.each([
  [{}],
  [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }],
  [{ OTEL_SDK_DISABLED: 'true', OTEL_TRACES_EXPORTER: 'otlp' }],
  [{ OTEL_TRACES_EXPORTER: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
])('traces are off with the variables %j', async (variables) => {
  expect(await openTracer(variables, silent)).toBeUndefined()
})

test.each([
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER must be one of otlp, console; it is "zipkin"'],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf, http/json; it is "grpc"'],
  [{ OTEL_TRACES_SAMPLER_ARG: 'half' }, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1; it is "half"'],
])('the variables %j stop the start', async (variables, message) => {
  await expect(openTracer({ OTEL_TRACES_EXPORTER: 'otlp', ...variables }, silent)).rejects.toThrow(message)
})
