import path from 'node:path'
import plugin from '@graphql-eslint/eslint-plugin'
import { ESLint } from 'eslint'
import { print } from 'graphql'
import { describe, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes/index.ts'
import { projectFolder } from '../../schema/core/project-folder.ts'

// The recommended rules of graphql-eslint. oxlint cannot run them, so ESLint runs here and nowhere else.

const pages = 'src/account-site/**/*.graphql'
const dashboards = 'test/graphql/dashboards/*.graphql'
const schemaFile = path.join(projectFolder, 'schema', 'schema.graphql')

/** Rules that are not followed, with the reason. */
const schemaDeviations = {
  // Objects with an identity have the interface Node, and with it `id: ID!`. Pages, sums and payloads have none.
  '@graphql-eslint/strict-id-in-types': 'off',
  // Besides the `id` of Node, objects have the identifier of REST under the name of its path parameter, such as `userId`.
  '@graphql-eslint/no-typename-prefix': 'off',
}
const operationDeviations = {
  // Identifiers serve the caches of clients. Pages and REST routes have no cache, and each field costs time.
  '@graphql-eslint/require-selections': 'off',
}
const routeDeviations = {
  ...operationDeviations,
  // Errors name a route by its operationId.
  '@graphql-eslint/no-anonymous-operations': 'off',
  // Aliases are the names of JSON members; `_version` is one that the response does not contain.
  '@graphql-eslint/naming-convention': 'off',
}

type Rules = Record<string, unknown>
const recommended = (name: 'flat/schema-recommended' | 'flat/operations-recommended'): Rules => plugin.configs[name].rules

/** ESLint with these rules. Names of operations have to be unique among `documents`. */
const eslintWith = (rules: Rules, documents = pages) =>
  new ESLint({
    cwd: projectFolder,
    overrideConfigFile: true,
    overrideConfig: [
      {
        files: ['**/*.graphql'],
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- ESLint and the plugin declare the same interfaces differently
        plugins: { '@graphql-eslint': plugin as unknown as ESLint.Plugin },
        languageOptions: {
          parser: plugin.parser,
          parserOptions: { graphQLConfig: { schema: schemaFile, documents } },
        },
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- names of rules with their severity
        rules: rules as never,
      },
    ],
  })

const findings = (results: ESLint.LintResult[]) =>
  results.flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, line, message }) => `${path.basename(filePath)}:${line} ${ruleId}: ${message}`),
  )

describe('the recommended rules of graphql-eslint', () => {
  test('pass for the schema', async () => {
    const eslint = eslintWith({ ...recommended('flat/schema-recommended'), ...schemaDeviations })
    expect(findings(await eslint.lintFiles('schema/schema.graphql')).join('\n')).toBe('')
  })

  test('pass for the operations of the account site', async () => {
    const eslint = eslintWith({ ...recommended('flat/operations-recommended'), ...operationDeviations })
    const results = await eslint.lintFiles(pages)
    expect([results.length > 10, findings(results)]).toEqual([true, []])
  })

  test('pass for the dashboards without exception, so that caches can identify what they load', async () => {
    const results = await eslintWith(recommended('flat/operations-recommended'), dashboards).lintFiles(dashboards)
    expect([results.length, findings(results)]).toEqual([5, []])
  })

  test('pass for the documents of REST routes', async () => {
    const eslint = eslintWith({ ...recommended('flat/operations-recommended'), ...routeDeviations })
    for (const { operationId, operation } of routes)
      expect([operationId, ...findings(await eslint.lintText(print(operation.document), { filePath: 'route.graphql' }))]).toEqual([
        operationId,
      ])
  })
})
