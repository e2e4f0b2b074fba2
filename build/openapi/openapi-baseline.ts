import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { format } from 'oxfmt'
import { schemaPath } from '../../rest-facade/openapi/components.ts'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { isRecord } from '../../schema/core/record.ts'
import { projectFolder } from '../files.ts'
import type { Contract } from './operation-changes.ts'

export const baselineFile = path.join(projectFolder, 'rest-facade', 'openapi', 'baseline.json')

type Json = unknown

/** Members that clients do not depend on. */
const prose = new Set('description summary title example examples info externalDocs tags servers deprecated'.split(' '))

/** Returns the current document without prose. */
export const currentDocument = (): Json => withoutProse(openApiDocument({ publicUrl: 'https://accounts.example' }))
export const readBaselineDocument = (): Json => JSON.parse(readFileSync(baselineFile, 'utf8'))

function withoutProse(value: Json, parent = ''): Json {
  if (Array.isArray(value)) return value.map((each) => withoutProse(each))
  if (!isRecord(value)) return value
  // The names of scopes are the contract; their values are descriptions.
  if (parent === 'scopes') return Object.keys(value)
  // The members of `properties` are names of the API, such as `description`.
  const kept = Object.entries(value).filter(([name, member]) => member !== undefined && (parent === 'properties' || !prose.has(name)))
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutProse(member, parent === 'properties' ? '' : name)]))
}

/** Returns the contract of a document: references to responses, parameters and header fields are replaced by what they refer to. */
export function readContract(document: Json): Contract {
  const revive = (_: string, value: Json): Json => {
    if (!isRecord(value) || typeof value['$ref'] !== 'string' || value['$ref'].startsWith(schemaPath)) return value
    return JSON.parse(JSON.stringify(findPart(document, value['$ref'])), revive)
  }
  return JSON.parse(JSON.stringify(document), revive)
}

const findPart = (document: Json, reference: string): Json =>
  reference
    .split('/')
    .slice(1)
    .reduce((value: Json, name) => (isRecord(value) ? value[name] : undefined), document)

/** Returns the file for a baseline, in the format of the repository, which the checks require. */
export async function baselineText(baseline: Json): Promise<string> {
  const options = JSON.parse(readFileSync(path.join(projectFolder, '.oxfmtrc.json'), 'utf8'))
  const { code, errors } = await format(baselineFile, JSON.stringify(baseline, null, 1), options)
  if (errors.length > 0) throw new Error(`the baseline cannot be formatted: ${JSON.stringify(errors)}`)
  return code
}

/** `node build/openapi/openapi-baseline.ts`: run it after a release. */
if (import.meta.main) writeFileSync(baselineFile, await baselineText(currentDocument()))
