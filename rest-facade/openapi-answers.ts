import { envelope } from './envelope.ts'
import { pageSchema } from './envelope-schema.ts'
import { object } from './openapi-components.ts'
import type { Components, JsonSchema, Response } from './openapi-components.ts'
import { exchangeHeaderReferences } from './openapi-headers.ts'
import { answerSchema } from './response-schema.ts'
import type { AnswerSchema } from './response-schema.ts'
import type { Route } from './route.ts'
import { pathSamples, samples } from './samples.ts'
import { keptQuery } from './validation.ts'

/** The response of success, with an example for each form it has; `apiUrl` is what addresses in it begin with. */
export function answerOf(route: Route, apiUrl: string, components: Components): Response {
  const told = answerSchema(route, components)
  const headers = exchangeHeaderReferences
  if (!told) return { description: 'No content', headers }
  const { schema, description } = wrapped(route, told, components)
  return { description, headers, content: { 'application/json': { schema, examples: examplesOf(route, told, apiUrl) } } }
}

function wrapped(
  { answer }: Route,
  { resource, typeName }: AnswerSchema,
  components: Components,
): { schema: JsonSchema; description: string } {
  if (answer.kind === 'page') return { schema: pageSchema(typeName, resource, components), description: `Paginated set of \`${typeName}\`` }
  if (answer.kind === 'resource') return { schema: resource, description: `\`${typeName}\`` }
  const data: JsonSchema = { type: 'array', items: resource }
  return { schema: object(`Every ${typeName}.`, { data }), description: `Array of \`${typeName}\`` }
}

/** The sample as a plain request gets it, and once more with each member that can be asked for. */
function examplesOf(route: Route, { typeName, included }: AnswerSchema, apiUrl: string): Record<string, { value: unknown }> {
  const whole = samples[typeName]
  if (!whole) throw new Error(`${route.operationId}: there is no sample of ${typeName}`)
  const example = (expanded: readonly string[]) => {
    const members = Object.entries(whole).filter(([name]) => !included.includes(name) || expanded.includes(name))
    return { value: answered(route, Object.fromEntries(members), apiUrl, keptQuery({ ...(expanded.length > 0 && { expand: expanded }) })) }
  }
  return { plain: example([]), ...Object.fromEntries(included.map((name) => [`with_${name}`, example([name])])) }
}

function answered({ answer, path }: Route, resource: unknown, apiUrl: string, kept: string): unknown {
  if (answer.kind === 'resource') return resource
  if (answer.kind === 'list') return { data: [resource] }
  return envelope({ nodes: [resource], total: 1, page: 1, perPage: 50 }, apiUrl + samplePath(path), kept)
}

const samplePath = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => pathSamples[name] ?? name)
