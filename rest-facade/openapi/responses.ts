import { envelope, feedEnvelope } from '../envelope.ts'
import { feedSchema, pageSchema } from './schemas/envelope-schema.ts'
import { object } from './components.ts'
import type { Components, JsonSchema, Response } from './components.ts'
import { buildSuccessHeaders } from './headers.ts'
import { resourceSchema } from './schemas/response-schema.ts'
import type { ResourceSchema } from './schemas/response-schema.ts'
import type { Route } from '../route.ts'
import { cursorSample, pathSamples, samples } from './examples.ts'
import { toTypeName } from './schemas/value-schema.ts'
import { pageQueryString } from '../query.ts'

/** Returns the response of success, with an example of each form. `apiUrl` is the base of URLs in examples. */
export function successResponse(route: Route, apiUrl: string, components: Components): Response {
  const resource = resourceSchema(route, components)
  const headers = buildSuccessHeaders(route)
  if (!resource) return { description: 'No content', headers }
  const { schema, description } = bodySchema(route, resource, components)
  return { description, headers, content: { 'application/json': { schema, examples: buildExamples(route, resource, apiUrl) } } }
}

/** Returns the response for a resource whose current version the client has. */
export const notModifiedResponse = (route: Route): Response => ({
  description: 'The resource is unchanged: `If-None-Match` names its `ETag`',
  headers: buildSuccessHeaders(route),
})

function bodySchema(
  { operationId, response }: Route,
  { resource, typeName }: ResourceSchema,
  components: Components,
): { schema: JsonSchema; description: string } {
  if (response.kind === 'page')
    return { schema: pageSchema(typeName, resource, components), description: `Paginated set of \`${typeName}\`` }
  if (response.kind === 'feed')
    return { schema: feedSchema(typeName, resource, components), description: `Page of \`${typeName}\`s, oldest first` }
  if (response.kind === 'resource') return { schema: resource, description: `\`${typeName}\`` }
  const data: JsonSchema = { type: 'array', items: resource }
  const schema = components.refer(`${toTypeName(operationId)}200Response`, object(`Every ${typeName}.`, { data }))
  return { schema, description: `Array of \`${typeName}\`` }
}

/** Returns the sample without optional members, and one sample with each of them. */
function buildExamples(route: Route, { typeName, included }: ResourceSchema, apiUrl: string): Record<string, { value: unknown }> {
  const sample = samples[typeName]
  if (!sample) throw new Error(`${route.operationId}: there is no sample of ${typeName}`)
  const example = (expanded: readonly string[]) => {
    const members = Object.entries(sample).filter(([name]) => !included.includes(name) || expanded.includes(name))
    return {
      value: exampleBody(route, Object.fromEntries(members), apiUrl, pageQueryString({ ...(expanded.length > 0 && { expand: expanded }) })),
    }
  }
  return { plain: example([]), ...Object.fromEntries(included.map((name) => [`with_${name}`, example([name])])) }
}

function exampleBody({ response, path }: Route, resource: unknown, apiUrl: string, query: string): unknown {
  if (response.kind === 'resource') return resource
  if (response.kind === 'list') return { data: [resource] }
  if (response.kind === 'feed')
    return feedEnvelope({ nodes: [resource], nextCursor: cursorSample, perPage: 50 }, apiUrl + samplePath(path), query)
  return envelope({ nodes: [resource], total: 1, page: 1, perPage: 50 }, apiUrl + samplePath(path), query)
}

const samplePath = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => pathSamples[name] ?? name)
