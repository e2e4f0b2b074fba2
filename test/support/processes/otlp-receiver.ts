import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { reservePort } from './port.ts'

/** A span as OTLP/HTTP sends it in JSON. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Record<string, unknown>
  isError: boolean
}

interface ExportRequest {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: OtlpSpan[] }[] }[]
}
interface OtlpSpan extends Omit<ReceivedSpan, 'attributes' | 'isError'> {
  attributes: KeyValue[]
  status: { code?: number }
}
interface KeyValue {
  key: string
  value: Record<string, unknown>
}

/** A collector of traces that accepts OTLP/HTTP in JSON, for all tests of a file. */
export function useOtlpReceiver() {
  const spans: ReceivedSpan[] = []
  const resources: Record<string, unknown>[] = []
  const { port, listen } = reservePort()
  const server = createServer(async (request, response) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the exporter under test sends it
    const { resourceSpans } = (await json(request)) as ExportRequest
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(valuesOf(resource.attributes))
      for (const { attributes, status, ...span } of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, attributes: valuesOf(attributes), isError: status.code === 2 })
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  beforeAll(() => listen(server))
  afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return { url: `http://127.0.0.1:${port}`, spans, resources }
}

const valuesOf = (attributes: readonly KeyValue[]) => Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
