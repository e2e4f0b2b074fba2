import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { BreakingChangeType, buildSchema, findSchemaChanges, lexicographicSortSchema, parse, print, printSchema, visit } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { z } from 'zod'
import { publicSchema } from '../schema/public-schema.ts'
import { projectFolder } from './files.ts'

const baselineFile = path.join(projectFolder, 'schema', 'baseline.graphql')
const declarationsFile = path.join(projectFolder, 'schema', 'breaking-changes.json')

/** A breaking change that was announced to clients (docs/decisions/graphql.md#changes-of-the-schema). */
export interface DeclaredChange {
  /** Description of the change by graphql, for example `Field Team.name was removed.` */
  change: string
  reason: string
  /** Calendar dates of the announcement and of the first possible release. */
  announced: string
  effective: string
}

const date = z.iso.date()
const declarations = z.array(z.strictObject({ change: z.string(), reason: z.string().min(10), announced: date, effective: date }))

/** Returns the schema of the last release. */
export const readSchemaBaseline = (): GraphQLSchema => buildSchema(readFileSync(baselineFile, 'utf8'))
export const readDeclaredChanges = (): DeclaredChange[] => declarations.parse(JSON.parse(readFileSync(declarationsFile, 'utf8')))

/** Number of months for which a part of the schema is deprecated before it is removed. */
export const deprecationMonths = 6

/** Describes problems of the changes since the baseline: undeclared changes, and declarations that are too early or match no change. */
export function schemaProblems(
  baseline: GraphQLSchema,
  current: GraphQLSchema,
  declared: readonly DeclaredChange[],
  currentDate: string,
): string[] {
  const breakingChanges = findSchemaChanges(baseline, current)
    .filter(({ type }) => Object.hasOwn(BreakingChangeType, type))
    .map(({ description }) => description)
  const undeclared = breakingChanges.filter((change) => !declared.some((each) => each.change === change))
  return [
    ...undeclared.map((change) => `not declared: ${change}`),
    ...declared.flatMap(({ change, announced, effective }) => {
      if (!breakingChanges.includes(change)) return [`declared, but not made: ${change}`]
      if (effective < monthsAfter(announced, deprecationMonths))
        return [`announced less than ${deprecationMonths} months before: ${change}`]
      return effective > currentDate ? [`made before ${effective}: ${change}`] : []
    }),
  ]
}

function monthsAfter(day: string, months: number): string {
  const instant = new Date(`${day}T00:00:00Z`)
  instant.setUTCMonth(instant.getUTCMonth() + months)
  return instant.toISOString().slice(0, 10)
}

/** `npm run schema-baseline`, after a release: writes the schema that HTTP shows, without descriptions, and an empty list of changes. */
if (import.meta.main) {
  const withoutDescriptions = visit(parse(printSchema(lexicographicSortSchema(publicSchema()))), {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
  })
  writeFileSync(baselineFile, `${print(withoutDescriptions)}\n`)
  writeFileSync(declarationsFile, '[]\n')
}
