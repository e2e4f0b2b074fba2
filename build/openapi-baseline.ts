import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { format } from 'oxfmt'
import { openApiDocument } from '../rest-facade/openapi/document.ts'
import { projectFolder } from './files.ts'

export const baselineFile = path.join(projectFolder, 'rest-facade', 'openapi', 'baseline.json')

type Json = unknown

/** Members that clients do not depend on. */
const prose = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'info',
  'externalDocs',
  'tags',
  'servers',
  'x-codeSamples',
])

const isObject = (value: Json): value is Record<string, Json> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the current document without prose. */
export const currentContract = (): Json => withoutProse(openApiDocument({ publicUrl: 'https://accounts.example' }))
export const readOpenApiBaseline = (): Json => JSON.parse(readFileSync(baselineFile, 'utf8'))

function withoutProse(value: Json, parent = ''): Json {
  if (Array.isArray(value)) return value.map((each) => withoutProse(each))
  if (!isObject(value)) return value
  // The names of scopes are the contract; their values are descriptions.
  if (parent === 'scopes') return Object.keys(value)
  // The members of `properties` are names of the API, such as `description`.
  const kept = Object.entries(value).filter(([name, member]) => member !== undefined && (parent === 'properties' || !prose.has(name)))
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutProse(member, parent === 'properties' ? '' : name)]))
}

/**
 * Returns the parts that a client of the baseline misses in the current document: paths, methods, parameters, responses, members and values
 * that were removed or changed, and newly required parameters and members of requests. Additions are compatible.
 */
export function incompatibilities(baseline: Json, current: Json, at = '', root: Json = current): string[] {
  // A schema that became a component of its own is the same for clients.
  if (isObject(baseline) && isObject(current) && !('$ref' in baseline) && typeof current['$ref'] === 'string')
    return incompatibilities(baseline, resolve(root, current['$ref']), at, root)
  if (Array.isArray(baseline)) {
    if (!Array.isArray(current)) return [`${at} is no list`]
    if (at.endsWith('/anyOf')) return baseline.flatMap((item, index) => incompatibilities(item, current[index], `${at}/${index}`, root))
    const getKey = (item: Json) => JSON.stringify(isObject(item) && 'name' in item ? [item['name'], item['in']] : item)
    const currentByKey = new Map(current.map((item) => [getKey(item), item]))
    const baselineKeys = new Set(baseline.map(getKey))
    // The service sends the requests of webhooks, so an added member is compatible.
    const isRequest = /\/requestBody\//.test(at) && at.endsWith('/required') && !at.startsWith('/webhooks/')
    return [
      ...baseline.flatMap((item) =>
        currentByKey.has(getKey(item))
          ? incompatibilities(item, currentByKey.get(getKey(item)), `${at}/${getKey(item)}`, root)
          : [`${at} lacks ${getKey(item)}`],
      ),
      ...current.flatMap((item) => {
        const isNew = !baselineKeys.has(getKey(item)) && (isRequest || (isObject(item) && item['required'] === true))
        return isNew ? [`${at} requires ${getKey(item)}`] : []
      }),
    ]
  }
  if (!isObject(baseline))
    return Object.is(baseline, current) ? [] : [`${at} is ${JSON.stringify(current)}, was ${JSON.stringify(baseline)}`]
  if (!isObject(current)) return [`${at} is missing`]
  return Object.entries(baseline).flatMap(([name, member]) =>
    name in current ? incompatibilities(member, current[name], `${at}/${name}`, root) : [`${at}/${name} is missing`],
  )
}

/** Returns the part of a document that a reference names. */
const resolve = (document: Json, reference: string): Json =>
  reference
    .split('/')
    .slice(1)
    .reduce((value: Json, name) => (isObject(value) ? value[name] : undefined), document)

/** Returns the file for a baseline, in the format of the repository, which the checks require. */
export async function baselineText(baseline: Json): Promise<string> {
  const options = JSON.parse(readFileSync(path.join(projectFolder, '.oxfmtrc.json'), 'utf8'))
  const { code, errors } = await format(baselineFile, JSON.stringify(baseline, null, 1), options)
  if (errors.length > 0) throw new Error(`the baseline cannot be formatted: ${JSON.stringify(errors)}`)
  return code
}

/** `node build/openapi-baseline.ts`: run it after a release. */
if (import.meta.main) writeFileSync(baselineFile, await baselineText(currentContract()))
